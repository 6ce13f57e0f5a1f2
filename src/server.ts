import { WorkerFilterCompiler } from './adapters/filter/compiler.ts'
import { MemoryNetwork } from './adapters/memory/bus.ts'
import { MemorySeats } from './adapters/memory/roster.ts'
import { DataFolder } from './adapters/sqlite/data-folder.ts'
import { openStores, type StoresOptions } from './adapters/sqlite/stores.ts'
import type { Config } from './config.ts'
import { App, type Ports, type Rules } from './core/app.ts'
import { monotonicClock, systemClock } from './core/ports/clock.ts'
import type { DroppedMessages } from './core/ports/message-store.ts'
import { FrameTurns } from './gateway/frame-turns.ts'
import { HistoryEncoder } from './gateway/frames.ts'
import { Gateway } from './gateway/gateway.ts'
import { Hub } from './gateway/hub.ts'
import { LoopMonitor } from './gateway/loop-monitor.ts'
import { PlayerTokens } from './gateway/tokens.ts'
import { Authenticator, type Credential, hashToken } from './http/authenticator.ts'
import { BodyParser } from './http/body/body-parser.ts'
import { Dispatcher } from './http/dispatcher.ts'
import { createDocsPages } from './http/docs/docs-pages.ts'
import { createOperations } from './http/operations.ts'
import { createHealthPages, createRootPage } from './http/pages/health.ts'
import type { Pages } from './http/pages/page.ts'
import { Broadcaster } from './listener/broadcaster.ts'
import { ClientAddresses } from './listener/client-address.ts'
import { Listener } from './listener/listener.ts'
import { type Logger, ThrottledLog } from './log.ts'
import { Metrics } from './metrics.ts'

export interface Server {
  readonly url: URL
  /** Address of the management API, documentation and metrics; equals `url` unless they have a separate port. */
  readonly adminUrl: URL
  readonly app: App
  /** Set when this start generated the master token. */
  readonly newMasterToken: string | undefined
  /** Completes requests in flight, rejects new ones and persists everything. */
  stop(): Promise<void>
}

export interface ServerDependencies {
  readonly log: Logger
  /** Called once, after an unrecoverable failure: writes are rejected and the server should be stopped. */
  readonly onFailure: (error: Error) => void
  /** Override the adapters chosen by the configuration. */
  readonly ports?: Partial<Pick<Ports, 'bus' | 'roster' | 'clock' | 'monotonicClock' | 'compiler'>>
  /** Served in addition to the server's own pages. */
  readonly pages?: Pages
  readonly storage?: Pick<StoresOptions, 'inspectEveryMs' | 'stuckMs' | 'startWorker'>
}

/** Composes and starts the server. A failed start releases everything it acquired. */
export async function startServer(config: Config, dependencies: ServerDependencies): Promise<Server> {
  const { log } = dependencies
  await using opened = new AsyncDisposableStack()
  const adapters = { ...(await openAdapters(opened, config, dependencies)), log }
  const chat = await startChat(opened, config, adapters)
  const { app, gateway } = chat
  const draining = new AbortController()
  const http = createHttp(opened, config, { ...adapters, app, draining: draining.signal })
  const pages = new Map([...http.pages, ...(dependencies.pages ?? [])])
  const addresses = new ClientAddresses(config.trustedProxies)
  const listener = new Listener({ ...adapters, ...chat, ...http, pages, addresses, draining })
  registerCollectors({ ...adapters, ...chat })
  const throttled = new ThrottledLog(log)
  app.messages.start({
    onFailure: (err) => throttled.warn('message log is falling behind', err),
    onDropped: (dropped) => logDropped(log, dropped),
  })
  opened.defer(() => listener.stop())
  const { url, adminUrl } = listener.start(config.listen)
  const running = opened.move()
  const stop = async () => {
    // The listener rejects new connections as soon as its draining begins.
    await Promise.all([gateway.drain(), listener.drain(config.drainMs)])
    await running.disposeAsync()
  }
  return { url, adminUrl, app, newMasterToken: adapters.newMasterToken, stop }
}

/** Everything in `opened` is closed in reverse order, on stop and on a failed start. */
async function openAdapters(
  opened: AsyncDisposableStack,
  config: Config,
  { log, onFailure, ports, storage }: ServerDependencies,
) {
  const metrics = new Metrics()
  const folder = opened.adopt(DataFolder.open(config.dataDir), (each) => each.close())
  const { databasePath, messagesPath, lockPath, isInitialized } = folder
  const observe = (batch: Parameters<Metrics['observeBatch']>[0]) => metrics.observeBatch(batch)
  const files = { databasePath, messagesPath, companions: [lockPath], isInitialized }
  const clock = ports?.clock ?? systemClock
  const onDamagedFile = (file: string) => log.error({ file }, 'message log: skipped a damaged file')
  const failed = new AbortController()
  const onStoreFailure = (error: Error) => {
    failed.abort(error)
    onFailure(error)
  }
  const events = { observe, onFailure: onStoreFailure, onDamagedFile }
  const stores = await openStores({ ...files, ...events, now: clock(), ...storage })
  opened.defer(() => stores.messageStore.close())
  opened.defer(() => stores.factStore.close())
  folder.markInitialized()
  const elapsed = ports?.monotonicClock ?? monotonicClock
  const onCompilerFailure = (err: Error) => log.error({ err }, 'filter compilation failed')
  const compiler = ports?.compiler ?? new WorkerFilterCompiler({ onFailure: onCompilerFailure })
  opened.defer(() => compiler.close())
  const roster = opened.adopt(ports?.roster ?? new MemorySeats(elapsed).join(), (each) => each.close())
  const bus = opened.adopt(ports?.bus ?? new MemoryNetwork(elapsed).join(), (each) => each.close())
  const secret = config.playerSecret ?? folder.secret('player-secret').value
  const { gamerIdBytes: idBytes, nicknameBytes: nameBytes } = config.limits
  const tokens = new PlayerTokens(secret, clock, { idBytes, nameBytes })
  const credentials = masterCredentials(config, folder)
  const time = { clock, monotonicClock: elapsed }
  return { metrics, ...stores, failed: failed.signal, ...time, compiler, roster, bus, tokens, ...credentials }
}

