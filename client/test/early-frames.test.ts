import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  type ConnectedHarness,
  connectAndJoin,
  type Harness,
  joined,
  message,
  ScriptedServer,
} from './scripted-server.ts'

const BUFFER_LIMIT = 1000

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

/** Drops the connection and accepts the next one, up to its `resume` request, which is left without a reply. */
async function reconnect({ connection, next, timers }: ConnectedHarness) {
  const lost = next('disconnected')
  connection.close(1011)
  timers.advance((await lost).retryInMs)
  const again = await server.accept()
  return { connection: again, resume: await again.expect('resume') }
}

const seqs = ({ events }: Harness) =>
  events.flatMap(([name, event]) => (name === 'message' ? [(event as { seq: number }).seq] : []))

test('buffers at most 1,000 pushes until the reply to resume, and emits a gap for the rest', async () => {
  const harness = await connectAndJoin(server)
  const { connection, resume } = await reconnect(harness)
  for (let seq = 8; seq <= 7 + BUFFER_LIMIT + 50; seq++) connection.send(message(seq))
  const lifted = harness.next('banLifted')
  connection.send(joined({ id: resume['id'], seq: 7, recovered: true }), { type: 'ban_lifted' })
  await lifted
  expect(seqs(harness)).toEqual(Array.from({ length: BUFFER_LIMIT }, (_, index) => 58 + index))
  expect(harness.events.filter(([name]) => name === 'gap').length).toBe(1)
})

test('delivers 1,000 buffered pushes once resumed, without duplicates', async () => {
  const harness = await connectAndJoin(server)
  const { connection, resume } = await reconnect(harness)
  for (let seq = 8; seq <= 7 + BUFFER_LIMIT; seq++) connection.send(message(seq))
  const lifted = harness.next('banLifted')
  connection.send(joined({ id: resume['id'], seq: 7, recovered: true }), { type: 'ban_lifted' })
  await lifted
  expect(seqs(harness)).toEqual(Array.from({ length: BUFFER_LIMIT }, (_, index) => 8 + index))
  expect(harness.events.filter(([name]) => name === 'gap')).toEqual([])
})

test('drops pushes of a connection lost before the reply', async () => {
  const harness = await connectAndJoin(server)
  const first = await reconnect(harness)
  first.connection.send(message(9))
  const { connection, resume } = await reconnect({ ...harness, connection: first.connection })
  const lifted = harness.next('banLifted')
  connection.send(
    joined({ id: resume['id'], seq: 8, messages: [{ ...message(8), type: undefined }], recovered: true }),
  )
  connection.send({ type: 'ban_lifted' })
  await lifted
  expect(seqs(harness)).toEqual([8])
})
