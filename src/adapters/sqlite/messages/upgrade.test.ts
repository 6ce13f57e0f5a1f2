import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { messageFixture as message, NOW } from '../../../../test/support/message.ts'
import { openMessagesIn } from '../../../../test/support/message-store.ts'
import { makeFolder } from '../../../../test/support/server.ts'
import type { LoggedMessage } from '../../../core/model.ts'
import { messagesFolder, messagesPath } from '../data-folder.ts'
import { openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { EARLIER_MIGRATIONS, LAST_EARLIER_SCHEMA } from './migrations.ts'

const EARLIER = EARLIER_MIGRATIONS.slice(0, LAST_EARLIER_SCHEMA)
/** Ids of earlier versions were random. */
const earlier = (seq: number): LoggedMessage => ({
  ...message(seq),
  id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
})
const { shard } = message(1)
const seqsOf = (messages: readonly LoggedMessage[]) => messages.map(({ seq }) => seq)

let folder: string

beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const earlierFile = () => path.join(folder, 'messages.db')

/** Writes the message log of an earlier version that was stopped cleanly after ten messages. */
function writeEarlierLog(schema = EARLIER.length): void {
  using db = new Database(earlierFile(), { create: true, strict: true })
  db.run('PRAGMA journal_mode = WAL')
  migrate(db, EARLIER.slice(0, schema))
  const insert = db.query(
    `INSERT INTO message (id, channel_group, channel_name, number, epoch, seq, player_id, player_name, text, original, at
       ${schema === EARLIER.length ? ', language, incarnation' : ''})
       VALUES (?, 'global', 'a', 1, 'e', ?, 'p', 'P', ?, ?, ? ${schema === EARLIER.length ? ", 'ko-KR', 1" : ''})`,
  )
  for (let seq = 1; seq <= 10; seq++) {
    const { id, text, original, at } = earlier(seq)
    insert.run(id, seq, text, original, at)
  }
  if (schema < EARLIER.length) return
  db.run("UPDATE lineage SET id = 'first', is_sealed = 1")
  db.run(`INSERT INTO sequence VALUES ('global', 'a', 1, 1, 'first', 'e', 10, ${NOW + 10}, ${NOW + 10})`)
  db.query('UPDATE message SET deleted_at = ? WHERE seq = 9').run(NOW + 50)
}

describe('the message log of an earlier version', () => {
  test('continues its sequences, with messages of both versions', async () => {
    writeEarlierLog()
    await using opened = await openMessagesIn(folder)
    const { store } = opened
    expect(await store.openSequences()).toBe('first')
    expect(await store.readLastChatTimes([shard])).toEqual([NOW + 10])
    const before = await store.readSequence(shard, 5)
    expect(before).toMatchObject({ epoch: 'e', seq: 10, since: 5, retracted: [earlier(9).id] })
    expect(before?.messages.map(({ seq }) => seq)).toEqual([6, 7, 8, 10])
    await store.appendMessages([message(11), message(12)])
    const after = await store.readSequence(shard, 5)
    expect(after?.messages.map(({ seq }) => seq)).toEqual([8, 10, 11, 12])
    expect(opened.damaged).toEqual([])
  })

  test('is found, listed, counted and deleted from together with new messages', async () => {
    writeEarlierLog()
    await using opened = await openMessagesIn(folder)
    const { store } = opened
    await store.appendMessages([message(11), message(12), message(13)])
    expect(await store.findMessage(earlier(3).id)).toEqual(earlier(3))
    expect(seqsOf(await store.listAround(earlier(10), 2))).toEqual([8, 9, 10, 11, 12])
    expect(seqsOf(await store.listAround(message(12), 3))).toEqual([9, 10, 11, 12, 13])
    const pages: number[][] = []
    let before: LoggedMessage | undefined
    do {
      const page: LoggedMessage[] = await store.listMessages({ since: NOW + 4, before, limit: 4 })
      pages.push(seqsOf(page))
      before = page.at(-1)
    } while (before !== undefined)
    expect(pages).toEqual([[13, 12, 11, 10], [9, 8, 7, 6], [5, 4], []])
    expect(await store.countMessages(NOW + 4, 100)).toBe(10)
    expect(await store.deleteMessage(earlier(4).id, NOW + 99)).toEqual({ ...earlier(4), deletedAt: NOW + 99 })
    expect((await store.findMessage(earlier(4).id))?.deletedAt).toBe(NOW + 99)
  })

  test('is dropped when its newest message has expired, or when the log is too large', async () => {
    for (const [before, maxBytes, reason] of [
      [NOW + 11, Number.MAX_SAFE_INTEGER, 'age'],
      [0, 60_000, 'size'],
    ] as const) {
      writeEarlierLog()
      await using opened = await openMessagesIn(folder)
      const { store } = opened
      await store.appendMessages([message(11)])
      const early = await store.pruneMessages({ before: NOW + 10, maxBytes: Number.MAX_SAFE_INTEGER })
      expect(early.dropped).toEqual([])
      const { dropped } = await store.pruneMessages({ before, maxBytes })
      expect(dropped).toMatchObject([{ name: 'messages.db', reason, isNewest: false }])
      expect(existsSync(earlierFile())).toBe(false)
      expect(await store.countMessages(0, 100)).toBe(1)
      // A reader that had a page of it must not start over.
      expect(await store.listMessages({ since: 0, before: earlier(5), limit: 5 })).toEqual([])
    }
  })

  test('is not lost or used twice when the upgrade was interrupted', async () => {
    writeEarlierLog()
    mkdirSync(messagesFolder(folder), { recursive: true })
    writeFileSync(path.join(messagesFolder(folder), 'unfinished.db'), 'the first half of a file')
    {
      await using opened = await openMessagesIn(folder)
      expect(await opened.store.openSequences()).toBe('first')
    }
    // The copy was complete, but the earlier file still had its sequences.
    rmSync(earlierFile())
    writeEarlierLog()
    await using opened = await openMessagesIn(folder)
    expect(await opened.store.openSequences()).not.toBe('first')
    expect(await opened.store.countMessages(0, 100)).toBe(10)
  })

  test('is no longer opened by the earlier version, which would continue old sequences', async () => {
    writeEarlierLog()
    await (await openMessagesIn(folder)).store.close()
    const open = () => openDatabase(earlierFile(), { migrations: EARLIER, isInitialized: true })
    expect(open).toThrow(/newer version of Parley/)
  })

  test('of the oldest schema is read, too', async () => {
    writeEarlierLog(1)
    await using opened = await openMessagesIn(folder)
    const { store } = opened
    expect(await store.openSequences()).not.toBe('first')
    expect((await store.findMessage(earlier(3).id))?.text).toBe('text 3')
  })

  test('that is damaged after the upgrade is skipped and reported once', async () => {
    writeEarlierLog()
    await (await openMessagesIn(folder)).store.close()
    truncateSync(earlierFile(), 5000)
    await using opened = await openMessagesIn(folder)
    const { store } = opened
    await store.appendMessages([message(11)])
    expect(await store.countMessages(0, 100)).toBe(1)
    expect(await store.findMessage(earlier(3).id)).toBeUndefined()
    expect(await store.deleteMessage(earlier(3).id, NOW)).toBeUndefined()
    expect(opened.damaged).toHaveLength(1)
    expect(opened.damaged[0]).toContain(earlierFile())
    expect(existsSync(messagesPath(folder))).toBe(true)
  })
})
