/** A minimal chat server: publishes every text to the one topic that all clients subscribe to. */
const TOPIC = 'bench'

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 400 })),
  websocket: {
    open: (ws) => {
      ws.subscribe(TOPIC)
    },
    message: (_, text) => {
      server.publish(TOPIC, text)
    },
  },
})
console.log(server.url.href)
