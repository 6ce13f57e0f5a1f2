import { type Frame, signToken } from '../support/player.ts'
import { GATEWAY } from './raw-websocket.ts'

const MESSAGE = /^\{"type":"message",.*?"seq":(\d+)/

/** A player that stores little of what it receives, for tests with hundreds of players. */
export class LightPlayer implements Disposable {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: Frame) => void>()
  #nextId = 1
  /** Sequence numbers of the received messages in order of arrival, including those in `joined`. */
  seqs: number[] = []
  readonly pushes: Frame[] = []
  readonly closed: Promise<number>
  #changed = Promise.withResolvers<void>()

  readonly id: string

  private constructor(id: string, socket: WebSocket) {
    this.id = id
    this.#socket = socket
    const { promise, resolve } = Promise.withResolvers<number>()
    this.closed = promise
    socket.onmessage = ({ data }) => this.#receive(String(data))
    socket.onclose = ({ code }) => {
      for (const reply of this.#waiting.values()) reply({ type: 'closed', code })
      resolve(code)
      this.#wake()
    }
  }

  static async connect(url: string, id: string): Promise<LightPlayer> {
    const token = await signToken(id)
    const socket = new WebSocket(new URL(GATEWAY, url.replace('http', 'ws')).href)
    const member = new LightPlayer(id, socket)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error(`The connection of ${id} was refused.`))
    })
    const reply = await member.ask('connect', { token })
    if (reply.type !== 'connected') throw new Error(`${id}: ${JSON.stringify(reply)}`)
    return member
  }

  static async join(url: string, id: string, channel: object): Promise<LightPlayer> {
    const player = await LightPlayer.connect(url, id)
    const reply = await player.ask('join', channel)
    if (reply.type !== 'joined') throw new Error(`${id}: ${JSON.stringify(reply)}`)
    return player
  }

  /** Resolves to `{ type: 'closed' }` if the connection closes before the reply. */
  ask(type: string, fields: object = {}): Promise<Frame> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.resolve({ type: 'closed' })
    const id = this.#nextId++
    const { promise, resolve } = Promise.withResolvers<Frame>()
    this.#waiting.set(id, resolve)
    this.#socket.send(JSON.stringify({ type, id, ...fields }))
    return promise
  }

  get lastSeq(): number {
    return this.seqs.at(-1) ?? 0
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error(`${this.id} was closed.`)
      await this.#changed.promise
    }
  }

  terminate(): void {
    this.#socket.terminate()
  }

  [Symbol.dispose](): void {
    this.#socket.terminate()
  }

  #receive(text: string): void {
    const seq = MESSAGE.exec(text)?.[1]
    if (seq === undefined) this.#take(JSON.parse(text))
    else this.seqs.push(Number(seq))
    this.#wake()
  }

  #take(frame: Frame): void {
    if (frame.type === 'joined') {
      // Pushes may overtake the reply; drop those it contains.
      const overtaking = this.seqs.filter((seq) => seq > frame.seq)
      this.seqs = [...frame.messages.map((each: Frame) => each.seq), ...overtaking]
    }
    if (frame.id === undefined) {
      if (!frame.type.startsWith('player_')) this.pushes.push(frame)
      return
    }
    this.#waiting.get(frame.id)?.(frame)
    this.#waiting.delete(frame.id)
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** Returns the pairs of neighbours that do not increase by one. */
export const findGaps = (seqs: readonly number[]) =>
  seqs.flatMap((seq, index) => (index > 0 && seq !== seqs[index - 1]! + 1 ? [[seqs[index - 1], seq]] : []))
