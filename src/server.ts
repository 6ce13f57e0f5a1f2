import { WorkerFilterCompiler } from './adapters/filter/compiler.ts'
import { MemoryNetwork } from './adapters/memory/bus.ts'
import { MemoryRoster } from './adapters/memory/roster.ts'
import { DataFolder } from './adapters/sqlite/data-folder.ts'
import { SqliteStore, type StoreOptions } from './adapters/sqlite/store.ts'
import type { Config } from './config.ts'
import { App, type Ports, type Rules } from './core/app.ts'
import type { Topic } from './core/events.ts'
import { monotonicClock, systemClock } from './core/ports/clock.ts'
import { Gateway } from './gateway/gateway.ts'
import { Hub } from './gateway/hub.ts'
import { PlayerTokens } from './gateway/tokens.ts'
import { type Credential, hashToken } from './http/auth.ts'
import { Dispatcher } from './http/dispatcher.ts'
import { createDocsPages } from './http/docs-page.ts'
import { createHealthPages, createRootPage } from './http/health.ts'
import { createOperations } from './http/operations.ts'
import { BodyParser } from './http/parser/body-parser.ts'
import { ClientAddresses } from './listener/client-address.ts'
import { Listener } from './listener/listener.ts'
import { type Logger, ThrottledLog } from './log.ts'
import { Metrics } from './metrics.ts'

export interface Server {
  readonly url: URL
  /** Of management, documents and metrics: the same unless they have a port of their own. */
  readonly adminUrl: URL
  readonly app: App
  /** The master token, when this start has made it. */
  readonly newMasterToken: string | undefined
  /** Answers what is under way, refuses what comes, and leaves everything on disk. */
  stop(): Promise<void>
}

export interface ServerDependencies {
  readonly log: Logger
  /** Called once, when the server can't go on: it refuses writes and is to be stopped. */
  readonly onFailure: (error: Error) => void
  /** Stand in for the parts that the configuration would choose. */
  readonly ports?: Partial<Pick<Ports, 'bus' | 'roster' | 'clock' | 'monotonicClock' | 'compiler'>>
  readonly storage?: Pick<StoreOptions, 'inspectEveryMs' | 'stuckMs' | 'startWorker'>
}

/** The one place where parts are chosen and put together. A start that fails gives back all that it took. */
export async function startServer(config: Config, dependencies: ServerDependencies): Promise<Server> {
  await using opened = new AsyncDisposableStack()
  const adapters = await openAdapters(opened, config, dependencies)
  const { app, gateway, listener } = await createDoors(opened, config, { ...adapters, log: dependencies.log })
  const outages = new ThrottledLog(dependencies.log)
  app.messages.start((err) => outages.warn('the message log is behind', err))
  opened.defer(() => listener.stop())
  const { url, adminUrl } = listener.start(config.listen)
  const running = opened.move()
  const stop = async () => {
    gateway.drain()
    await listener.drain(config.drainMs)
    await running.disposeAsync()
  }
  return { url, adminUrl, app, newMasterToken: adapters.newMasterToken, stop }
}

/** What `opened` holds is closed in the reverse order, by a stop and by a start that fails. */
async function openAdapters(
  opened: AsyncDisposableStack,
  config: Config,
  { log, onFailure, ports, storage }: ServerDependencies,
) {
  const metrics = new Metrics()
  const folder = opened.adopt(DataFolder.open(config.dataDir), (each) => each.close())
  const { databasePath: path, messagesPath, lockPath, isInitialized } = folder
  const observe = (batch: Parameters<Metrics['observeBatch']>[0]) => metrics.observeBatch(batch)
  const files = { path, messagesPath, companions: [lockPath], isInitialized }
  const store = await SqliteStore.open({ ...files, observe, onFailure, ...storage })
  opened.defer(() => store.close())
  folder.markInitialized()
  const clock = ports?.clock ?? systemClock
  const elapsed = ports?.monotonicClock ?? monotonicClock
  const compiler =
    ports?.compiler ??
    new WorkerFilterCompiler({ onFailure: (err) => log.error({ err }, 'no filter was made') })
  opened.defer(() => compiler.close())
  const roster = opened.adopt(ports?.roster ?? new MemoryRoster(elapsed), (each) => each.close())
  const bus = opened.adopt(ports?.bus ?? new MemoryNetwork(elapsed).join(), (each) => each.close())
  const secret = config.playerSecret ?? folder.secret('player-secret').value
  const { gamerIdBytes: idBytes, nicknameBytes: nameBytes } = config.limits
  const tokens = new PlayerTokens(secret, clock, { idBytes, nameBytes })
  return {
    metrics,
    store,
    clock,
    monotonicClock: elapsed,
    compiler,
    roster,
    bus,
    tokens,
    ...masterCredentials(config, folder),
  }
}

type Adapters = Awaited<ReturnType<typeof openAdapters>> & { readonly log: Logger }

async function createDoors(opened: AsyncDisposableStack, config: Config, adapters: Adapters) {
  const { log, metrics, clock, monotonicClock, tokens } = adapters
  const onBackgroundError = (err: unknown) => log.error({ err }, 'a back-test has failed')
  const app = new App({ ...adapters, onBackgroundError }, rulesOf(config))
  const publish = (topic: Topic, text: string) => listener.publish(topic, text)
  const hub = new Hub({ ...adapters, app, publish })
  await app.start((topic, event) => hub.deliver(topic, event))
  opened.defer(() =>
    app.messages.close().catch((err: unknown) => log.error({ err }, 'messages were not logged')),
  )
  opened.defer(() => app.backtests.stop())
  const gateway = new Gateway(
    { ...config.gateway, app, hub, tokens, log, metrics },
    config.gateway,
    monotonicClock,
  )
  opened.defer(() => gateway.stop())
  const operations = createOperations(config.limits)
  const documents = createDocsPages(operations)
  const { bodyBytes } = config.limits
  const onFailure = (err: Error) => log.error({ err }, 'request parsing failed')
  const bodyParser = opened.adopt(new BodyParser({ limits: config.limits, onFailure }), (each) =>
    each.close(),
  )
  const { credentials } = adapters
  const readOnlyPaths = new Set(documents.keys())
  const dispatcher = new Dispatcher(app, {
    ...config,
    operations,
    readOnlyPaths,
    credentials,
    clock,
    monotonicClock,
    bodyBytes,
    bodyParser,
  })
  const isDraining = () => listener.isDraining
  const pages = new Map([
    createRootPage(),
    ...createHealthPages({ metrics, checks: app.checks, isDraining }),
    ...documents,
  ])
  const addresses = new ClientAddresses(config.trustedProxies)
  const listener: Listener = new Listener({ dispatcher, gateway, pages, addresses, log, metrics })
  watchParts(metrics, { ...adapters, app, hub, gateway })
  return { app, gateway, listener }
}

function watchParts(
  metrics: Metrics,
  { store, app, hub, gateway }: { store: SqliteStore; app: App; hub: Hub; gateway: Gateway },
): void {
  metrics.registerCollector(
    'parley_store_queue',
    'Calls that wait for the store or run in it.',
    () => store.queueLength,
  )
  metrics.registerCollector('parley_connections', 'Open player connections.', () => gateway.connections)
  metrics.registerCollector('parley_players', 'Players connected to this node.', () => hub.players)
  metrics.registerCollector(
    'parley_messages_lost_total',
    'Messages missing from the log.',
    () => app.messages.dropped,
  )
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
  chat: { messageBytes: limits.messageBytes, showHits: gateway.showHits },
  reports,
  flood: gateway.flood,
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
