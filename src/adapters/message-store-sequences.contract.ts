import { describe, expect, test } from 'bun:test'
import {
  DAY_MS,
  dailyMessage as daily,
  MIDNIGHT,
  messageFixture as message,
  messageId,
  NOW,
  seqsOf,
} from '../../test/support/message.ts'
import { type CreateHarness, useStore } from '../../test/support/store.ts'
import type { MessageStore } from '../core/ports/message-store.ts'

const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Tests the part of the `MessageStore` contract that concerns sequences. */
export function testSequences(createHarness: CreateHarness<MessageStore>): void {
  describe('sequences', () => {
    let store: MessageStore
    const reopen = useStore(createHarness, (opened: MessageStore) => {
      store = opened
    })
    const { shard } = message(1)
    const say = (...seqs: number[]) => store.appendMessages(seqs.map((seq) => message(seq)))
    const read = () => store.readSequence(shard, 5)
    /** A stop and the next start. */
    const restart = async (stop: 'clean' | 'crash') => {
      if (stop === 'clean') await store.sealSequences()
      await reopen()
      return store.openSequences()
    }

    test('continue after a clean stop, not after a crash', async () => {
      const first = await store.openSequences()
      await say(1, 2)
      expect(await restart('clean')).toBe(first)
      expect(await read()).toMatchObject({ epoch: 'e', seq: 2, since: 0 })
      expect(await restart('crash')).not.toBe(first)
      expect(await read()).toBeUndefined()
      await store.appendMessages([{ ...message(1), id: messageId(NOW + 50), epoch: 'f' }])
      expect(await read()).toMatchObject({ epoch: 'f', seq: 1 })
    })

    test('do not continue after a crash that followed a clean stop, even if no message was sent', async () => {
      await store.openSequences()
      await say(1)
      await restart('clean')
      await restart('crash')
      expect(await read()).toBeUndefined()
    })

    test('are complete if the clock was set back over midnight', async () => {
      await store.openSequences()
      const fast = message(2, MIDNIGHT + 60_000)
      await store.appendMessages([message(1, MIDNIGHT - 120_000), fast])
      // Ids ascend while the process runs, and follow the clock again after a restart.
      await store.appendMessages([{ ...message(3, MIDNIGHT - 110_000), id: messageId(MIDNIGHT + 60_001) }])
      expect(seqsOf((await read())?.messages)).toEqual([1, 2, 3])
      await restart('clean')
      await store.appendMessages([4, 5].map((seq) => message(seq, MIDNIGHT - 100_000 + seq)))
      await restart('clean')
      expect(await read()).toMatchObject({ seq: 5, since: 0 })
      expect(seqsOf((await read())?.messages)).toEqual([1, 2, 3, 4, 5])
      for (const around of [message(1, MIDNIGHT - 120_000), fast, message(5, MIDNIGHT - 99_995)])
        expect(seqsOf(await store.listAround(around, 9))).toEqual([1, 2, 3, 4, 5])
    })

    test('return their newest messages, oldest first', async () => {
      await store.openSequences()
      await say(1, 2, 3)
      await say(4, 5, 6, 7)
      const sequence = await read()
      expect(sequence).toMatchObject({ epoch: 'e', seq: 7, since: 2, retracted: [] })
      expect(seqsOf(sequence?.messages)).toEqual([3, 4, 5, 6, 7])
      expect(sequence?.messages[0]).toMatchObject({ shard, text: 'text 3', original: 'original 3' })
    })

    test('return messages across days and a restart', async () => {
      await store.openSequences()
      for (const seq of [1, 2, 3]) await store.appendMessages([daily(seq)])
      await store.appendMessages([daily(4), daily(5)])
      await restart('clean')
      expect(seqsOf((await store.readSequence(shard, 3))?.messages)).toEqual([3, 4, 5])
      expect(seqsOf((await store.readSequence(shard, 50))?.messages)).toEqual([1, 2, 3, 4, 5])
    })

    test('list the deleted messages and leave them out', async () => {
      await store.openSequences()
      await say(1, 2, 3, 4, 5, 6)
      await store.deleteMessage(message(5).id, NOW + 1)
      await store.deleteMessage(message(1).id, NOW + 2)
      const sequence = await read()
      expect(sequence).toMatchObject({ seq: 6, since: 1, retracted: [message(5).id, message(1).id] })
      expect(seqsOf(sequence?.messages)).toEqual([2, 3, 4, 6])
    })

    test('claim no messages before a gap', async () => {
      await store.openSequences()
      await say(1, 2, 4, 5)
      const sequence = await read()
      expect(sequence).toMatchObject({ seq: 5, since: 3 })
      expect(seqsOf(sequence?.messages)).toEqual([4, 5])
    })

    test('are separate for each channel number and incarnation', async () => {
      await store.openSequences()
      await say(1)
      expect(await store.readSequence({ ...shard, number: 2 }, 5)).toBeUndefined()
      expect(await store.readSequence({ ...shard, incarnation: 2 }, 5)).toBeUndefined()
    })

    test('know when a player last sent a message, also after a crash', async () => {
      await store.openSequences()
      const place = (name: string, number: number) => ({ ...shard, name, number })
      const at = (name: string, number: number, time: number) => ({
        ...message(time),
        shard: place(name, number),
      })
      await store.appendMessages([at('b', 1, 3), { ...at('b', 1, 9), player: undefined }, at('a', 2, 4)])
      await store.appendMessages([{ ...at('c', 1, 6), player: undefined }, at('a', 1, 5)])
      await store.appendMessages([{ ...at('a', 2, 8), player: undefined }])
      await restart('crash')
      const asked = [place('a', 1), place('c', 1), place('b', 1), place('a', 2), place('none', 1)]
      expect(await store.readLastChatTimes(asked)).toEqual([NOW + 5, undefined, NOW + 3, NOW + 4, undefined])
      expect(await store.readLastChatTimes([])).toEqual([])
    })

    test('are dropped with their last messages', async () => {
      await store.openSequences()
      await store.appendMessages([daily(1), daily(2)])
      await store.pruneMessages({ before: MIDNIGHT, maxBytes: NO_LIMIT })
      expect(await read()).toMatchObject({ seq: 2, since: 1 })
      expect(await store.readLastChatTimes([shard])).toEqual([daily(2).at])
      await store.pruneMessages({ before: MIDNIGHT + DAY_MS, maxBytes: NO_LIMIT })
      expect(await read()).toBeUndefined()
      expect(await store.readLastChatTimes([shard])).toEqual([undefined])
    })
  })
}
