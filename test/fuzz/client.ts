import net from 'node:net'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** A request as sent on the wire; `fetch` would normalize too much of it. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  /** Latin-1, as bytes. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array | undefined
  readonly chunked: boolean
}

export interface WireResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const DEADLINE_MS = 30_000
const HEAD_END = Buffer.from('\r\n\r\n')

/** Sends HTTP/1.1 over keep-alive connections, one request at a time on each. */
export class WireClient {
  readonly #port: number
  readonly #idle = new Set<net.Socket>()

  constructor(url: string) {
    this.#port = Number(new URL(url).port)
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const socket = this.#take()
    const response = await exchange(socket, serialize(request), request.method === 'HEAD')
    if (socket.closed || endsConnection(request) || response.headers.get('connection') === 'close')
      socket.destroy()
    else this.#idle.add(socket)
    return response
  }

  /** Sends bytes and ends the stream; resolves to everything received once the connection closes. */
  sendRaw(bytes: Uint8Array): Promise<string> {
    return new Promise((resolve, reject) => {
      let received = ''
      const socket = net.connect(this.#port, '127.0.0.1', () => socket.end(bytes))
      const timer = setTimeout(() => {
        reject(new Error('the connection is still open after 30 s'))
        socket.destroy()
      }, DEADLINE_MS)
      socket.on('data', (data) => {
        received += data.toString('latin1')
      })
      // A reset closes the connection too.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearTimeout(timer)
        resolve(received)
      })
    })
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy()
  }

  #take(): net.Socket {
    for (const socket of this.#idle) {
      this.#idle.delete(socket)
      if (!socket.destroyed && socket.readable) return socket
    }
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.on('close', () => this.#idle.delete(socket))
    socket.on('error', () => undefined)
    return socket
  }
}

/** Bun treats a connection as a tunnel after CONNECT, whatever the response. */
const endsConnection = ({ method, headers }: WireRequest) =>
  method === 'CONNECT' || headers.some(([name]) => /^(connection|upgrade)$/i.test(name))

export function serialize({ method, target, headers, body, chunked }: WireRequest): Buffer {
  const framing =
    body === undefined
      ? ''
      : chunked
        ? 'Transfer-Encoding: chunked\r\n'
        : `Content-Length: ${body.length}\r\n`
  const host = headers.some(([name]) => name === 'Host') ? '' : 'Host: localhost\r\n'
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n`),
    Buffer.from(`${host}${lines}${framing}\r\n`, 'latin1'),
    ...(body === undefined ? [] : chunked ? inChunks(body) : [body]),
  ])
}

/** Two chunks, so that the server has to join them. */
const inChunks = (body: Uint8Array): Uint8Array[] => {
  const middle = Math.floor(body.length / 2)
  const chunks = [body.subarray(0, middle), body.subarray(middle)].filter((chunk) => chunk.length > 0)
  return [
    ...chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]
}

/** Truncated for error messages. */
export const show = (request: WireRequest) =>
  JSON.stringify(serialize(request).toString('latin1').slice(0, 2000))

function exchange(socket: net.Socket, bytes: Buffer, isHead: boolean): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const finish = () => {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose)
    }
    const fail = (why: string) => {
      finish()
      socket.destroy()
      reject(new Error(`${why}; received ${JSON.stringify(received.toString('latin1').slice(0, 500))}`))
    }
    const timer = setTimeout(() => fail('no response'), DEADLINE_MS)
    const onData = (data: Buffer) => {
      received = received.length === 0 ? data : Buffer.concat([received, data])
      const parsed = parseResponse(received, isHead)
      if (parsed === undefined) return
      if (parsed.rest > 0) return fail('more than one response')
      finish()
      resolve(parsed.response)
    }
    const onClose = () => fail('closed before the response was complete')
    socket.on('data', onData).on('close', onClose)
    socket.write(bytes)
  })
}

function parseResponse(bytes: Buffer, isHead: boolean): { response: WireResponse; rest: number } | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  const start = end + HEAD_END.length
  if (status < 200) return parseResponse(bytes.subarray(start), isHead)
  const headers = new Map(lines.map((line) => splitHeader(line)))
  const isEmpty = isHead || status === 204 || status === 304
  const payload = bytes.subarray(start)
  const isChunked = !isEmpty && headers.get('transfer-encoding') === 'chunked'
  const length = isEmpty ? 0 : Number(headers.get('content-length'))
  const read = isChunked ? readChunks(payload) : { body: payload.subarray(0, length), size: length }
  if (read === undefined || payload.length < read.size) return undefined
  const coding = isEmpty ? undefined : headers.get('content-encoding')
  const body = decode(read.body, coding).toString('utf8')
  return { response: { status, headers, body }, rest: payload.length - read.size }
}

function decode(body: Buffer, coding: string | undefined): Buffer {
  switch (coding) {
    case undefined:
      return body
    case 'gzip':
      return gunzipSync(body)
    case 'zstd':
      return zstdDecompressSync(body)
    default:
      throw new Error(`unexpected content coding ${coding}`)
  }
}

/** The decoded body and its encoded size; undefined while it is incomplete. */
function readChunks(bytes: Buffer): { body: Buffer; size: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end === -1) return undefined
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16)
    const next = end + 2 + length + 2
    if (Number.isNaN(length) || next > bytes.length) return undefined
    if (length === 0) return { body: Buffer.concat(chunks), size: next }
    chunks.push(bytes.subarray(end + 2, next - 2))
    at = next
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
