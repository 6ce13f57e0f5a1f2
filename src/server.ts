import { ThreadedCompiler } from './adapters/filter/compiler.ts'
import { MemoryNetwork } from './adapters/memory/bus.ts'
import { MemoryRoster } from './adapters/memory/roster.ts'
import { DataFolder } from './adapters/sqlite/data-folder.ts'
import { SqliteStore } from './adapters/sqlite/store.ts'
import type { Config } from './config.ts'
import { App, type Ports, type Rules } from './core/app.ts'
import { systemClock } from './core/clock.ts'
import { Gateway } from './gateway/gateway.ts'
import { Hub } from './gateway/hub.ts'
import { PlayerTokens } from './gateway/tokens.ts'
import { Api } from './http/api.ts'
import { type Credential, hashToken } from './http/auth.ts'
import { createDocumentPages } from './http/docs-page.ts'
import { createHealthPages } from './http/health.ts'
import { createOperations } from './http/operations.ts'
import { Listener } from './listener.ts'
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
  readonly ports?: Partial<Pick<Ports, 'bus' | 'roster' | 'clock' | 'compiler'>>
}

/** The one place where parts are chosen and put together. */
export async function startServer(config: Config, surroundings: Surroundings): Promise<Server> {
  const folder = DataFolder.open(config.dataDir)
  try {
    return await startOn(folder, config, surroundings)
  } catch (thrown) {
    folder.close()
    throw thrown
  }
}

async function startOn(
  folder: DataFolder,
  config: Config,
  { log, onFailure, ports }: Surroundings,
): Promise<Server> {
  const metrics = new Metrics()
  const store = await SqliteStore.open({
    path: folder.databasePath,
    messagesPath: folder.messagesPath,
    isUsed: folder.isUsed,
    observe: (batch) => metrics.observeBatch(batch),
    onFailure,
  })
  folder.markUsed()
  const { credentials, newMasterToken } = masterCredentials(config, folder)
  const clock = ports?.clock ?? systemClock
  const bus = ports?.bus ?? new MemoryNetwork(clock).join()
  const roster = ports?.roster ?? new MemoryRoster(clock)
  const secret = config.playerSecret ?? folder.secret('player-secret').value
  const { gamerIdBytes: idBytes, nicknameBytes: nameBytes } = config.limits
  const tokens = new PlayerTokens(secret, clock, { idBytes, nameBytes })
  const compiler =
    ports?.compiler ?? new ThreadedCompiler({ onFailure: (err) => log.error({ err }, 'no filter was made') })
  const reportFailure = (err: unknown) => log.error({ err }, 'a back-test has failed')
  const app = new App({ store, bus, roster, clock, tokens, compiler, reportFailure }, rulesOf(config))

  const hub = new Hub({
    app,
    bus,
    roster,
    clock,
    metrics,
    publish: (topic, text) => listener.publish(topic, text),
  })
  await app.start((topic, event) => hub.deliver(topic, event))
  const { flood, defaultLanguage } = config.gateway
  const gateway = new Gateway(
    { app, hub, tokens, clock, log, metrics, flood, defaultLanguage },
    config.gateway,
  )

  const operations = createOperations(config.limits)
  const documents = createDocumentPages(operations)
  const listener = new Listener({
    api: new Api(app, {
      ...config,
      operations,
      readOnlyPaths: new Set(documents.keys()),
      credentials,
      clock,
      bodyBytes: config.limits.bodyBytes,
    }),
    gateway,
    pages: new Map([
      ...createHealthPages({ metrics, checks: app.checks, isDraining: () => listener.isDraining }),
      ...documents,
    ]),
    log,
    metrics,
  })
  metrics.watch('parley_store_queue', 'Calls that wait for the store or run in it.', () => store.queueLength)
  metrics.watch('parley_connections', 'Open connections of players.', () => gateway.connections)
  metrics.watch('parley_players', 'Players connected to this node.', () => hub.players)
  metrics.watch('parley_messages_lost', 'Messages that the log gave up.', () => app.messages.lost)
  const logKeeper = keepLog(app, log)
  const url = listener.start(config.listen)

  const stop = async () => {
    gateway.drain()
    await listener.drain(config.drainMs)
    await listener.stop()
    gateway.stop()
    logKeeper.stop()
    await app.backtests.stop()
    await app.messages.flush().catch((err: unknown) => log.error({ err }, 'messages were not logged'))
    await bus.close()
    await roster.close()
    await compiler.close()
    await store.close()
    folder.close()
  }
  return { url, app, newMasterToken, stop }
}

const FLUSH_MS = 500
const PRUNE_MS = 3_600_000

/** Writes the log of messages as they come, and deletes it as it ages. */
function keepLog({ messages }: App, log: Logger) {
  const warn = (err: unknown) => log.warn({ err }, 'the message log is behind')
  const prune = () => messages.prune().catch(warn)
  const timers = [
    setInterval(() => messages.flush().catch(warn), FLUSH_MS),
    setInterval(prune, PRUNE_MS),
    setTimeout(prune, FLUSH_MS),
  ]
  return { stop: () => timers.forEach(clearInterval) }
}

export const rulesOf = ({ limits, gateway, reports }: Config): Rules => ({
  channels: {
    quota: { groups: limits.groups, channels: limits.channels },
    protectFallback: limits.protectFallback,
  },
  filters: {
    quota: { languages: limits.languages, expressions: limits.expressions },
    mode: gateway.filterMode,
  },
  chat: { messageBytes: limits.messageBytes, tellsHits: gateway.tellsHits },
  reports,
  messageDays: limits.messageDays,
})

function masterCredentials({ masterTokens }: Config, folder: DataFolder) {
  const credentialOf = (token: string, index = 0): Credential => ({
    id: `master-${index}`,
    holder: 'master',
    role: 'master',
    tokenHash: hashToken(token),
  })
  if (masterTokens.length > 0) {
    return {
      credentials: masterTokens.map((token, index) => credentialOf(token, index)),
      newMasterToken: undefined,
    }
  }
  const { value, isNew } = folder.secret('master-token')
  return { credentials: [credentialOf(value)], newMasterToken: isNew ? value : undefined }
}
