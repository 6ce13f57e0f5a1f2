import { SignJWT } from 'jose'

export const PLAYER_SECRET = 'test-player-secret-of-43-characters-xxxxxxx'

export function signToken(
  id: string,
  claims: { name?: string; lang?: string; exp?: number } = {},
  secret = PLAYER_SECRET,
): Promise<string> {
  const { exp = Math.floor(Date.now() / 1000) + 3600, ...rest } = { name: `Name of ${id}`, ...claims }
  return new SignJWT(rest)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setExpirationTime(exp)
    .sign(new TextEncoder().encode(secret))
}

// biome-ignore lint/suspicious/noExplicitAny: tests inspect frames of every shape
export type Frame = any

/** A player on a plain WebSocket that sends frames and awaits expected ones. */
export class TestPlayer implements Disposable {
  readonly #socket: WebSocket
  readonly frames: Frame[] = []
  #changed = Promise.withResolvers<void>()
  #nextId = 1
  readonly closed: Promise<{ code: number; reason: string }>

  private constructor(socket: WebSocket) {
    this.#socket = socket
    const { promise, resolve } = Promise.withResolvers<{ code: number; reason: string }>()
    this.closed = promise
    socket.onmessage = ({ data }) => {
      this.frames.push(JSON.parse(String(data)))
      this.#wake()
    }
    socket.onclose = ({ code, reason }) => {
      resolve({ code, reason })
      this.#wake()
    }
  }

  static async open(url: string, options: { headers?: Record<string, string> } = {}): Promise<TestPlayer> {
    const socket = new WebSocket(new URL('/gateway/v1', url.replace('http', 'ws')).href, options as never)
    const player = new TestPlayer(socket)
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error('The connection was refused.'))
    })
    return player
  }

  /** Opens a connection and authenticates. */
  static async connect(
    url: string,
    id: string,
    claims: Parameters<typeof signToken>[1] = {},
  ): Promise<TestPlayer> {
    const player = await TestPlayer.open(url)
    const reply = await player.ask('connect', { token: await signToken(id, claims) })
    if (reply.type !== 'connected') throw new Error(JSON.stringify(reply))
    return player
  }

  sendText(text: string | Uint8Array): void {
    this.#socket.send(text)
  }

  /** Sends a frame and resolves to the reply. */
  async ask(type: string, fields: object = {}): Promise<Frame> {
    const id = this.#nextId++
    this.sendText(JSON.stringify({ type, id, ...fields }))
    return await this.until((frame) => frame.id === id)
  }

  join(group: string, name?: string, number?: number): Promise<Frame> {
    return this.ask('join', { channel_group: group, channel_name: name, channel_id: number })
  }

  say(group: string, message: string): Promise<Frame> {
    return this.ask('say', { channel_group: group, message })
  }

  /** Resolves to the first frame of a type, received already or later. */
  push(type: string): Promise<Frame> {
    return this.until((frame) => frame.type === type)
  }

  /** Resolves to the `message` frame with this text. */
  hear(text: string): Promise<Frame> {
    return this.until(({ type, message }) => type === 'message' && message === text)
  }

  async until(isExpected: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(isExpected)
      if (found !== undefined) return found
      if (this.#socket.readyState === WebSocket.CLOSED) {
        throw new Error(
          `Closed with ${JSON.stringify(await this.closed)} after ${JSON.stringify(this.frames.slice(-5))}`,
        )
      }
      await this.#changed.promise
    }
  }

  /** Texts of the received messages, in order. */
  get heard(): string[] {
    return this.frames.filter(({ type }) => type === 'message').map(({ message }) => message)
  }

  close(): void {
    this.#socket.close()
  }

  [Symbol.dispose](): void {
    this.#socket.terminate()
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
