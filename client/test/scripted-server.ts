import { type ClientEvents, type ClientOptions, ParleyClient, type Timers } from '../src/index.ts'

export type WireFrame = Readonly<Record<string, unknown>>

/** A queue whose consumers wait for items that have not arrived yet. */
class AsyncQueue<T> {
  readonly #items: T[] = []
  readonly #takers: ((item: T) => void)[] = []

  put(item: T): void {
    const taker = this.#takers.shift()
    if (taker === undefined) this.#items.push(item)
    else taker(item)
  }

  take(): Promise<T> {
    const item = this.#items.shift()
    return item === undefined ? new Promise((resolve) => this.#takers.push(resolve)) : Promise.resolve(item)
  }

  get size(): number {
    return this.#items.length
  }
}

/** The server side of one connection. */
export class ServerConnection {
  readonly #socket: Bun.ServerWebSocket<ConnectionData>
  readonly frames = new AsyncQueue<WireFrame>()
  readonly closed = Promise.withResolvers<number>()

  constructor(socket: Bun.ServerWebSocket<ConnectionData>) {
    this.#socket = socket
  }

  send(...frames: WireFrame[]): void {
    for (const frame of frames) this.#socket.send(JSON.stringify(frame))
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  close(code: number): void {
    this.#socket.close(code, 'scripted')
  }

  /** Takes the next frame; throws unless it has this type. */
  async expect(type: string): Promise<WireFrame> {
    const frame = await this.frames.take()
    if (frame['type'] !== type) throw new Error(`expected ${type}, got ${JSON.stringify(frame)}`)
    return frame
  }

  /** Takes the next frame and replies to it. */
  async reply(type: string, reply: WireFrame): Promise<WireFrame> {
    const frame = await this.expect(type)
    this.send({ id: frame['id'], ...reply })
    return frame
  }

  accept(): Promise<WireFrame> {
    return this.reply('connect', CONNECTED)
  }
}

interface ConnectionData {
  connection: ServerConnection | undefined
}

/** A gateway scripted by the test. */
export class ScriptedServer {
  readonly connections = new AsyncQueue<ServerConnection>()
  readonly #server: Bun.Server<ConnectionData>

  constructor() {
    this.#server = Bun.serve<ConnectionData>({
      port: 0,
      fetch: (request, server) =>
        server.upgrade(request, { data: { connection: undefined } })
          ? undefined
          : new Response(null, { status: 400 }),
      websocket: {
        open: (socket) => {
          socket.data.connection = new ServerConnection(socket)
          this.connections.put(socket.data.connection)
        },
        message: (socket, text) => socket.data.connection?.frames.put(JSON.parse(String(text))),
        close: (socket, code) => socket.data.connection?.closed.resolve(code),
      },
    })
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}/gateway/v1`
  }

  async accept(): Promise<ServerConnection> {
    const connection = await this.connections.take()
    await connection.accept()
    return connection
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }
}

/** Timers that fire only when the test advances them. */
export class ManualTimers implements Timers {
  #now = 0
  readonly #timers = new Set<{ readonly run: () => void; readonly at: number }>()

  set(run: () => void, ms: number): unknown {
    const timer = { run, at: this.#now + ms }
    this.#timers.add(timer)
    return timer
  }

  clear(timer: unknown): void {
    this.#timers.delete(timer as { run: () => void; at: number })
  }

  get size(): number {
    return this.#timers.size
  }

  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = next.at
      next.run()
    }
    this.#now = end
  }
}

export interface Harness {
  readonly client: ParleyClient
  readonly timers: ManualTimers
  /** Every event so far, as `[name, event]`. */
  readonly events: [keyof ClientEvents, unknown][]
  next<Name extends keyof ClientEvents>(name: Name): Promise<ClientEvents[Name]>
}

export interface ConnectedHarness extends Harness {
  readonly connection: ServerConnection
}

const NAMES = [
  'message',
  'playerJoined',
  'playerLeft',
  'playerCount',
  'banned',
  'banLifted',
  'moved',
  'channelDeleted',
  'messageDeleted',
  'gap',
  'resumed',
  'connected',
  'disconnected',
  'closed',
] as const satisfies (keyof ClientEvents)[]

/** `random` returns 1, so that every backoff waits for its upper bound. */
export function createHarness(server: ScriptedServer, options: Partial<ClientOptions> = {}): Harness {
  const timers = new ManualTimers()
  const client = new ParleyClient({ url: server.url, token: 'token-1', timers, random: () => 1, ...options })
  const events: Harness['events'] = []
  for (const name of NAMES) client.on(name, (event) => events.push([name, event]))
  const next: Harness['next'] = (name) =>
    new Promise((resolve) => {
      const stop = client.on(name, (event) => {
        stop()
        resolve(event)
      })
    })
  return { client, timers, events, next }
}

/** A connected client and the server side of its connection. */
export async function connect(
  server: ScriptedServer,
  options: Partial<ClientOptions> = {},
): Promise<ConnectedHarness> {
  const harness = createHarness(server, options)
  const [connection] = await Promise.all([server.accept(), harness.client.connect()])
  return { ...harness, connection }
}

/** The same, joined to channel number 2 of `global` / `plaza`, where message 7 was the last. */
export async function connectAndJoin(
  server: ScriptedServer,
  options: Partial<ClientOptions> = {},
): Promise<ConnectedHarness> {
  const harness = await connect(server, options)
  await Promise.all([
    harness.connection.reply('join', joined({ seq: 7 })),
    harness.client.join({ channelGroup: 'global' }),
  ])
  return harness
}

/** Drops the connection and accepts the next one. */
export async function reconnect(
  server: ScriptedServer,
  { connection, next, timers }: ConnectedHarness,
  code = 1011,
): Promise<ServerConnection> {
  const lost = next('disconnected')
  connection.close(code)
  timers.advance((await lost).retryInMs)
  return server.accept()
}

export const CONNECTED = {
  type: 'connected',
  session_id: 's-1',
  gamer_id: 'p-1',
  gamer_name: 'Ann',
  language: 'en',
  ban: null,
}
export const CHANNEL = { channel_group: 'global', channel_name: 'plaza', channel_id: 2 }
/** The same in the names of the SDK. */
export const CHANNEL_REF = { channelGroup: 'global', channelName: 'plaza', channelId: 2 }
export const ANN = { gamer_id: 'p-1', gamer_name: 'Ann' }

export const joined = (fields: WireFrame = {}): WireFrame => ({
  type: 'joined',
  ...CHANNEL,
  max_count: 50,
  players: [ANN],
  player_count: 1,
  messages: [],
  seq: 0,
  epoch: 'e-1',
  ...fields,
})

export const message = (seq: number, fields: WireFrame = {}): WireFrame => ({
  type: 'message',
  ...CHANNEL,
  seq,
  message_id: `m-${seq}`,
  ...ANN,
  message: `text ${seq}`,
  time: '2026-11-15T03:00:00Z',
  system: false,
  ...fields,
})
