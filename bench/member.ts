import type { Socket } from 'bun'
import { type Dialect, SEATED } from './dialects.ts'

export type Delivered = (member: Member, messageNumber: number, at: number) => void
/** Called once, when the server rejects or closes the connection. */
export type Lost = (member: Member, reason: string) => void

const PING = 0x9
const PONG = 0xa
const TEXT = 0x1
const HASH = 0x23
const DIGITS = 8
const SUCCESS = 'HTTP/1.1 101'
/** Dialects inspect no more than this of a frame that is not a delivery. */
const MAX_DECODED_BYTES = 1024
const FILLER = ' who joins us for the raid at the old gate tonight then'

/** 64 characters that start with the message number. */
export const messageText = (n: number) => `#${String(n).padStart(DIGITS, '0')}${FILLER}`

/** One WebSocket connection, which reads only the message number of a delivery. */
export class Member {
  readonly index: number
  received = 0
  /** The sum of received message numbers, which reveals duplicates that hide losses. */
  sum = 0
  readonly #dialect: Dialect
  readonly #start: Buffer
  readonly #delivered: Delivered
  readonly #lost: Lost
  readonly #seated = Promise.withResolvers<void>()
  #socket: Socket<undefined> | undefined
  /** The incomplete frame received so far. */
  #partial: Buffer | undefined
  #isUpgraded = false
  #isLost = false
  /** The offset of the text from the end of a delivery, which is the same for all of them. */
  #fromEnd = 0

  constructor(
    index: number,
    dialect: Dialect,
    delivered: Delivered,
    lost: Lost = (_, reason) => fail(`member ${index}: ${reason}`),
  ) {
    this.index = index
    this.#dialect = dialect
    this.#start = Buffer.from(dialect.deliveryStart)
    this.#delivered = delivered
    this.#lost = lost
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Resolves when it is seated or lost. */
  async connect(port: number): Promise<void> {
    await Bun.connect<undefined>({
      hostname: '127.0.0.1',
      port,
      data: undefined,
      socket: {
        open: (socket) => {
          this.#socket = socket
          const key = 'dGhlIHNhbXBsZSBub25jZQ=='
          this.#write(
            Buffer.from(
              `GET ${this.#dialect.path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
            ),
          )
        },
        data: (_, chunk) => this.#receive(chunk),
        close: () => this.#lose('the server closed the connection'),
        error: (_, error) => fail(error.message),
      },
    })
    await this.#seated.promise
  }

  send(text: string): void {
    this.#write(maskedFrame(TEXT, text))
  }

  /** Drops the connection without a close frame, as a network failure does. */
  disconnect(): void {
    this.#isLost = true
    this.#socket?.terminate()
  }

  #lose(reason: string): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#seated.resolve()
    this.#lost(this, reason)
    this.#socket?.terminate()
  }

  #write(bytes: Buffer): void {
    if (this.#socket?.write(bytes) !== bytes.length) this.#lose('the socket took no more bytes')
  }

  #receive(chunk: Buffer): void {
    const data = this.#partial === undefined ? chunk : Buffer.concat([this.#partial, chunk])
    const now = performance.now()
    let at = this.#isUpgraded ? 0 : this.#upgrade(data)
    while (this.#isUpgraded) {
      if (data.length < at + 2) break
      const short = data[at + 1]! & 0x7f
      const start = at + (short === 127 ? 10 : short === 126 ? 4 : 2)
      if (data.length < start) break
      const length =
        short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : data.readUInt32BE(at + 6)
      if (data.length < start + length) break
      this.#frame(data, at, start, start + length, now)
      at = start + length
    }
    this.#partial = at < data.length ? Buffer.from(data.subarray(at)) : undefined
  }

  /** Returns the offset of the first frame. */
  #upgrade(data: Buffer): number {
    const end = data.indexOf('\r\n\r\n')
    if (end === -1) return 0
    const head = data.toString('latin1', 0, end)
    if (!head.startsWith(SUCCESS)) {
      this.#lose(head)
      return data.length
    }
    this.#isUpgraded = true
    this.#go(this.#dialect.hello(this.index))
    return end + 4
  }

  #frame(data: Buffer, head: number, start: number, end: number, now: number): void {
    const opcode = data[head]! & 0xf
    if (opcode === TEXT && this.#isDelivery(data, start)) {
      const number = this.#number(data, start, end)
      this.received++
      this.sum += number
      this.#delivered(this, number, now)
    } else if (opcode === TEXT) {
      const text = data.toString('utf8', start, Math.min(end, start + MAX_DECODED_BYTES))
      this.#go(this.#dialect.next(this.index, text))
    } else if (opcode === PING) {
      this.#write(maskedFrame(PONG, ''))
    } else this.#lose(`received ${data.toString('latin1', start, end)}`)
  }

  #isDelivery(data: Buffer, start: number): boolean {
    const expected = this.#start
    for (let i = expected.length - 1; i >= 0; i--) if (data[start + i] !== expected[i]) return false
    return true
  }

  #number(data: Buffer, start: number, end: number): number {
    if (data[end - this.#fromEnd] !== HASH) this.#fromEnd = end - data.indexOf(HASH, start)
    const text = end - this.#fromEnd + 1
    let number = 0
    for (let i = text; i < text + DIGITS; i++) number = number * 10 + data[i]! - 48
    return number
  }

  #go(next: string | undefined): void {
    if (next === SEATED) this.#seated.resolve()
    else if (next !== undefined) this.send(next)
  }
}

/** Client frames must be masked. A zero key leaves the text as it is, and the server does the same work. */
function maskedFrame(opcode: number, text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headLength = length < 126 ? 6 : 8
  const frame = Buffer.alloc(headLength + length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (length < 126 ? length : 126)
  if (length >= 126) frame.writeUInt16BE(length, 2)
  frame.write(text, headLength)
  return frame
}

export function fail(why: string): never {
  console.error(why)
  process.exit(1)
}
