/**
 * The load generator of the HTTP benchmarks, as a process of its own: keeps one request in flight on each connection and
 * prints the result as JSON. Uses raw sockets, so that the driver costs less than the server.
 * Usage: bun bench/load.ts '{"port":4140,"connections":64,"seconds":3,"method":"GET","path":"/"}'
 */
import type { Socket } from 'bun'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly method: string
  readonly path: string
  readonly token: string
  /** `#` is replaced by the request number. */
  readonly body?: string
}

export interface LoadResult {
  readonly responses: number
  readonly failures: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

interface Connection {
  sentAt: number
  /** The incomplete response head received so far. */
  partial: Buffer | undefined
  bodyLeft: number
}

const SUCCESS = 'HTTP/1.1 200'
const LENGTH = /content-length: *(\d+)/i

if (import.meta.main) console.log(JSON.stringify(await drive(JSON.parse(process.argv[2] ?? ''))))

async function drive(load: Load): Promise<LoadResult> {
  const times: number[] = []
  const write = writer(load)
  let sent = 0
  let failures = 0
  const startedAt = performance.now()
  const endAt = startedAt + load.seconds * 1000
  const send = (socket: Socket<Connection>) => {
    socket.data.sentAt = performance.now()
    socket.write(write(sent++))
  }
  const finish = (socket: Socket<Connection>, isSuccess: boolean) => {
    times.push(performance.now() - socket.data.sentAt)
    if (!isSuccess) failures++
    if (performance.now() < endAt) send(socket)
    else socket.end()
  }
  const connect = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    await Bun.connect<Connection>({
      hostname: '127.0.0.1',
      port: load.port,
      data: { sentAt: 0, partial: undefined, bodyLeft: 0 },
      socket: {
        open: send,
        data: (socket, chunk) => receive(socket, chunk, finish),
        close: () => resolve(),
        error: (_, error) => reject(error),
      },
    })
    return promise
  }
  await Promise.all(Array.from({ length: load.connections }, connect))
  return summarize(times, failures, (performance.now() - startedAt) / 1000)
}

/** Renders the n-th request. All but the body is rendered once. */
function writer({ method, path, token, body }: Load): (n: number) => string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json; charset=utf8\r\n`
  if (body === undefined) return () => `${head}\r\n`
  const [before = '', after = ''] = body.split('#')
  const rest = before.length + after.length
  return (n) => {
    const id = String(n)
    return `${head}Content-Length: ${rest + id.length}\r\n\r\n${before}${id}${after}`
  }
}

/** At most one response is pending: the next request is sent after it. */
function receive(
  socket: Socket<Connection>,
  chunk: Buffer,
  finish: (socket: Socket<Connection>, isSuccess: boolean) => void,
): void {
  const state = socket.data
  if (state.bodyLeft > 0) {
    state.bodyLeft -= chunk.length
    if (state.bodyLeft === 0) finish(socket, true)
    return
  }
  const read = state.partial === undefined ? chunk : Buffer.concat([state.partial, chunk])
  const end = read.indexOf('\r\n\r\n')
  state.partial = end === -1 ? read : undefined
  if (end === -1) return
  const head = read.toString('latin1', 0, end)
  state.bodyLeft = Number(LENGTH.exec(head)?.[1] ?? 0) - (read.length - end - 4)
  if (state.bodyLeft === 0) finish(socket, head.startsWith(SUCCESS))
}

function summarize(times: number[], failures: number, seconds: number): LoadResult {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    responses: times.length,
    failures,
    perSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  }
}
