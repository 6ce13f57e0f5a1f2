import { rmSync } from 'node:fs'
import { WorkerFilterCompiler } from '../../src/adapters/filter/compiler.ts'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { messagesPath } from '../../src/adapters/sqlite/data-folder.ts'
import { openStores } from '../../src/adapters/sqlite/stores.ts'
import { readConfig } from '../../src/config.ts'
import { App, type Ports } from '../../src/core/app.ts'
import type { Bus } from '../../src/core/ports/bus.ts'
import { monotonicClock, systemClock } from '../../src/core/ports/clock.ts'
import { FrameTurns } from '../../src/gateway/frame-turns.ts'
import { HistoryEncoder } from '../../src/gateway/frames.ts'
import { Gateway } from '../../src/gateway/gateway.ts'
import { Hub, type SendOutcome, type Socket } from '../../src/gateway/hub.ts'
import type { Session } from '../../src/gateway/session.ts'
import { PlayerTokens } from '../../src/gateway/tokens.ts'
import { createLogger, type Logger } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { rulesOf } from '../../src/server.ts'
import { type Frame, PLAYER_SECRET, signToken } from '../support/player.ts'
import { makeFolder, TOKEN } from '../support/server.ts'

interface Closing {
  readonly code: number
  readonly reason: string
}

/** A connection without a network: records sent frames; the test sets how much is unread. */
export class FakeSocket implements Socket {
  readonly frames: Frame[] = []
  readonly topics = new Set<string>()
  readonly #closed = Promise.withResolvers<Closing>()
  readonly closed = this.#closed.promise
  closedWith: Closing | undefined
  /** Unread bytes. */
  buffered = 0
  /** Unread bytes at which frames are dropped. */
  capacity = Number.POSITIVE_INFINITY
  #changed = Promise.withResolvers<void>()

  send(text: string): SendOutcome {
    if (this.buffered >= this.capacity) return 'dropped'
    this.frames.push(JSON.parse(text))
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
    return this.buffered > 0 ? 'unread' : 'sent'
  }

  close(code: number, reason: string): void {
    this.closedWith ??= { code, reason }
    this.#closed.resolve(this.closedWith)
  }

  subscribe(topic: string): void {
    this.topics.add(topic)
  }

  unsubscribe(topic: string): void {
    this.topics.delete(topic)
  }

  bufferedBytes(): number {
    return this.buffered
  }

  async until(isExpected: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(isExpected)
      if (found !== undefined) return found
      await this.#changed.promise
    }
  }
}

/** A player with a fake socket. */
export class FakePlayer {
  readonly socket = new FakeSocket()
  readonly session: Session
  #nextId = 1

  constructor(gateway: Gateway, address: string) {
    this.session = gateway.open(this.socket, address)
  }

  ask(type: string, fields: object = {}): Promise<Frame> {
    const id = this.#nextId++
    this.session.receive(JSON.stringify({ type, id, ...fields }))
    return this.socket.until((frame) => frame.id === id)
  }

  join(group: string, name?: string): Promise<Frame> {
    return this.ask('join', { channel_group: group, channel_name: name })
  }

  leave(group: string): Promise<Frame> {
    return this.ask('leave', { channel_group: group })
  }

  say(group: string, message: string): Promise<Frame> {
    return this.ask('say', { channel_group: group, message })
  }

  hear(text: string): Promise<Frame> {
    return this.socket.until(({ type, message }) => type === 'message' && message === text)
  }

  get heard(): string[] {
    return this.socket.frames.filter(({ type }) => type === 'message').map(({ message }) => message)
  }
}

