import { afterEach, beforeEach, expect, test } from 'bun:test'
import { joined, type Line, message, Peer, type Rig, sit } from './peer.ts'

const KEPT = 1000

let peer: Peer
beforeEach(() => {
  peer = new Peer()
})
afterEach(() => peer.stop())

/** Loses the connection and comes back; what is sent now comes before the answer to `resume`. */
async function comeBack({ line, next, timers }: Rig & { line: Line }) {
  const lost = next('disconnected')
  line.close(1011)
  timers.advance((await lost).retryInMs)
  const again = await peer.accept()
  return { line: again, asked: await again.expect('resume') }
}

const seqs = ({ events }: Rig) =>
  events.flatMap(([name, event]) => (name === 'message' ? [(event as { seq: number }).seq] : []))

test('at most a thousand pushes wait for the answer that gives the seat; the loss is told', async () => {
  const made = await sit(peer)
  const { line, asked } = await comeBack(made)
  for (let seq = 8; seq <= 7 + KEPT + 50; seq++) line.send(message(seq))
  const lifted = made.next('banLifted')
  line.send(joined({ id: asked['id'], seq: 7, recovered: true }), { type: 'ban_lifted' })
  await lifted
  expect(seqs(made)).toEqual(Array.from({ length: KEPT }, (_, index) => 58 + index))
  expect(made.events.filter(([name]) => name === 'gap').length).toBe(1)
})

test('a thousand pushes are all delivered once the seat is there, and none twice', async () => {
  const made = await sit(peer)
  const { line, asked } = await comeBack(made)
  for (let seq = 8; seq <= 7 + KEPT; seq++) line.send(message(seq))
  const lifted = made.next('banLifted')
  line.send(joined({ id: asked['id'], seq: 7, recovered: true }), { type: 'ban_lifted' })
  await lifted
  expect(seqs(made)).toEqual(Array.from({ length: KEPT }, (_, index) => 8 + index))
  expect(made.events.filter(([name]) => name === 'gap')).toEqual([])
})

test('pushes of a connection that was lost before the answer are dropped', async () => {
  const made = await sit(peer)
  const first = await comeBack(made)
  first.line.send(message(9))
  const { line, asked } = await comeBack({ ...made, line: first.line })
  const lifted = made.next('banLifted')
  line.send(
    joined({ id: asked['id'], seq: 8, messages: [{ ...message(8), type: undefined }], recovered: true }),
  )
  line.send({ type: 'ban_lifted' })
  await lifted
  expect(seqs(made)).toEqual([8])
})
