/** The store's thread, until it is asked to ban the player "stuck", which hangs it, or "dead", which ends it. */
import '../../src/adapters/sqlite/worker.ts'
import { type Envelope, unpack } from '../../src/adapters/sqlite/envelope.ts'

declare const self: Worker

const work = self.onmessage
self.onmessage = (event: MessageEvent<Envelope>) => {
  const { json } = unpack(event.data)
  if (json.includes('"stuck"')) for (;;);
  if (json.includes('"dead"')) throw new Error('broken')
  work?.call(self, event)
}
