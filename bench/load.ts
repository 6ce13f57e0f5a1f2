import type { Socket } from 'bun'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The bytes of the n-th request. */
  readonly request: (n: number) => Uint8Array | string
}

export interface LoadResult {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly failures: number
}

interface Connection {
  sentAt: number
  buffered: string
  bodyLeft: number
}

/** Keeps one request under way on each connection. Raw sockets, so that the driver costs less than the server. */
export async function drive({ port, connections, seconds, request }: Load): Promise<LoadResult> {
  const times: number[] = []
  let sent = 0
  let failures = 0
  const endAt = performance.now() + seconds * 1000
  const closed: Promise<void>[] = []
  const send = (socket: Socket<Connection>) => {
    socket.data.sentAt = performance.now()
    socket.write(request(sent++))
  }
  const finish = (socket: Socket<Connection>, ok: boolean) => {
    times.push(performance.now() - socket.data.sentAt)
    if (!ok) failures++
    if (performance.now() < endAt) send(socket)
    else socket.end()
  }
  for (let i = 0; i < connections; i++) {
    const { promise, resolve } = Promise.withResolvers<void>()
    closed.push(promise)
    await Bun.connect<Connection>({
      hostname: '127.0.0.1',
      port,
      data: { sentAt: 0, buffered: '', bodyLeft: 0 },
      socket: {
        open: send,
        data: (socket, chunk) => receive(socket, chunk, finish),
        close: () => resolve(),
        error: () => {
          failures++
          resolve()
        },
      },
    })
  }
  const startedAt = endAt - seconds * 1000
  await Promise.all(closed)
  const elapsed = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    answers: times.length,
    perSecond: times.length / elapsed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    failures,
  }
}

/** Answers never come in more than one at a time, since no request is sent before the last answer. */
function receive(
  socket: Socket<Connection>,
  chunk: Buffer,
  finish: (socket: Socket<Connection>, ok: boolean) => void,
) {
  const state = socket.data
  if (state.bodyLeft > 0) {
    state.bodyLeft -= chunk.length
    if (state.bodyLeft === 0) finish(socket, true)
    return
  }
  const text = state.buffered + chunk.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) {
    state.buffered = text
    return
  }
  state.buffered = ''
  const length = Number(/content-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
  const left = length - (text.length - end - 4)
  if (left > 0) {
    state.bodyLeft = left
    return
  }
  finish(socket, text.startsWith('HTTP/1.1 200'))
}