type Adapters = Awaited<ReturnType<typeof openAdapters>> & { readonly log: Logger }

/** Starts the core and the gateway in front of it. */
async function startChat(opened: AsyncDisposableStack, config: Config, adapters: Adapters) {
  const { log, metrics, monotonicClock, tokens, failed } = adapters
  const onBackgroundError = (err: unknown) => log.error({ err }, 'background task failed')
  const app = new App({ ...adapters, onBackgroundError }, rulesOf(config))
  const broadcaster = new Broadcaster()
  const turns = new FrameTurns(monotonicClock)
  const loop = new LoopMonitor(log, monotonicClock, turns)
  loop.start()
  opened.defer(() => loop.stop())
  const hub = new Hub({ ...adapters, app, loop, publish: (topic, text) => broadcaster.publish(topic, text) })
  await app.start((topic, event) => hub.deliver(topic, event))
  const onFlushError = (err: unknown) => {
    // The failure of a store was reported when it stopped the server.
    if (!failed.aborted) log.error({ err }, 'message log flush failed')
  }
  opened.defer(() => app.messages.close().catch(onFlushError))
  opened.defer(() => app.stop())
  const gateway = new Gateway(
    { ...config.gateway, app, hub, tokens, turns, history: new HistoryEncoder(), log, metrics },
    config.gateway,
    monotonicClock,
  )
  opened.defer(() => gateway.stop())
  return { app, broadcaster, hub, gateway, loop }
}

/** Creates the management API and the pages served beside it. */
function createHttp(
  opened: AsyncDisposableStack,
  config: Config,
  adapters: Adapters & { readonly app: App; readonly draining: AbortSignal },
) {
  const { app, draining, log, metrics, clock, monotonicClock, credentials } = adapters
  const { limits } = config
  const operations = createOperations(limits)
  const documents = createDocsPages(operations)
  const onFailure = (err: Error) => log.error({ err }, 'request parsing failed')
  const bodyParser = opened.adopt(new BodyParser({ limits, onFailure }), (each) => each.close())
  const dispatcher = new Dispatcher(app, {
    ...config,
    operations,
    readOnlyPaths: new Set(documents.keys()),
    authenticator: new Authenticator(credentials),
    clock,
    monotonicClock,
    bodyBytes: limits.bodyBytes,
    bodyParser,
  })
  const isDraining = () => draining.aborted
  const health = createHealthPages({ metrics, checks: app.checks, isDraining })
  return { dispatcher, pages: new Map([createRootPage(), ...health, ...documents]) }
}

/** Age is the normal end of a day. Any other loss of messages deserves attention, most of all that of the whole log. */
function logDropped(log: Logger, dropped: readonly DroppedMessages[]): void {
  const expired = dropped.filter(({ reason }) => reason === 'age').map(({ name }) => name)
  const excess = dropped.filter(({ reason }) => reason === 'size')
  if (expired.length > 0) log.info({ days: expired }, 'message log: dropped expired days')
  if (excess.length === 0) return
  const days = excess.map(({ name }) => name)
  if (excess.some(({ isNewest }) => isNewest))
    log.error({ days }, 'message log: today alone exceeds PARLEY_MESSAGE_LOG_MB; dropped all messages')
  else log.warn({ days }, 'message log: exceeds PARLEY_MESSAGE_LOG_MB; dropped the oldest days')
}

function registerCollectors(dependencies: {
  readonly metrics: Metrics
  readonly factStore: Adapters['factStore']
  readonly messageStore: Adapters['messageStore']
  readonly app: App
  readonly hub: Hub
  readonly gateway: Gateway
  readonly loop: LoopMonitor
}): void {
  const { metrics, factStore, messageStore, app, hub, gateway, loop } = dependencies
  metrics.registerCollector(
    'parley_store_queue',
    'Store calls that are queued or running.',
    () => factStore.queueLength + messageStore.queueLength,
  )
  metrics.registerCollector('parley_connections', 'Open player connections.', () => gateway.connections)
  metrics.registerCollector(
    'parley_event_loop_lag_seconds',
    'How late the event loop runs its timers and handles frames, as a moving average.',
    () => loop.lagMs / 1000,
  )
  metrics.registerCollector(
    'parley_outbox_window_seconds',
    'How long broadcasts of a channel are coalesced. Widens when the event loop lags.',
    () => hub.windowMs / 1000,
  )
  metrics.registerCollector('parley_players', 'Players connected to this node.', () => hub.players)
  metrics.registerCollector(
    'parley_messages_lost_total',
    'Messages that could not be written to the message log.',
    () => app.messages.dropped,
  )
  metrics.registerCollector(
    'parley_message_log_bytes',
    'Size of the message log on disk, measured every minute.',
    () => app.messages.bytes,
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
  messageLog: { days: limits.messageDays, bytes: limits.messageLogBytes },
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
