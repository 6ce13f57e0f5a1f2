import { MemoryNetwork } from './adapters/memory/bus.ts'
import { MemoryRoster } from './adapters/memory/roster.ts'
import { DataFolder } from './adapters/sqlite/data-folder.ts'
import { SqliteStore } from './adapters/sqlite/store.ts'
import type { Config } from './config.ts'
import { App, type Ports } from './core/app.ts'
import { systemClock } from './core/clock.ts'
import { Api } from './http/api.ts'
import { type Credential, hashToken } from './http/auth.ts'
import { createDocumentPages } from './http/docs-page.ts'
import { createHealthPages } from './http/health.ts'
import { Listener } from './http/listener.ts'
import { createOperations } from './http/operations.ts'
import type { Logger } from './log.ts'
import { Metrics } from './metrics.ts'

export interface Server {
  readonly url: URL
  readonly app: App
  /** The master token, when this start has made it. */
  readonly newMasterToken: string | undefined
  /** Answers what is under way, refuses what comes, and leaves everything on disk. */
  stop(): Promise<void>
}

export interface Surroundings {
  readonly log: Logger
  /** Called when the server can't go on. */
  readonly onFailure: (error: Error) => void
  /** Stand in for the parts that the configuration would choose. */
  readonly ports?: Partial<Omit<Ports, 'store'>>
}

/** The one place where parts are chosen and put together. */
export async function startServer(config: Config, { log, onFailure, ports }: Surroundings): Promise<Server> {
  const metrics = new Metrics()
  const folder = DataFolder.open(config.dataDir)
  try {
    const store = await SqliteStore.open({
      path: folder.databasePath,
      isUsed: folder.isUsed,
      observe: (batch) => metrics.observeBatch(batch),
      onFailure,
    })
    folder.markUsed()
    metrics.watch(
      'parley_store_queue',
      'Calls that wait for the store or run in it.',
      () => store.queueLength,
    )
    const { credentials, newMasterToken } = masterCredentials(config, folder)
    const clock = ports?.clock ?? systemClock
    const bus = ports?.bus ?? new MemoryNetwork().join()
    const roster = ports?.roster ?? new MemoryRoster(clock)
    const app = new App({ store, bus, roster, clock }, rulesOf(config))
    await app.start(() => undefined)

    const operations = createOperations(config.limits)
    const documents = createDocumentPages(operations)
    const api = new Api(app, {
      ...config,
      operations,
      readOnlyPaths: new Set(documents.keys()),
      credentials,
      clock,
      bodyBytes: config.limits.bodyBytes,
    })
    const listener: Listener = new Listener({
      api,
      pages: new Map([
        ...createHealthPages({ metrics, checks: app.checks, isDraining: () => listener.isDraining }),
        ...documents,
      ]),
      log,
      metrics,
    })
    const url = listener.start(config.listen)

    const stop = async () => {
      await listener.drain(config.drainMs)
      await listener.stop()
      await bus.close()
      await roster.close()
      await store.close()
      folder.close()
    }
    return { url, app, newMasterToken, stop }
  } catch (thrown) {
    folder.close()
    throw thrown
  }
}

const rulesOf = ({ limits }: Config) => ({
  channels: {
    quota: { groups: limits.groups, channels: limits.channels },
    protectFallback: limits.protectFallback,
  },
  filters: { languages: limits.languages, expressions: limits.expressions },
})

function masterCredentials({ masterTokens }: Config, folder: DataFolder) {
  const credentialOf = (token: string, index = 0): Credential => ({
    id: `master-${index}`,
    holder: 'master',
    role: 'master',
    tokenHash: hashToken(token),
  })
  if (masterTokens.length > 0)
    return {
      credentials: masterTokens.map((token, index) => credentialOf(token, index)),
      newMasterToken: undefined,
    }
  const { value, isNew } = folder.secret('master-token')
  return { credentials: [credentialOf(value)], newMasterToken: isNew ? value : undefined }
}
