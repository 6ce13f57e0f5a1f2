import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { messageFixture, messageId, NOW } from '../../../../test/support/message.ts'
import { openMessagesIn } from '../../../../test/support/message-store.ts'
import { makeFolder } from '../../../../test/support/server.ts'
import { inTemporaryFolder } from '../../../../test/support/store.ts'
import { testMessageStore } from '../../message-store.contract.ts'

testMessageStore(
  'SqliteMessageStore',
  inTemporaryFolder(async (folder) => (await openMessagesIn(folder)).store),
)

test('a batch that failed leaves no trace in those that follow', async () => {
  const folder = makeFolder()
  {
    await using opened = await openMessagesIn(folder)
    const { store } = opened
    const inNumber = (number: number, seq: number) => {
      const message = messageFixture(10 * number + seq)
      return { ...message, seq, epoch: `e${number}`, shard: { ...message.shard, number } }
    }
    // More ids share a time and a counter than can be stored, and number 2 appears for the first time.
    const excess = Array.from({ length: 17 }, (_, index) => ({
      ...inNumber(2, index + 1),
      id: messageId(NOW, `8000-${String(index).padStart(12, '0')}`),
    }))
    await store.openSequences()
    await store.appendMessages([inNumber(1, 1)])
    await expect(store.appendMessages(excess)).rejects.toThrow('same time and counter')
    expect(await store.readSequence(inNumber(2, 1).shard, 50)).toBeUndefined()
    const later = [inNumber(3, 1), inNumber(2, 1)]
    await store.appendMessages(later)
    for (const message of later) expect(await store.findMessage(message.id)).toEqual(message)
    expect(await store.countMessages(NOW, 100)).toBe(3)
  }
  await rm(folder, { recursive: true })
})
