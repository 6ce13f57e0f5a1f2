import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { messageFixture as message, NOW } from '../../../../test/support/message.ts'
import { openMessagesIn } from '../../../../test/support/message-store.ts'
import { makeFolder } from '../../../../test/support/server.ts'
import type { LoggedMessage } from '../../../core/model.ts'
import { messagesFolder } from '../data-folder.ts'

const DAY_MS = 86_400_000
/** One message on each of five days. */
const daily = (seq: number) => message(seq, NOW + seq * DAY_MS)
const seqsOf = (messages: readonly LoggedMessage[]) => messages.map(({ seq }) => seq)
const fileOf = (folder: string, seq: number) =>
  path.join(messagesFolder(folder), `${new Date(daily(seq).at).toISOString().slice(0, 10)}.db`)

let folder: string

beforeEach(async () => {
  folder = makeFolder()
  await using opened = await openMessagesIn(folder)
  for (const seq of [1, 2, 3, 4, 5]) await opened.store.appendMessages([daily(seq)])
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const everything = { since: 0, before: undefined, limit: 100 }

function makeFolderOf(file: string): void {
  rmSync(file)
  mkdirSync(file)
}

const DAMAGES: readonly [string, (file: string) => void][] = [
  ['that is not a database', (file) => writeFileSync(file, 'x'.repeat(statSync(file).size))],
  ['that was truncated', (file) => truncateSync(file, 5000)],
  ['that is empty', (file) => truncateSync(file, 0)],
  ['that is a folder', makeFolderOf],
]

describe('a file of a past day', () => {
  test.each(DAMAGES)('%s is skipped and reported once', async (_, damage) => {
    damage(fileOf(folder, 2))
    await using opened = await openMessagesIn(folder, daily(5).at)
    const { store } = opened
    expect(seqsOf(await store.listMessages(everything))).toEqual([5, 4, 3, 1])
    expect(seqsOf(await store.listAround(daily(3), 5))).toEqual([1, 3, 4, 5])
    expect(await store.countMessages(0, 100)).toBe(4)
    expect(await store.findMessage(daily(2).id)).toBeUndefined()
    await store.appendMessages([daily(6)])
    expect(opened.damaged).toHaveLength(1)
    expect(opened.damaged[0]).toContain(fileOf(folder, 2))
  })

  test('that is missing is skipped, and reads continue with the days before it', async () => {
    rmSync(fileOf(folder, 2))
    await using opened = await openMessagesIn(folder, daily(5).at)
    const { store } = opened
    const before = daily(3)
    expect(seqsOf(await store.listMessages({ ...everything, before }))).toEqual([1])
    expect(seqsOf(await store.listAround(daily(2), 5))).toEqual([1, 3, 4, 5])
    expect(await store.countMessages(0, 100)).toBe(4)
    expect(await store.deleteMessage(daily(2).id, NOW)).toBeUndefined()
    expect(opened.damaged).toEqual([])
    expect(existsSync(fileOf(folder, 2))).toBe(false)
  })

  test.each(DAMAGES)('%s and has no message to delete does not stop the writer', async (_, damage) => {
    damage(fileOf(folder, 2))
    await using opened = await openMessagesIn(folder, daily(5).at)
    expect(await opened.store.deleteMessage(daily(2).id, NOW)).toBeUndefined()
    await opened.store.appendMessages([daily(6)])
  })

  test.each(DAMAGES)('%s expires like any other', async (_, damage) => {
    damage(fileOf(folder, 1))
    await using opened = await openMessagesIn(folder, daily(5).at)
    const { dropped } = await opened.store.pruneMessages({ before: daily(3).at, maxBytes: 1e12 })
    expect(dropped).toHaveLength(2)
    expect(existsSync(fileOf(folder, 1))).toBe(false)
  })
})

describe('the file of today', () => {
  test.each(DAMAGES.slice(0, 2))('%s prevents the start', async (_, damage) => {
    damage(fileOf(folder, 5))
    const rejected = await openMessagesIn(folder, daily(5).at).catch((thrown: unknown) => thrown)
    expect(rejected).toBeInstanceOf(Error)
    expect(String(rejected instanceof Error ? (rejected.cause ?? rejected) : rejected)).toContain(
      fileOf(folder, 5),
    )
  })

  test('that was deleted while the server was stopped is recreated', async () => {
    rmSync(fileOf(folder, 5))
    await using opened = await openMessagesIn(folder, daily(5).at)
    await opened.store.appendMessages([message(6, daily(5).at + 1)])
    expect(seqsOf(await opened.store.listMessages(everything))).toEqual([6, 4, 3, 2, 1])
  })
})

test('a WAL whose database was dropped just before a crash is removed by the next start', async () => {
  const orphan = `${fileOf(folder, 2)}-wal`
  rmSync(fileOf(folder, 2))
  writeFileSync(orphan, 'frames of a database that was dropped')
  await using opened = await openMessagesIn(folder)
  expect(existsSync(orphan)).toBe(false)
  await opened.store.appendMessages([daily(2)])
  expect(await opened.store.countMessages(0, 100)).toBe(5)
})

test('dropping the file in use is not mistaken for its loss', async () => {
  await using opened = await openMessagesIn(folder, daily(5).at, { inspectEveryMs: 1 })
  const { store } = opened
  for (let round = 0; round < 5; round++) {
    await store.appendMessages([daily(5)])
    await store.pruneMessages({ before: 0, maxBytes: 0 })
    // Each read takes a round trip to a worker, during which the files are inspected.
    for (let read = 0; read < 10; read++) expect(await store.countMessages(0, 100)).toBe(0)
  }
})

test('dropped files leave nothing behind, even if they were being read', async () => {
  await using opened = await openMessagesIn(folder)
  const { store } = opened
  expect(await store.listMessages(everything)).toHaveLength(5)
  await store.pruneMessages({ before: 0, maxBytes: 0 })
  expect(readdirSync(messagesFolder(folder)).filter((file) => !file.startsWith('sequences'))).toEqual([])
  expect(openFiles().filter((file) => file.includes(folder) && file.includes('(deleted)'))).toEqual([])
})

test('the files of past days are closed while later days are written', async () => {
  await using opened = await openMessagesIn(folder)
  for (let day = 1; day <= 5; day++) await opened.store.appendMessages([daily(day)])
  const days = new Set(openFiles().flatMap((line) => /\/\d{4}-\d\d-\d\d\.db$/.exec(line)?.[0] ?? []))
  // Two of the past, since messages may be flushed after midnight, and the last one.
  expect(days.size).toBe(3)
})

/** The files that this process has open. */
const openFiles = () => {
  const { stdout } = Bun.spawnSync(['ls', '-l', `/proc/${process.pid}/fd`])
  return stdout.toString().split('\n')
}
