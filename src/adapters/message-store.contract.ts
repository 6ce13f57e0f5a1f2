import { describe, expect, test } from 'bun:test'
import { messageFixture as message, messageId, NOW } from '../../test/support/message.ts'
import { type CreateHarness, useStore } from '../../test/support/store.ts'
import type { LoggedMessage, SequencedMessage } from '../core/model.ts'
import type { MessageStore } from '../core/ports/message-store.ts'

const DAY_MS = 86_400_000
/** The start of a day in UTC. */
const MIDNIGHT = Math.ceil(NOW / DAY_MS) * DAY_MS
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Tests the contract of `MessageStore`. */
export function testMessageStore(name: string, createHarness: CreateHarness<MessageStore>): void {
  describe(`${name} satisfies the MessageStore contract`, () => {
    let store: MessageStore
    const reopen = useStore(createHarness, (opened: MessageStore) => {
      store = opened
    })
    const idOf = (seq: number) => message(seq).id
    const seqsOf = (messages: readonly SequencedMessage[] = []) => messages.map(({ seq }) => seq)
    const textsOf = (messages: readonly SequencedMessage[]) => messages.map(({ text }) => text)
    /** One message per day, from the day before `MIDNIGHT` on. */
    const daily = (seq: number) => message(seq, MIDNIGHT + (seq - 2) * DAY_MS + 1000)
    const prune = async (before: number, maxBytes = NO_LIMIT) =>
      (await store.pruneMessages({ before, maxBytes })).dropped

    describe('sequences', () => {
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
        await store.deleteMessage(idOf(5), NOW + 1)
        await store.deleteMessage(idOf(1), NOW + 2)
        const sequence = await read()
        expect(sequence).toMatchObject({ seq: 6, since: 1, retracted: [idOf(5), idOf(1)] })
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
        expect(await store.readLastChatTimes(asked)).toEqual([
          NOW + 5,
          undefined,
          NOW + 3,
          NOW + 4,
          undefined,
        ])
        expect(await store.readLastChatTimes([])).toEqual([])
      })

      test('are dropped with their last messages', async () => {
        await store.openSequences()
        await store.appendMessages([daily(1), daily(2)])
        await prune(MIDNIGHT)
        expect(await read()).toMatchObject({ seq: 2, since: 1 })
        expect(await store.readLastChatTimes([shard])).toEqual([daily(2).at])
        await prune(MIDNIGHT + DAY_MS)
        expect(await read()).toBeUndefined()
        expect(await store.readLastChatTimes([shard])).toEqual([undefined])
      })
    })

    describe('messages', () => {
      test('are found by id, with the messages around them in their channel number', async () => {
        await store.appendMessages(Array.from({ length: 30 }, (_, index) => message(index + 1)))
        await store.appendMessages([{ ...message(99), epoch: 'another' }])
        expect(await store.findMessage(idOf(7))).toEqual(message(7))
        expect(await store.findMessage('none')).toBeUndefined()
        expect(await store.findMessage(messageId(NOW + 7, '9000-000000000000'))).toBeUndefined()
        expect(await store.findMessage(messageId(NOW - 10 * DAY_MS))).toBeUndefined()
        expect(seqsOf(await store.listAround(message(12), 3))).toEqual([9, 10, 11, 12, 13, 14, 15])
        expect(seqsOf(await store.listAround(message(1), 2))).toEqual([1, 2, 3])
      })

      test('around a message are found on other days', async () => {
        for (const seq of [1, 2, 3, 4, 5]) await store.appendMessages([daily(seq)])
        expect(seqsOf(await store.listAround(daily(3), 1))).toEqual([2, 3, 4])
        expect(seqsOf(await store.listAround(daily(1), 10))).toEqual([1, 2, 3, 4, 5])
        expect(seqsOf(await store.listAround(daily(5), 2))).toEqual([3, 4, 5])
      })

      test('appended twice are stored once, also in batches of several days', async () => {
        const last = message(1, MIDNIGHT - 1)
        const first = message(2, MIDNIGHT)
        await store.appendMessages([last])
        await store.appendMessages([last, first])
        await store.appendMessages([last, first])
        expect(seqsOf(await store.listAround(last, 5))).toEqual([1, 2])
        expect(await store.countMessages(0, 100)).toBe(2)
      })

      test('whose ids share a time and a counter are all stored', async () => {
        const same = ['8', '9', 'a'].map((digit, index) => ({
          ...message(index + 1),
          at: NOW,
          id: messageId(NOW, `${digit}000-000000000000`),
        }))
        await store.appendMessages(same)
        await store.appendMessages(same)
        for (const each of same) expect(await store.findMessage(each.id)).toEqual(each)
        expect(await store.countMessages(NOW, 100)).toBe(3)
        expect(await listAll(2)).toEqual([[3, 2], [1], []])
      })

      test('keep their own time when the clock was set back', async () => {
        const late = { ...message(1), id: messageId(NOW + 5000), at: NOW - 3_600_000 }
        await store.appendMessages([late])
        expect(await store.findMessage(late.id)).toEqual(late)
        expect(await store.listMessages({ since: NOW, before: undefined, limit: 5 })).toEqual([late])
      })

      test('of the system have no player and no language', async () => {
        const said = { ...message(1), player: undefined, language: undefined }
        await store.appendMessages([said])
        expect(await store.findMessage(said.id)).toEqual(said)
      })

      test('keep their text, original and filter hits', async () => {
        const hits = [{ start: 0, end: 2, expression: '욕*', language: 'ko' }]
        const masked = { ...message(1), hits }
        const plain = { ...message(2), original: 'text 2' }
        await store.appendMessages([masked, plain])
        expect(await store.findMessage(masked.id)).toEqual(masked)
        expect(await store.findMessage(plain.id)).toEqual(plain)
      })

      const listAll = async (limit: number, since = NOW) => {
        const pages: number[][] = []
        let before: LoggedMessage | undefined
        do {
          const page: LoggedMessage[] = await store.listMessages({ since, before, limit })
          pages.push(seqsOf(page))
          before = page.at(-1)
        } while (before !== undefined)
        return pages
      }

      test('since a time are listed newest first, in pages, also those of one millisecond', async () => {
        const messages = Array.from({ length: 10 }, (_, index) => message(index + 1))
        const sameTime = ['a', 'b'].map((digit, index) => ({
          ...message(51 + index),
          at: NOW + 5,
          id: messageId(NOW + 5, `${digit}000-000000000000`),
        }))
        await store.appendMessages([...messages, ...sameTime])
        expect(await listAll(2, NOW + 3)).toEqual([[10, 9], [8, 7], [6, 52], [51, 5], [4, 3], []])
        const [newest] = await store.listMessages({ since: NOW, before: undefined, limit: 1 })
        expect(newest).toEqual(message(10))
      })

      test('are listed and counted across days', async () => {
        for (const seq of [1, 2, 3, 4, 5, 6]) await store.appendMessages([daily(seq)])
        expect(await listAll(4, 0)).toEqual([[6, 5, 4, 3], [2, 1], []])
        expect(await listAll(10, daily(2).at)).toEqual([[6, 5, 4, 3, 2], []])
        expect(await listAll(10, daily(2).at + 1)).toEqual([[6, 5, 4, 3], []])
        expect(await store.countMessages(daily(2).at, 100)).toBe(5)
        expect(await store.countMessages(daily(2).at + 1, 100)).toBe(4)
        expect(await store.countMessages(0, 3)).toBe(3)
      })

      test('since a time are counted, up to a limit', async () => {
        await store.appendMessages(Array.from({ length: 10 }, (_, index) => message(index + 1)))
        expect(await store.countMessages(NOW + 4, 100)).toBe(7)
        expect(await store.countMessages(NOW, 5)).toBe(5)
        expect(await store.countMessages(NOW + 11, 5)).toBe(0)
      })

      test('that were deleted are kept as such, with the time of the first deletion', async () => {
        await store.appendMessages([message(1), message(2)])
        const deleted = { ...message(1), deletedAt: NOW + 10 }
        expect(await store.deleteMessage(idOf(1), NOW + 10)).toEqual(deleted)
        expect(await store.deleteMessage(idOf(1), NOW + 20)).toEqual(deleted)
        await store.appendMessages([message(1)])
        await reopen()
        expect(await store.findMessage(idOf(1))).toEqual(deleted)
        expect(await store.listAround(message(2), 5)).toEqual([deleted, message(2)])
      })

      test('of an earlier day can be deleted', async () => {
        await store.openSequences()
        for (const seq of [1, 2, 3, 4]) await store.appendMessages([daily(seq)])
        expect(await store.deleteMessage(daily(1).id, NOW)).toEqual({ ...daily(1), deletedAt: NOW })
        expect((await store.findMessage(daily(1).id))?.deletedAt).toBe(NOW)
        const sequence = await store.readSequence(daily(1).shard, 10)
        expect([seqsOf(sequence?.messages), sequence?.retracted]).toEqual([[2, 3, 4], [daily(1).id]])
      })

      test('that are unknown cannot be deleted', async () => {
        await store.appendMessages([message(1)])
        expect(await store.deleteMessage('none', NOW)).toBeUndefined()
        expect(await store.deleteMessage(idOf(2), NOW)).toBeUndefined()
        expect(await store.deleteMessage(messageId(NOW - 10 * DAY_MS), NOW)).toBeUndefined()
      })
    })

    describe('retention', () => {
      test('drops whole days that have expired', async () => {
        for (const seq of [1, 2, 3]) await store.appendMessages([daily(seq)])
        expect(await prune(MIDNIGHT - 1)).toEqual([])
        const dropped = await prune(MIDNIGHT + DAY_MS)
        expect(dropped).toMatchObject([
          { name: '2027-01-15', reason: 'age', isNewest: false },
          { name: '2027-01-16', reason: 'age', isNewest: false },
        ])
        expect(await prune(MIDNIGHT + DAY_MS)).toEqual([])
        expect(textsOf(await store.listAround(daily(3), 10))).toEqual(['text 3'])
        expect(await store.findMessage(daily(1).id)).toBeUndefined()
        expect(await store.countMessages(0, 10)).toBe(1)
      })

      test('drops the oldest days of a log that is too large, and reports when nothing is left', async () => {
        for (const seq of [1, 2, 3]) await store.appendMessages([daily(seq)])
        const all = await prune(0, 0)
        expect(all).toMatchObject([
          { name: '2027-01-15', reason: 'size', isNewest: false },
          { name: '2027-01-16', reason: 'size', isNewest: false },
          { name: '2027-01-17', reason: 'size', isNewest: true },
        ])
        expect(await store.countMessages(0, 10)).toBe(0)
        for (const seq of [1, 2, 3]) await store.appendMessages([daily(seq)])
        const newestOnly = all[2]?.bytes ?? 0
        expect(await prune(0, 2 * newestOnly)).toMatchObject([{ name: '2027-01-15', reason: 'size' }])
        expect(seqsOf(await store.listMessages({ since: 0, before: undefined, limit: 5 }))).toEqual([3, 2])
      })

      test('measures the size of the days that are left', async () => {
        const measure = async (before = 0) =>
          (await store.pruneMessages({ before, maxBytes: NO_LIMIT })).bytes
        expect(await measure()).toBe(0)
        for (const seq of [1, 2, 3]) await store.appendMessages([daily(seq)])
        const all = await measure()
        const left = await measure(MIDNIGHT + DAY_MS)
        expect(left).toBeGreaterThan(0)
        expect(left).toBeLessThan(all)
        expect(await measure()).toBe(left)
      })

      test('accepts messages of a day that was dropped', async () => {
        await store.appendMessages([daily(1)])
        await prune(0, 0)
        await store.appendMessages([daily(1), daily(2)])
        expect(seqsOf(await store.listAround(daily(1), 5))).toEqual([1, 2])
      })
    })

    test('check resolves while the store is open; a closed store is unavailable', async () => {
      await store.check()
      await store.close()
      const rejected = await store.appendMessages([message(1)]).catch((thrown: unknown) => thrown)
      expect(rejected).toMatchObject({ kind: 'unavailable' })
      expect(await store.findMessage(idOf(1)).catch((thrown: unknown) => thrown)).toMatchObject({
        kind: 'unavailable',
      })
      expect(await store.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(Error)
    })
  })
}
