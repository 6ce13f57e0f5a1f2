import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runParley, spawnServer } from '../support/process.ts'
import {
  databasePath,
  expectOk,
  hashFile,
  runStart,
  seededRandom,
  temporaryFolder,
  tryStart,
} from './support.ts'

const BANS = 2000
const CHANNELS = 1000
const WORDS = 3000
const PAGE = 4096

const whole = temporaryFolder()
afterAll(() => whole[Symbol.dispose]())

/** Written by a real server that was stopped, so that the WAL is checkpointed into the data file. */
beforeAll(async () => {
  await using server = await spawnServer(whole.path)
  const { call } = server
  const inBatches = async (count: number, write: (index: number) => ReturnType<typeof call>) => {
    for (let start = 0; start < count; start += 100) {
      const responses = await Promise.all(Array.from({ length: 100 }, (_, index) => write(start + index)))
      responses.forEach(expectOk)
    }
  }
  await inBatches(BANS, (index) =>
    call('PUT', '/block_user_chat', { body: { gamer_id: `gamer-${index}`, days: 30 } }),
  )
  await inBatches(CHANNELS, (index) =>
    call('PUT', '/open_channels', { body: { channel_group: 'global', channel_name: `channel-${index}` } }),
  )
  const filters = Array.from({ length: WORDS }, (_, index) => `word-${index}`)
  expectOk(await call('PUT', '/bad_word_list', { body: { language: 'all', filters } }))
  expect(await server.kill('SIGTERM')).toBe(0)
}, 60_000)

function copyOfWhole() {
  const folder = temporaryFolder()
  cpSync(whole.path, folder.path, { recursive: true })
  return folder
}

function flip(file: string, offsets: readonly number[], mask: (index: number) => number): void {
  const bytes = readFileSync(file)
  for (const [index, offset] of offsets.entries()) bytes[offset] = (bytes[offset] ?? 0) ^ mask(index)
  writeFileSync(file, bytes)
}

/** The server serves nearly all rows, or names the file and exits. Damage inside a row is indistinguishable from data. */
async function expectServedOrRejected(folder: string): Promise<'served' | 'rejected'> {
  const file = databasePath(folder)
  const before = hashFile(file)
  const started = await tryStart(folder)
  if (typeof started === 'string') {
    expect(started).toContain(file)
    expect(hashFile(file)).toBe(before)
    return 'rejected'
  }
  await using server = started
  const bans = expectOk(await server.call('GET', '/block_user_list')).json
  const channels = expectOk(await server.call('GET', '/open_channels?channel_group=global')).json
  const lists = expectOk(await server.call('GET', '/bad_word_list')).json
  expect(bans.length).toBeGreaterThan(BANS * 0.9)
  expect(channels.length).toBeGreaterThan(CHANNELS * 0.9)
  expect(lists).toHaveLength(1)
  expect(lists[0].filters.length).toBeGreaterThan(WORDS * 0.9)
  return 'served'
}

