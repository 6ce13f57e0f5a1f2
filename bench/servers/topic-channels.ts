/** The least a chat with channels can do: a client names its channel once, and its texts go to that channel's topic. */
interface Client {
  channel: string | undefined
}

const server = Bun.serve<Client>({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, self) =>
    self.upgrade(request, { data: { channel: undefined } }) ? undefined : new Response('', { status: 400 }),
  websocket: {
    data: {} as Client,
    message: (ws, text) => {
      if (ws.data.channel !== undefined) {
        server.publish(ws.data.channel, text)
        return
      }
      ws.data.channel = String(text)
      ws.subscribe(ws.data.channel)
      ws.send('joined')
    },
  },
})
console.log(server.url.href)
