import net from 'node:net'
import { type Frame, signToken } from '../support/player.ts'

export const OP = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** The connection ended without a close frame. */
export const NO_CLOSE_FRAME = 1006
/** The close frame had no code. */
export const NO_CODE = 1005

export const GATEWAY = '/gateway/v1'

export interface FrameOptions {
  readonly isLast?: boolean
  readonly reserved?: number
  readonly mask?: Uint8Array
  /** Declared instead of the real payload length, in the 64-bit form. */
  readonly length?: bigint
}

/** Encodes a masked frame, as a client sends it. */
export function encodeFrame(opcode: number, payload: Uint8Array, options: FrameOptions = {}): Buffer {
  const { isLast = true, reserved = 0, mask = Buffer.of(0x37, 0xfa, 0x21, 0x3d), length } = options
  const size = length ?? BigInt(payload.length)
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  const head = Buffer.alloc(
    size < 126n && length === undefined ? 2 : size < 65_536n && length === undefined ? 4 : 10,
  )
  head[0] = first
  if (head.length === 2) head[1] = 0x80 | Number(size)
  if (head.length === 4) {
    head[1] = 0x80 | 126
    head.writeUInt16BE(Number(size), 2)
  }
  if (head.length === 10) {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(size, 2)
  }
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
}

export interface Received {
  readonly opcode: number
  readonly payload: Buffer
}

/** A WebSocket client on a bare TCP socket: controls every byte and can stop reading. */
export class RawWebSocket implements Disposable {
  readonly #socket: net.Socket
  #pending: Buffer = Buffer.alloc(0)
  #isUpgraded = false
  #changed = Promise.withResolvers<void>()
  readonly #status = Promise.withResolvers<number>()
  readonly received: Received[] = []
  /** HTTP status of the handshake; 0 if the connection closed before a response. */
  readonly status = this.#status.promise
  /** Set when the connection is closed. */
  closeCode: number | undefined
  fault: string | undefined

  private constructor(socket: net.Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
      if (!this.#isUpgraded) this.#readHandshake()
      if (this.#isUpgraded) this.#readFrames()
      this.#wake()
    })
    // A reset arrives as an error; the close event follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const payload = this.received.find(({ opcode }) => opcode === OP.close)?.payload
      this.closeCode =
        payload === undefined ? NO_CLOSE_FRAME : payload.length < 2 ? NO_CODE : payload.readUInt16BE(0)
      this.#status.resolve(0)
      this.#wake()
    })
  }

  /** Sends the handshake and resolves when the server has responded, with any status. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<RawWebSocket> {
    const { hostname, port } = new URL(url)
    const client = new RawWebSocket(net.connect({ host: hostname, port: Number(port) }))
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    client.write(
      Buffer.from(
        `GET ${GATEWAY} HTTP/1.1\r\nHost: parley\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${lines.join('')}\r\n`,
      ),
    )
    await client.status
    return client
  }

  write(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes)
  }

  send(fields: object): void {
    this.write(encodeFrame(OP.text, Buffer.from(JSON.stringify(fields))))
  }

  async ask(fields: {
    readonly type: string
    readonly id: number
    readonly [key: string]: unknown
  }): Promise<Frame> {
    this.send(fields)
    const isReply = (frame: Frame) => frame.id === fields.id
    await this.until(() => this.isClosed || this.frames().some(isReply))
    return this.frames().find(isReply)
  }

  get localPort(): number {
    return this.#socket.localPort ?? 0
  }

  get isClosed(): boolean {
    return this.closeCode !== undefined
  }

  frames(): Frame[] {
    return this.received
      .filter(({ opcode }) => opcode === OP.text)
      .map(({ payload }) => JSON.parse(payload.toString()))
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#changed.promise
  }

  async closed(): Promise<number> {
    await this.until(() => this.isClosed)
    return this.closeCode ?? 0
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  #readHandshake(): void {
    const end = this.#pending.indexOf('\r\n\r\n')
    if (end === -1) return
    const status = Number(this.#pending.toString('latin1', 9, 12))
    this.#isUpgraded = status === 101
    this.#pending = this.#pending.subarray(end + 4)
    this.#status.resolve(status)
  }

  /** Records frames that a server must not send as a fault: masked, with reserved bits, fragmented. */
  #readFrames(): void {
    for (;;) {
      const bytes = this.#pending
      if (bytes.length < 2) return
      const short = bytes[1]! & 0x7f
      const head = short === 127 ? 10 : short === 126 ? 4 : 2
      if (bytes.length < head) return
      const size =
        short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short
      if (bytes.length < head + size) return
      if ((bytes[0]! & 0xf0) !== 0x80 || (bytes[1]! & 0x80) !== 0)
        this.fault ??= `frame head ${bytes.toString('hex', 0, 2)}`
      this.received.push({ opcode: bytes[0]! & 0x0f, payload: bytes.subarray(head, head + size) })
      this.#pending = bytes.subarray(head + size)
    }
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** Joins the channel and stops reading. */
export async function joinWithoutReading(url: string, id: string, channel: object): Promise<RawWebSocket> {
  const client = await RawWebSocket.open(url)
  await client.ask({ type: 'connect', id: 1, token: await signToken(id) })
  const reply = await client.ask({ type: 'join', id: 2, ...channel })
  if (reply.type !== 'joined') throw new Error(`${id}: ${JSON.stringify(reply)}`)
  client.pause()
  return client
}
