/** A Socket.IO server that emits each `say` to the room of all clients. Runs on Node. */
import { createServer } from 'node:http'
import { Server } from 'socket.io'

const http = createServer()
const io = new Server(http, { transports: ['websocket'], serveClient: false })
io.on('connection', (socket) => {
  socket.join('bench')
  socket.on('say', (text) => io.to('bench').emit('message', text))
})
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}`))
