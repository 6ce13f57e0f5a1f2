import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { messageFixture as message, NOW } from '../../test/support/message.ts'
import type { SequencedMessage } from '../core/model.ts'
import type { MessageStore } from '../core/ports/message-store.ts'

/** Storage that outlives the stores opened on it. */
export interface MessageStoreHarness {
  open(): Promise<MessageStore>
  remove(): Promise<void>
}

/** Tests the contract of `MessageStore`. */
export function testMessageStore(name: string, createHarness: () => Promise<MessageStoreHarness>): void {
  describe(`${name} satisfies the MessageStore contract`, () => {
    let harness: MessageStoreHarness
    let store: MessageStore

    beforeEach(async () => {
      harness = await createHarness()
      store = await harness.open()
    })
    afterEach(async () => {
      await store.close()
      await harness.remove()
    })
    const reopen = async () => {
      await store.close()
      store = await harness.open()
    }

    describe('sequences', () => {
      const { shard } = message(1)
      const say = (...seqs: number[]) => store.appendMessages(seqs.map((seq) => message(seq)))
      const read = () => store.readSequence(shard, 5)
      /** Stops and starts again. */
      const restart = async (stop: 'clean' | 'crash') => {
        if (stop === 'clean') await store.sealSequences()
        await reopen()
        return store.openSequences()
      }

      test('continue after a clean stop, but not after a crash', async () => {
        const first = await store.openSequences()
        await say(1, 2)
        expect(await restart('clean')).toBe(first)
        expect(await read()).toMatchObject({ epoch: 'e', seq: 2, since: 0 })
        expect(await restart('crash')).not.toBe(first)
        expect(await read()).toBeUndefined()
        await store.appendMessages([{ ...message(1), id: 'again', epoch: 'f' }])
        expect(await read()).toMatchObject({ epoch: 'f', seq: 1 })
      })

      test('do not continue after a clean stop followed by a crash, even without new messages', async () => {
        await store.openSequences()
        await say(1)
        await restart('clean')
        await restart('crash')
        expect(await read()).toBeUndefined()
      })

      test('are restored with their newest messages, oldest first', async () => {
        await store.openSequences()
        await say(1, 2, 3)
        await say(4, 5, 6, 7)
        const sequence = await read()
        expect(sequence).toMatchObject({ epoch: 'e', seq: 7, since: 2, retracted: [] })
        expect(sequence?.messages.map(({ id }) => id)).toEqual(['m3', 'm4', 'm5', 'm6', 'm7'])
        expect(sequence?.messages[0]).toMatchObject({ shard, text: 'text 3', original: 'original 3' })
      })

      test('list deleted messages as retracted and omit them', async () => {
        await store.openSequences()
        await say(1, 2, 3, 4, 5, 6)
        await store.deleteMessage('m5', NOW + 1)
        await store.deleteMessage('m1', NOW + 2)
        const sequence = await read()
        expect(sequence).toMatchObject({ seq: 6, since: 1, retracted: ['m5', 'm1'] })
        expect(sequence?.messages.map(({ id }) => id)).toEqual(['m2', 'm3', 'm4', 'm6'])
      })

      test('include only messages after the last gap', async () => {
        await store.openSequences()
        await say(1, 2, 4, 5)
        const sequence = await read()
        expect(sequence).toMatchObject({ seq: 5, since: 3 })
        expect(sequence?.messages.map(({ id }) => id)).toEqual(['m4', 'm5'])
      })

      test('are separate for each number and incarnation', async () => {
        await store.openSequences()
        await say(1)
        expect(await store.readSequence({ ...shard, number: 2 }, 5)).toBeUndefined()
        expect(await store.readSequence({ ...shard, incarnation: 2 }, 5)).toBeUndefined()
      })

      test('record when a player last sent a message, even after a crash, in pages', async () => {
        await store.openSequences()
        const at = (name: string, number: number, time: number) => ({
          ...message(time),
          id: `${name}${number}-${time}`,
          shard: { ...shard, name, number },
        })
        const system = { ...at('b', 1, 9), player: undefined }
        await store.appendMessages([at('b', 1, 3), system, at('a', 2, 4), at('a', 1, 5)])
        await store.appendMessages([{ ...at('c', 1, 6), player: undefined }])
        await restart('crash')
        const first = await store.listLastChatTimes({ group: 'global', after: undefined, limit: 2 })
        const rest = await store.listLastChatTimes({ group: 'global', after: first[1]?.shard, limit: 2 })
        expect(
          [...first, ...rest].map((each) => [each.shard.name, each.shard.number, each.at - NOW]),
        ).toEqual([
          ['a', 1, 5],
          ['a', 2, 4],
          ['b', 1, 3],
        ])
        expect(await store.listLastChatTimes({ group: 'other', after: undefined, limit: 2 })).toEqual([])
      })

      test('are pruned with their messages', async () => {
        await store.openSequences()
        await say(1, 2)
        expect(await store.pruneMessages(NOW + 2, 10)).toBe(1)
        expect(await read()).toMatchObject({ seq: 2, since: 1 })
        await store.pruneMessages(NOW + 3, 10)
        expect(await read()).toBeUndefined()
        expect(await store.listLastChatTimes({ group: 'global', after: undefined, limit: 2 })).toEqual([])
      })
    })

    describe('messages', () => {
      test('are found by id, with the messages around them in their channel number', async () => {
        await store.appendMessages(Array.from({ length: 30 }, (_, index) => message(index + 1)))
        await store.appendMessages([{ ...message(99), epoch: 'another' }])
        expect(await store.findMessage('m7')).toEqual(message(7))
        expect(await store.findMessage('none')).toBeUndefined()
        const around = await store.listAround(message(12), 3)
        expect(around.map(({ seq }) => seq)).toEqual([9, 10, 11, 12, 13, 14, 15])
        expect((await store.listAround(message(1), 2)).map(({ seq }) => seq)).toEqual([1, 2, 3])
      })

      test('are stored once when appended twice', async () => {
        await store.appendMessages([message(1)])
        await store.appendMessages([message(1), message(2)])
        expect((await store.listAround(message(1), 5)).map(({ seq }) => seq)).toEqual([1, 2])
      })

      test('from the system have no player and no language', async () => {
        const said = { ...message(1), player: undefined, language: undefined }
        await store.appendMessages([said])
        expect(await store.findMessage('m1')).toEqual(said)
      })

      test('are read back with their filter hits', async () => {
        const hits = [{ start: 0, end: 2, expression: '욕*', language: 'ko' }]
        await store.appendMessages([{ ...message(1), hits }])
        expect((await store.findMessage('m1'))?.hits).toEqual(hits)
      })

      test('are listed newest first, in pages, even within one millisecond', async () => {
        const messages = Array.from({ length: 10 }, (_, index) => message(index + 1))
        const sameTime = ['a', 'b', 'c'].map((id) => ({ ...message(5), id }))
        await store.appendMessages([...messages, ...sameTime])
        const pages: string[][] = []
        let before: SequencedMessage | undefined
        do {
          const page: SequencedMessage[] = await store.listMessages({ since: NOW + 3, before, limit: 2 })
          pages.push(page.map(({ id }) => id))
          before = page.at(-1)
        } while (before !== undefined)
        expect(pages).toEqual([
          ['m10', 'm9'],
          ['m8', 'm7'],
          ['m6', 'm5'],
          ['c', 'b'],
          ['a', 'm4'],
          ['m3'],
          [],
        ])
        const [newest] = await store.listMessages({ since: NOW, before: undefined, limit: 1 })
        expect(newest).toEqual(message(10))
      })

      test('are counted from a point in time, up to a limit', async () => {
        await store.appendMessages(Array.from({ length: 10 }, (_, index) => message(index + 1)))
        expect(await store.countMessages(NOW + 4, 100)).toBe(7)
        expect(await store.countMessages(NOW, 5)).toBe(5)
        expect(await store.countMessages(NOW + 11, 5)).toBe(0)
      })

      test('stay in the log when deleted, with the time of the first deletion', async () => {
        await store.appendMessages([message(1), message(2)])
        const deleted = { ...message(1), deletedAt: NOW + 10 }
        expect(await store.deleteMessage('m1', NOW + 10)).toEqual(deleted)
        expect(await store.deleteMessage('m1', NOW + 20)).toEqual(deleted)
        await store.appendMessages([message(1)])
        await reopen()
        expect(await store.findMessage('m1')).toEqual(deleted)
        expect(await store.listAround(message(2), 5)).toEqual([deleted, message(2)])
      })

      test('cannot be deleted when unknown', async () => {
        expect(await store.deleteMessage('none', NOW)).toBeUndefined()
      })

      test('are pruned by age, in slices', async () => {
        await store.appendMessages(Array.from({ length: 10 }, (_, index) => message(index + 1)))
        expect(await store.pruneMessages(NOW + 8, 5)).toBe(5)
        expect(await store.pruneMessages(NOW + 8, 5)).toBe(2)
        expect((await store.listAround(message(5), 10)).map(({ seq }) => seq)).toEqual([8, 9, 10])
      })
    })

    test('check resolves while the store is open; a closed store is unavailable', async () => {
      await store.check()
      await store.close()
      const rejected = await store.appendMessages([message(1)]).catch((thrown: unknown) => thrown)
      expect(rejected).toMatchObject({ kind: 'unavailable' })
      expect(await store.findMessage('m1').catch((thrown: unknown) => thrown)).toMatchObject({
        kind: 'unavailable',
      })
      expect(await store.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(Error)
    })
  })
}
