/** The fact store's worker, except that banning the player "stuck" hangs it and "dead" crashes it. */
import '../../src/adapters/sqlite/facts/worker.ts'
import { type Envelope, unpack } from '../../src/adapters/sqlite/envelope.ts'

declare const self: Worker

const work = self.onmessage
self.onmessage = (event: MessageEvent<Envelope>) => {
  const { json } = unpack(event.data)
  if (json.includes('"stuck"')) for (;;);
  if (json.includes('"dead"')) throw new Error('broken')
  work?.call(self, event)
}