describe('flipped bytes', () => {
  const random = seededRandom('damage')
  const anywhere = () => random.below(statSync(databasePath(whole.path)).size)
  const inFirstPage = () => random.below(PAGE)
  const inHeader = () => random.below(100)
  /** The page header, in the first bytes of a page. */
  const atPageStart = () => Math.floor(anywhere() / PAGE) * PAGE + random.below(16)

  test.each([
    ['one anywhere', 1, anywhere, 4],
    ['a hundred anywhere', 100, anywhere, 3],
    ['one at the start of a page', 1, atPageStart, 4],
    ['one in the header', 1, inHeader, 4],
    ['one in the first page, which holds the schema', 1, inFirstPage, 4],
  ] as const)(
    '%s',
    async (_, count, where, variants) => {
      const outcomes = { served: 0, rejected: 0 }
      for (let variant = 0; variant < variants; variant++) {
        using folder = copyOfWhole()
        const offsets = Array.from({ length: count }, where)
        const masks = offsets.map(() => 1 + random.below(255))
        flip(databasePath(folder.path), offsets, (index) => masks[index] ?? 1)
        try {
          outcomes[await expectServedOrRejected(folder.path)]++
        } catch (thrown) {
          const message = thrown instanceof Error ? thrown.message : String(thrown)
          throw new Error(`Flipped ${offsets.join()} with ${masks.join()}: ${message}`, { cause: thrown })
        }
      }
      process.stderr.write(`damage: ${JSON.stringify(outcomes)}\n`)
    },
    120_000,
  )

  test('in the line break between two words of a list', async () => {
    using folder = copyOfWhole()
    const offset = readFileSync(databasePath(folder.path)).indexOf('word-0\nword-1\n')
    expect(offset).toBeGreaterThan(0)
    flip(databasePath(folder.path), [offset + 'word-0'.length], () => 0x01)
    expect(await expectServedOrRejected(folder.path)).toBe('rejected')
  }, 30_000)

  test.each(['ban', 'channel', 'filter_list', 'remembered'])(
    'in the name of the table %s',
    async (table) => {
      using folder = copyOfWhole()
      const bytes = readFileSync(databasePath(folder.path))
      const offset = bytes.indexOf(`table${table}${table}`)
      expect(offset).toBeGreaterThan(0)
      flip(databasePath(folder.path), [offset + 5, offset + 5 + table.length], () => 0x08)
      expect(await expectServedOrRejected(folder.path)).toBe('rejected')
    },
    30_000,
  )

  test('in the name of a column', async () => {
    using folder = copyOfWhole()
    const offset = readFileSync(databasePath(folder.path)).indexOf('reporter_name TEXT')
    expect(offset).toBeGreaterThan(0)
    flip(databasePath(folder.path), [offset], () => 0x01)
    expect(await expectServedOrRejected(folder.path)).toBe('rejected')
  }, 30_000)

  test('in an index that no longer points to its rows', async () => {
    using folder = copyOfWhole()
    const file = databasePath(folder.path)
    keepOneBan(file)
    emptyIndex(file, 'ban_active')
    expect(await expectServedOrRejected(folder.path)).toBe('rejected')
  }, 30_000)
})

