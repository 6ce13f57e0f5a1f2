import { readFileSync } from 'node:fs'
import net from 'node:net'
import { type Frame, PLAYER_SECRET } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'

export const OP = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A connection that ended without a close frame. */
export const NO_CLOSE_FRAME = 1006
/** A close frame without a code. */
export const NO_CODE = 1005

export const GATEWAY = '/gateway/v1'

export const spawnGateway = (folder: string, env: Record<string, string> = {}) =>
  spawnServer(folder, {
    PARLEY_PLAYER_SECRET: PLAYER_SECRET,
    PARLEY_FLOOD_LIMIT: 'off',
    PARLEY_CONNECTIONS_PER_SECOND: '100000',
    PARLEY_CONNECTIONS_PER_ADDRESS: '0',
    PARLEY_PENDING_PER_ADDRESS: '0',
    ...env,
  })

export interface FrameOptions {
  readonly isLast?: boolean
  readonly reserved?: number
  readonly mask?: Uint8Array
  /** Announced instead of the payload's own, in the widest form. */
  readonly length?: bigint
}

/** The bytes of a frame as a client sends it. */
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

/** A player at a TCP socket, who decides about every byte and may stop reading. */
export class RawWebSocket implements Disposable {
  readonly #socket: net.Socket
  #pending: Buffer = Buffer.alloc(0)
  #isUpgraded = false
  #changed = Promise.withResolvers<void>()
  readonly #status = Promise.withResolvers<number>()
  readonly received: Received[] = []
  /** The answer to the handshake, 0 when there was none. */
  readonly status = this.#status.promise
  /** Set when the connection has ended. */
  closeCode: number | undefined
  fault: string | undefined

  private constructor(socket: net.Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
      if (!this.#isUpgraded) this.#readHead()
      if (this.#isUpgraded) this.#readFrames()
      this.#wake()
    })
    // A cut is seen as an error or as an end; both close.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const payload = this.received.find(({ opcode }) => opcode === OP.close)?.payload
      this.closeCode =
        payload === undefined ? NO_CLOSE_FRAME : payload.length < 2 ? NO_CODE : payload.readUInt16BE(0)
      this.#status.resolve(0)
      this.#wake()
    })
  }

  /** Sends the handshake. Resolves when the server has answered it, in whatever way. */
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
    const isAnswer = (frame: Frame) => frame.id === fields.id
    await this.until(() => this.isClosed || this.frames().some(isAnswer))
    return this.frames().find(isAnswer)
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

  #readHead(): void {
    const end = this.#pending.indexOf('\r\n\r\n')
    if (end === -1) return
    const status = Number(this.#pending.toString('latin1', 9, 12))
    this.#isUpgraded = status === 101
    this.#pending = this.#pending.subarray(end + 4)
    this.#status.resolve(status)
  }

  /** What a server must not send is noted as a fault: masks, reserved bits, fragments. */
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

export const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** The sum of a metric over its labels. */
export async function readMetric(server: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', server.url))).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

export async function createChannel(
  server: ServerProcess,
  group: string,
  name: string,
  settings: object = {},
) {
  const body = { channel_group: group, channel_name: name, ...settings }
  const { status, text } = await server.call('PUT', '/open_channels', { body })
  if (status !== 200) throw new Error(`${status}: ${text}`)
}

/** Bytes that the kernel holds of what a server has sent to these clients. */
export function kernelQueue(url: string, clientPorts: readonly number[]): number {
  const ports = new Set(clientPorts)
  const own = Number(new URL(url).port)
  const lines = readFileSync('/proc/net/tcp', 'utf8').matchAll(
    / 0100007F:(\w{4}) 0100007F:(\w{4}) \w\w (\w{8}):/g,
  )
  return lines
    .map((line) => line.slice(1).map((hex) => Number.parseInt(hex, 16)))
    .filter(([local, remote]) => local === own && ports.has(remote!))
    .reduce((sum, [, , queued]) => sum + queued!, 0)
}
