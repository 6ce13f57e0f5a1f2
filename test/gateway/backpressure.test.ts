import { expect, test } from 'bun:test'
import type { SendOutcome, Socket } from '../../src/gateway/hub.ts'
import { PlayerSockets, type SocketData } from '../../src/listener/player-sockets.ts'
import { startNode } from './node.ts'
import { RawWebSocket } from './raw-websocket.ts'

test('a send reports that the client has unread bytes before any text is dropped', async () => {
  await using node = await startNode()
  const opened = Promise.withResolvers<Socket>()
  const gateway = {
    open(socket: Socket, address: string) {
      opened.resolve(socket)
      return node.gateway.open(socket, address)
    },
    onClosed: (session: Parameters<typeof node.gateway.onClosed>[0]) => node.gateway.onClosed(session),
  }
  const sockets = new PlayerSockets(gateway, 30)
  await using server = Bun.serve<SocketData>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, each) =>
      each.upgrade(request, { data: { address: '' } }) ? undefined : new Response(null, { status: 400 }),
    websocket: sockets.handler,
  })
  using client = await RawWebSocket.open(server.url.href)
  client.pause()
  const socket = await opened.promise
  // However much the kernel buffers.
  const text = 'x'.repeat(65_536)
  let outcome: SendOutcome = 'sent'
  while (outcome === 'sent') outcome = socket.send(text)
  expect(outcome).toBe('unread')
  while (outcome === 'unread') outcome = socket.send(text)
  expect(outcome).toBe('dropped')
  sockets.stop()
})
