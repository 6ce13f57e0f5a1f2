/**
 * Appends messages to the log of a folder until it is killed, crossing midnight every few batches, and prints the
 * sequence number of the last acknowledged one.
 */
import { MessageIds } from '../../src/core/message-ids.ts'
import { messageFixture } from '../support/message.ts'
import { openMessagesIn } from '../support/message-store.ts'

const [folder = '', startsAt = '0'] = process.argv.slice(2)
const BATCH = 20
const STEP_MS = 30_000_000 / BATCH

const ids = new MessageIds()
const { store } = await openMessagesIn(folder)
await store.openSequences()
let seq = 0
let at = Number(startsAt)
for (;;) {
  const batch = Array.from({ length: BATCH }, () => {
    at += STEP_MS
    return { ...messageFixture(++seq, at), id: ids.next(at) }
  })
  await store.appendMessages(batch)
  process.stdout.write(`${seq}\n`)
}
