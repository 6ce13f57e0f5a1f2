/** A minimal server: compares the header and returns the bytes of argv[2]. */
import { TOKEN } from '../support.ts'

const expected = `Bearer ${TOKEN}`
const body = process.argv[2] ?? ''

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) =>
    request.headers.get('authorization') === expected
      ? new Response(body, { headers: { 'Content-Type': 'application/json; charset=utf-8' } })
      : new Response('', { status: 400 }),
})
console.log(server.url.href)