/** A node's gateway with all its real parts except the network: sockets are fakes. */
export async function startNode(
  env: Record<string, string> = {},
  /** Replace the node's own; the caller closes them. */
  ports: Partial<Pick<Ports, 'bus' | 'roster' | 'monotonicClock' | 'gapMs'>> & {
    readonly turns?: FrameTurns
    readonly stores?: Pick<Ports, 'factStore' | 'messageStore'>
  } = {},
  log: Logger = createLogger('silent'),
) {
  const folder = makeFolder()
  const config = readConfig({
    flags: {},
    env: { PARLEY_DATA_DIR: folder, PARLEY_MASTER_TOKEN: TOKEN, PARLEY_FLOOD_LIMIT: 'off', ...env },
  })
  const [clock, metrics] = [systemClock, new Metrics()]
  const bus = ports.bus ?? new MemoryNetwork(clock).join()
  const heard = recordTopics(bus)
  const roster = ports.roster ?? new MemorySeats(clock).join()
  const compiler = new WorkerFilterCompiler({ onFailure: fail })
  const { factStore, messageStore } = ports.stores ?? (await openStoresIn(folder))
  const { gamerIdBytes: idBytes, nicknameBytes: nameBytes } = config.limits
  const tokens = new PlayerTokens(PLAYER_SECRET, clock, { idBytes, nameBytes })
  const app = new App(
    {
      clock,
      monotonicClock,
      ...ports,
      factStore,
      messageStore,
      bus,
      roster,
      tokens,
      compiler,
      onBackgroundError: fail,
    },
    rulesOf(config),
  )
  const players: FakePlayer[] = []
  const publish = (topic: string, text: string) => {
    const outcomes = players
      .filter(({ socket }) => socket.topics.has(topic))
      .map(({ socket }) => socket.send(text))
    if (outcomes.some((outcome) => outcome !== 'sent')) gateway.onBackpressure(topic, Buffer.byteLength(text))
  }
  const hub = new Hub({ app, bus, clock, metrics, publish, log, loop: { lagMs: 0 } })
  await app.start((topic, event) => hub.deliver(topic, event))
  const turns = ports.turns ?? new FrameTurns(monotonicClock)
  const history = new HistoryEncoder()
  const options = { ...config.gateway, app, hub, tokens, turns, history, log, metrics }
  const gateway = new Gateway(options, config.gateway)
  return {
    app,
    hub,
    gateway,
    roster,
    /** Topics that this node is subscribed to on the bus. */
    heard,
    /** The value of a metric; `name` is a regular expression that includes its labels. */
    async metric(name: string): Promise<number> {
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await metrics.render())?.[1])
    },
    open(address = '127.0.0.1'): FakePlayer {
      const player = new FakePlayer(gateway, address)
      players.push(player)
      return player
    },
    async connect(id: string): Promise<FakePlayer> {
      const player = this.open()
      const reply = await player.ask('connect', { token: await signToken(id) })
      if (reply.type !== 'connected') throw new Error(JSON.stringify(reply))
      return player
    },
    /** Connections closed by the server, by reason. */
    async disconnects(): Promise<Record<string, number>> {
      return readDisconnects(await metrics.render())
    },
    async [Symbol.asyncDispose]() {
      gateway.stop()
      await app.stop()
      await bus.close()
      if (ports.roster === undefined) await roster.close()
      await compiler.close()
      if (ports.stores === undefined) await Promise.all([factStore.close(), messageStore.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const openStoresIn = (folder: string) =>
  openStores({
    databasePath: `${folder}/parley.db`,
    messagesPath: messagesPath(folder),
    isInitialized: false,
    observe: () => undefined,
    onFailure: fail,
    onDamagedFile: (file) => fail(new Error(file)),
    now: 0,
    // Tests that advance the clock would otherwise make a running batch look stuck.
    stuckMs: Number.POSITIVE_INFINITY,
  })

function recordTopics(bus: Bus): ReadonlySet<string> {
  const topics = new Set<string>()
  const { subscribe, unsubscribe } = bus
  bus.subscribe = (topic) => {
    topics.add(topic)
    return subscribe.call(bus, topic)
  }
  bus.unsubscribe = (topic) => {
    topics.delete(topic)
    return unsubscribe.call(bus, topic)
  }
  return topics
}

export function readDisconnects(metrics: string): Record<string, number> {
  const lines = metrics.matchAll(/^parley_disconnects_total\{reason="(.+)"\} (\d+)$/gm)
  return Object.fromEntries(Array.from(lines, ([, reason = '', count]) => [reason, Number(count)]))
}

function fail(error: unknown): never {
  throw error
}