/** An index of one page can be emptied without leaving pages that nothing refers to, which any check would find. */
function keepOneBan(file: string): void {
  using db = new Database(file, { readwrite: true, strict: true })
  db.run('DELETE FROM ban WHERE seq <> (SELECT max(seq) FROM ban WHERE ended_at IS NULL)')
  expect(db.query('SELECT count(*) FROM ban').values()).toEqual([[1]])
  db.run('VACUUM')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

/** Turns the root page of the index into an empty leaf, which is well-formed on its own. */
function emptyIndex(file: string, index: string): void {
  using db = new Database(file, { readonly: true })
  const root = db
    .query<{ rootpage: number }, [string]>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(index)?.rootpage
  db.close()
  const bytes = readFileSync(file)
  const start = ((root ?? 0) - 1) * PAGE
  bytes.set([0x0a, 0, 0, 0, 0, PAGE >> 8, PAGE & 0xff, 0], start)
  writeFileSync(file, bytes)
}

/** Adds contexts of reports that are as large as `size` together. */
function growContexts(file: string, size: number): void {
  using db = new Database(file, { readwrite: true, strict: true })
  const rows = 100
  db.query(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $rows)
       INSERT INTO report_context SELECT 'grown-' || n, hex(zeroblob($bytes)) FROM numbers`,
  ).run({ rows, bytes: Math.ceil(size / rows / 2) })
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

interface Damage {
  readonly name: string
  readonly make: (file: string) => void
  readonly message: RegExp
}

const size = () => statSync(databasePath(whole.path)).size

const DAMAGES: readonly Damage[] = [
  ...[0.9, 0.5, 0.1].map((share) => ({
    name: `truncated to ${share * 100} %`,
    make: (file: string) => truncateSync(file, Math.floor(size() * share)),
    message: /damaged/,
  })),
  {
    name: 'truncated to whole pages',
    make: (file) => truncateSync(file, size() - 10 * PAGE),
    message: /damaged/,
  },
  { name: 'truncated to one page', make: (file) => truncateSync(file, PAGE), message: /damaged/ },
  {
    name: 'truncated to 100 bytes',
    make: (file) => truncateSync(file, 100),
    message: /damaged|missing or empty/,
  },
  {
    name: 'truncated to one byte',
    make: (file) => truncateSync(file, 1),
    message: /damaged|missing or empty/,
  },
  { name: 'emptied', make: (file) => truncateSync(file, 0), message: /missing or empty/ },
  {
    name: 'replaced by zeros',
    make: (file) => writeFileSync(file, Buffer.alloc(size())),
    message: /damaged/,
  },
  {
    name: 'replaced by text',
    make: (file) => writeFileSync(file, 'a text\n'.repeat(999)),
    message: /damaged/,
  },
  {
    name: 'replaced by a database without tables',
    make: (file) => {
      rmSync(file)
      using db = new Database(file, { create: true })
      db.run('PRAGMA journal_mode = WAL')
      db.run('CREATE TABLE other (id INTEGER)')
      db.run('DROP TABLE other')
    },
    message: /damaged|missing or empty/,
  },
  {
    name: 'written by a newer version',
    make: (file) => {
      using db = new Database(file, { readwrite: true })
      db.run('PRAGMA user_version = 9999')
    },
    message: /newer version of Parley/,
  },
]

describe('a data file', () => {
  test.each(DAMAGES)(
    '$name prevents the start and is left unchanged',
    async ({ make, message }) => {
      using folder = copyOfWhole()
      const file = databasePath(folder.path)
      make(file)
      const before = hashFile(file)
      const result = await runStart(folder.path)
      expect(result.code).toBe(1)
      expect(result.stderr).toContain(path.basename(file))
      expect(result.stderr).toContain(folder.path)
      expect(result.stderr).toMatch(message)
      expect(result.stdout).not.toContain('is listening on')
      expect(hashFile(file)).toBe(before)
    },
    30_000,
  )

  test('that has gone missing prevents the start, and no new one is created', async () => {
    using folder = copyOfWhole()
    const file = databasePath(folder.path)
    rmSync(file)
    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, stderr } = await runStart(folder.path)
      expect(code).toBe(1)
      expect(stderr).toContain(folder.path)
      expect(stderr).toMatch(/parley\.db is missing or empty/)
    }
    cpSync(databasePath(whole.path), file)
    expect(await expectServedOrRejected(folder.path)).toBe('served')
  }, 30_000)

  test.each([500, 1500, 3000])(
    'truncated within its last page, by %d bytes, is served or rejected',
    async (bytes) => {
      using folder = copyOfWhole()
      truncateSync(databasePath(folder.path), size() - bytes)
      await expectServedOrRejected(folder.path)
    },
    30_000,
  )

  test('whose WAL was lost prevents the start', async () => {
    using folder = temporaryFolder()
    {
      await using server = await spawnServer(folder.path)
      expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'one', days: 1 } }))
      await server.kill('SIGKILL')
    }
    // All content is in the WAL until the first checkpoint.
    rmSync(`${databasePath(folder.path)}-wal`)
    rmSync(`${databasePath(folder.path)}-shm`)
    const { code, stderr } = await runStart(folder.path)
    expect(code).toBe(1)
    expect(stderr).toContain(folder.path)
    expect(stderr).toMatch(/damaged|missing or empty/)
  }, 30_000)

  test('that is too large to be checked at the start is checked afterwards', async () => {
    using folder = copyOfWhole()
    const file = databasePath(folder.path)
    growContexts(file, 80_000_000)
    // Pages at the end belong to contexts, whose damage the start does not notice.
    const bytes = readFileSync(file)
    for (let page = Math.floor((bytes.length / PAGE) * 0.9); page < bytes.length / PAGE; page++)
      bytes.fill(0xff, page * PAGE, page * PAGE + 4)
    writeFileSync(file, bytes)
    await using server = await spawnServer(folder.path)
    expectOk(await server.call('GET', '/block_user_list'))
    expect(await server.exited).toBe(1)
    expect(server.output()).toMatch(/parley\.db.*the file is damaged/)
  }, 60_000)

  test('that is damaged is not backed up', async () => {
    using folder = copyOfWhole()
    using target = temporaryFolder()
    truncateSync(databasePath(folder.path), size() - 10 * PAGE)
    const { code, stderr } = await runParley(['backup', path.join(target.path, 'copy')], {
      PARLEY_DATA_DIR: folder.path,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/damaged|malformed/)
    expect(() => statSync(path.join(target.path, 'copy'))).toThrow()
  }, 30_000)
})
