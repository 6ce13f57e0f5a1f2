import type { Socket } from 'bun'
import { TOKEN } from './support.ts'

const CONNECTIONS = 32

export interface PacedWrites {
  /** Resolves to the achieved rate. Throws if a response was not 200. */
  stop(): Promise<number>
}

/** Bans offline players at a fixed rate, over sockets of its own. */
export async function startWrites(port: number, perSecond: number): Promise<PacedWrites> {
  const free: Socket<undefined>[] = []
  let sent = 0
  let responses = 0
  let failures = 0
  const handlers = {
    data: (socket: Socket<undefined>, chunk: Buffer) => {
      const head = chunk.toString('latin1', 0, 12)
      if (!head.startsWith('HTTP/1.1')) return
      responses++
      if (head !== 'HTTP/1.1 200') failures++
      free.push(socket)
    },
  }
  const connect = () =>
    Bun.connect<undefined>({ hostname: '127.0.0.1', port, data: undefined, socket: handlers })
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, connect))
  free.push(...sockets)
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    while (sent < due && free.length > 0) free.shift()?.write(request(sent++))
  }, 1)
  const stop = async () => {
    clearInterval(timer)
    const seconds = (performance.now() - startedAt) / 1000
    for (const socket of sockets) socket.end()
    if (failures > 0) throw new Error(`${failures} writes failed`)
    return responses / seconds
  }
  return { stop }
}

function request(n: number): string {
  const body = `{"gamer_id":"absent-${n}","days":3}`
  return `PUT /chat/v1/block_user_chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json; charset=utf8\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
