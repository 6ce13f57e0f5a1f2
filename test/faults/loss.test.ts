import { describe, expect, test } from 'bun:test'
import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { type ApiResponse, TOKEN } from '../support/server.ts'
import {
  databasePath,
  expectOk,
  fatalLines,
  getPage,
  temporaryFolder,
  todaysMessages,
  UNAVAILABLE,
  until,
} from './support.ts'

/** Overwrites the file in place, from `start` on. */
function overwrite(file: string, start = 0): void {
  const fd = openSync(file, 'r+')
  const size = fstatSync(fd).size - start
  writeSync(fd, Buffer.alloc(size, 'x'), 0, size, start)
  closeSync(fd)
}

function replaceByCopy(file: string): void {
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
}

interface Loss {
  readonly name: string
  readonly lose: (folder: string) => void
  /** The file that the log names. */
  readonly file: string | RegExp
  readonly reason: RegExp
}

/** The tests begin and end on the same day, unless they run at midnight. */
const TODAY = todaysMessages()

const LOSSES: readonly Loss[] = [
  {
    name: 'the data folder is removed',
    lose: (folder) => rmSync(folder, { recursive: true, force: true }),
    file: /(parley|sequences|lock|[\d-]+)\.db(-wal|-shm)?/,
    reason: /was deleted or moved/,
  },
  ...['parley.db', 'parley.db-wal', 'messages/sequences.db', TODAY, `${TODAY}-wal`, 'lock.db'].map(
    (file) => ({
      name: `${file} is deleted`,
      lose: (folder: string) => rmSync(path.join(folder, file)),
      file,
      // SQLite creates another WAL file for the next connection, which may open before the loss is noticed.
      reason: file.endsWith('-wal') ? /was deleted or moved|was replaced/ : /was deleted or moved/,
    }),
  ),
  {
    name: 'parley.db is replaced by another file',
    lose(folder) {
      writeFileSync(`${databasePath(folder)}.other`, 'a text\n'.repeat(999))
      renameSync(`${databasePath(folder)}.other`, databasePath(folder))
    },
    file: 'parley.db',
    reason: /was replaced by another file/,
  },
  ...['parley.db', 'messages/sequences.db', TODAY].flatMap((file) => [
    {
      name: `every page of ${file} but the first is overwritten`,
      lose: (folder: string) => overwrite(path.join(folder, file), 4096),
      file,
      reason: /malformed|not a database/,
    },
    {
      name: `${file} is replaced by a copy of itself`,
      lose: (folder: string) => replaceByCopy(path.join(folder, file)),
      file,
      reason: /was replaced by another file/,
    },
    {
      name: `${file} is truncated`,
      lose: (folder: string) => truncateSync(path.join(folder, file), 512),
      file,
      reason: /was truncated|was overwritten|malformed|not a database/,
    },
    {
      name: `every byte of ${file} is overwritten`,
      lose: (folder: string) => overwrite(path.join(folder, file)),
      file,
      reason: /was overwritten|malformed|not a database/,
    },
  ]),
]

/** Bans players until one request fails; resolves to undefined when the server has exited. */
async function banUntilRejected(server: ServerProcess): Promise<ApiResponse | undefined> {
  let index = 0
  const ban = () =>
    server
      .call('PUT', '/block_user_chat', { body: { gamer_id: `late-${index++}`, days: 1 } })
      .catch(() => undefined)
  return await until(ban, (response) => response?.status !== 200)
}

/** Fills a folder whose content is in the data files, not in their WAL files. */
async function seed(folder: string): Promise<void> {
  await using server = await spawnServer(folder, { PARLEY_PLAYER_SECRET: PLAYER_SECRET })
  const channel = { channel_group: 'main', channel_name: 'lobby' }
  expectOk(await server.call('PUT', '/open_channels', { body: channel }))
  expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'early', days: 1 } }))
  using mina = await TestPlayer.connect(server.url, 'mina')
  await mina.join('main', 'lobby')
  await mina.say('main', 'hello')
  expect(await server.kill('SIGTERM')).toBe(0)
}

describe.concurrent('a file lost while the server runs', () => {
  test.each(LOSSES)(
    '$name: rejects writes, logs one fatal line and no failed flush, and exits with 1',
    async ({ lose, file, reason }) => {
      using root = temporaryFolder()
      const folder = path.join(root.path, 'data')
      await seed(folder)
      await using server = await spawnServer(folder, { PARLEY_PLAYER_SECRET: PLAYER_SECRET })
      using mina = await TestPlayer.connect(server.url, 'mina')
      await mina.join('main', 'lobby')
      const lostAt = performance.now()
      lose(folder)
      const rejection = await banUntilRejected(server)
      expect(performance.now() - lostAt).toBeLessThan(10_000)
      if (rejection !== undefined) expect([rejection.status, rejection.json]).toEqual([503, UNAVAILABLE])
      await mina.push('going_away')
      expect(await server.exited).toBe(1)
      const fatal = fatalLines(server.output())
      expect(fatal).toHaveLength(1)
      expect(server.output()).not.toContain('message log flush failed')
      const { msg } = JSON.parse(fatal[0] ?? '{}')
      expect(msg).toMatch(file)
      expect(msg).toContain(folder)
      expect(msg).toMatch(reason)
      expect(msg).toMatch(/restore a backup/i)
    },
    60_000,
  )
})

test('is not ready after its file was lost, until it exits', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path, {
    PARLEY_DRAIN_SECONDS: '60',
    PARLEY_BODY_SECONDS: '60',
  })
  // A request in flight delays the exit, so that the state after the loss can be observed.
  const upload = new TransformStream<Uint8Array, Uint8Array>()
  const writer = upload.writable.getWriter()
  const pending = fetch(new URL('/chat/v1/block_user_chat', server.url), {
    method: 'PUT',
    headers: { Authorization: `Bearer ${TOKEN}` },
    body: upload.readable,
  })
  await writer.write(Buffer.from('{"gamer_id":'))
  rmSync(databasePath(folder.path))
  const rejection = await banUntilRejected(server)
  expect([rejection?.status, rejection?.json]).toEqual([503, UNAVAILABLE])
  expect((await getPage(server, '/readyz')).status).toBe(503)
  expect((await getPage(server, '/livez')).status).toBe(200)
  await writer.write(Buffer.from('"x","days":1}'))
  await writer.close()
  expect((await pending).status).toBe(503)
  expect(await server.exited).toBe(1)
}, 60_000)

test('keeps writes acknowledged before the -wal file was deleted', async () => {
  using folder = temporaryFolder()
  {
    await using server = await spawnServer(folder.path)
    expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'kept', days: 1 } }))
    rmSync(`${databasePath(folder.path)}-wal`)
    expect(await server.exited).toBe(1)
  }
  await using server = await spawnServer(folder.path)
  const { json } = expectOk(await server.call('GET', '/block_user_list'))
  expect(json).toMatchObject([{ gamer_id: 'kept' }])
}, 60_000)
