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
import type { LoggedMessage, SequencedMessage } from '../core/model.ts'
import type { MessageStore } from '../core/ports/message-store.ts'
import { testSequences } from './message-store-sequences.contract.ts'

const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Tests the contract of `MessageStore`. */
export function testMessageStore(name: string, createHarness: CreateHarness<MessageStore>): void {
  describe(`${name} satisfies the MessageStore contract`, () => {
    testSequences(createHarness)
    describe('the log', () => {
      let store: MessageStore
      const reopen = useStore(createHarness, (opened: MessageStore) => {
        store = opened
      })
      const textsOf = (messages: readonly SequencedMessage[]) => messages.map(({ text }) => text)
      const prune = async (before: number, maxBytes = NO_LIMIT) =>
        (await store.pruneMessages({ before, maxBytes })).dropped

      describe('messages', () => {
        test('are found by id, with the messages around them in their channel number', async () => {
          await store.appendMessages(Array.from({ length: 30 }, (_, index) => message(index + 1)))
          await store.appendMessages([{ ...message(99), epoch: 'another' }])
          expect(await store.findMessage(message(7).id)).toEqual(message(7))
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
          expect(await store.deleteMessage(message(1).id, NOW + 10)).toEqual(deleted)
          expect(await store.deleteMessage(message(1).id, NOW + 20)).toEqual(deleted)
          await store.appendMessages([message(1)])
          await reopen()
          expect(await store.findMessage(message(1).id)).toEqual(deleted)
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
          expect(await store.deleteMessage(message(2).id, NOW)).toBeUndefined()
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
        expect(await store.findMessage(message(1).id).catch((thrown: unknown) => thrown)).toMatchObject({
          kind: 'unavailable',
        })
        expect(await store.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(Error)
      })
    })
  })
}
