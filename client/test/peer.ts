import { type ClientOptions, type Events, ParleyClient, type Timers } from '../src/index.ts'

export type Wire = Readonly<Record<string, unknown>>

/** What has come and what is waited for, whichever is first. */
class Mailbox<T> {
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

/** One connection, seen from the server. */
export class Line {
  readonly #socket: Bun.ServerWebSocket<LineData>
  readonly frames = new Mailbox<Wire>()
  readonly closed = Promise.withResolvers<number>()

  constructor(socket: Bun.ServerWebSocket<LineData>) {
    this.#socket = socket
  }

  send(...frames: Wire[]): void {
    for (const frame of frames) this.#socket.send(JSON.stringify(frame))
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  close(code: number): void {
    this.#socket.close(code, 'scripted')
  }

  /** Takes the next frame, which must be of this type. */
  async expect(type: string): Promise<Wire> {
    const frame = await this.frames.take()
    if (frame['type'] !== type) throw new Error(`expected ${type}, got ${JSON.stringify(frame)}`)
    return frame
  }

  /** Takes the next frame and answers it. */
  async answer(type: string, answer: Wire): Promise<Wire> {
    const frame = await this.expect(type)
    this.send({ id: frame['id'], ...answer })
    return frame
  }

  accept(): Promise<Wire> {
    return this.answer('connect', CONNECTED)
  }
}

interface LineData {
  line: Line | undefined
}

/** A server that does what the test tells it. */
export class Peer {
  readonly lines = new Mailbox<Line>()
  readonly #server: Bun.Server<LineData>

  constructor() {
    this.#server = Bun.serve<LineData>({
      port: 0,
      fetch: (request, server) =>
        server.upgrade(request, { data: { line: undefined } })
          ? undefined
          : new Response(null, { status: 400 }),
      websocket: {
        open: (socket) => {
          socket.data.line = new Line(socket)
          this.lines.put(socket.data.line)
        },
        message: (socket, text) => socket.data.line?.frames.put(JSON.parse(String(text))),
        close: (socket, code) => socket.data.line?.closed.resolve(code),
      },
    })
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}/gateway/v1`
  }

  async accept(): Promise<Line> {
    const line = await this.lines.take()
    await line.accept()
    return line
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }
}

/** Time passes when the test says so. */
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

export interface Rig {
  readonly client: ParleyClient
  readonly timers: ManualTimers
  /** Every event so far, as `[name, event]`. */
  readonly events: [keyof Events, unknown][]
  next<Name extends keyof Events>(name: Name): Promise<Events[Name]>
}

const NAMES = [
  'message',
  'playerJoined',
  'playerLeft',
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
] as const satisfies (keyof Events)[]

/** `random` gives 1, so that a back-off waits for the whole of its bound. */
export function rig(peer: Peer, options: Partial<ClientOptions> = {}): Rig {
  const timers = new ManualTimers()
  const client = new ParleyClient({ url: peer.url, token: 'token-1', timers, random: () => 1, ...options })
  const events: Rig['events'] = []
  for (const name of NAMES) client.on(name, (event) => events.push([name, event]))
  const next: Rig['next'] = (name) =>
    new Promise((resolve) => {
      const stop = client.on(name, (event) => {
        stop()
        resolve(event)
      })
    })
  return { client, timers, events, next }
}

/** A client that is connected, and its connection. */
export async function connect(
  peer: Peer,
  options: Partial<ClientOptions> = {},
): Promise<Rig & { line: Line }> {
  const made = rig(peer, options)
  const [line] = await Promise.all([peer.accept(), made.client.connect()])
  return { ...made, line }
}

/** The same, seated in `global / plaza / 2` where message 7 was the last. */
export async function sit(peer: Peer, options: Partial<ClientOptions> = {}): Promise<Rig & { line: Line }> {
  const made = await connect(peer, options)
  await Promise.all([
    made.line.answer('join', joined({ seq: 7 })),
    made.client.join({ channelGroup: 'global' }),
  ])
  return made
}

export const CONNECTED = {
  type: 'connected',
  session_id: 's-1',
  gamer_id: 'p-1',
  gamer_name: 'Ann',
  language: 'en',
  ban: null,
}
export const PLACE = { channel_group: 'global', channel_name: 'plaza', channel_id: 2 }
export const ANN = { gamer_id: 'p-1', gamer_name: 'Ann' }

export const joined = (fields: Wire = {}): Wire => ({
  type: 'joined',
  ...PLACE,
  max_count: 50,
  players: [ANN],
  messages: [],
  seq: 0,
  epoch: 'e-1',
  ...fields,
})

export const message = (seq: number, fields: Wire = {}): Wire => ({
  type: 'message',
  ...PLACE,
  seq,
  message_id: `m-${seq}`,
  ...ANN,
  message: `text ${seq}`,
  time: '2026-11-15T03:00:00Z',
  system: false,
  ...fields,
})
