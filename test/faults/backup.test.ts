import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { lockFile } from '../../src/adapters/sqlite/file-lock.ts'
import { messageFixture, NOW } from '../support/message.ts'
import { openMessagesIn } from '../support/message-store.ts'
import { environment, ROOT, runParley, type ServerProcess, spawnServer } from '../support/process.ts'
import { checkIntegrity, databasePath, expectOk, hashFile, temporaryFolder, until } from './support.ts'

/** An empty token counts as none: the first start generates one. */
const OWN_TOKEN = { PARLEY_MASTER_TOKEN: '' }

const backup = (folder: string, to: string) =>
  runParley(['backup', to], { PARLEY_DATA_DIR: folder, ...OWN_TOKEN })

async function tokenOf(folder: string): Promise<string> {
  const { code, stdout } = await runParley(['token'], { PARLEY_DATA_DIR: folder, ...OWN_TOKEN })
  expect(code).toBe(0)
  return stdout.trim()
}

/** Bans one player repeatedly; `acknowledged` counts the successful responses. */
class Writer {
  readonly name: string
  acknowledged = 0
  #isStopped = false

  constructor(name: string) {
    this.name = name
  }

  async run({ call }: ServerProcess, token: string): Promise<void> {
    while (!this.#isStopped) {
      expectOk(await call('PUT', '/block_user_chat', { token, body: { gamer_id: this.name, days: 1 } }))
      this.acknowledged++
    }
  }

  stop(): void {
    this.#isStopped = true
  }
}

async function countsOf({ call }: ServerProcess, token: string): Promise<ReadonlyMap<string, number>> {
  const { json } = expectOk(await call('GET', '/block_user_list', { token }))
  return new Map(json.map((ban: { gamer_id: string; count: number }) => [ban.gamer_id, ban.count]))
}

test('a backup taken during heavy writes is complete, and a server starts on it', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  await using server = await spawnServer(folder.path, OWN_TOKEN)
  const token = await tokenOf(folder.path)
  const filters = Array.from({ length: 20_000 }, (_, index) => `word-${index}`)
  expectOk(await server.call('PUT', '/bad_word_list', { token, body: { language: 'all', filters } }))
  const writers = Array.from({ length: 32 }, (_, index) => new Writer(`gamer-${index}`))
  const written = Promise.all(writers.map((writer) => writer.run(server, token)))

  const backups: { readonly to: string; readonly before: number[]; readonly after: number[] }[] = []
  for (let number = 1; number <= 3; number++) {
    const to = path.join(targets.path, `backup-${number}`)
    const before = writers.map(({ acknowledged }) => acknowledged)
    const { code, stdout, stderr } = await backup(folder.path, to)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(to)
    backups.push({ to, before, after: writers.map(({ acknowledged }) => acknowledged + 1) })
  }
  for (const writer of writers) writer.stop()
  await written
  expect(readdirSync(targets.path).sort()).toEqual(['backup-1', 'backup-2', 'backup-3'])

  for (const { to, before, after } of backups) {
    expect(checkIntegrity(to)).toBe('ok')
    expect(after.some((count, index) => count > before[index]! + 1)).toBe(true)
    await using copy = await spawnServer(to, OWN_TOKEN)
    expect(copy.output()).not.toMatch(/generated a master token/i)
    const counts = await countsOf(copy, token)
    for (const [index, { name }] of writers.entries()) {
      expect(counts.get(name)).toBeWithin(before[index]!, after[index]! + 1)
    }
    const lists = expectOk(await copy.call('GET', '/bad_word_list', { token })).json
    expect(lists).toEqual([{ language: 'all', filters }])
    expectOk(await copy.call('PUT', '/block_user_chat', { token, body: { gamer_id: 'new', days: 1 } }))
  }
  const counts = await countsOf(server, token)
  for (const { name, acknowledged } of writers) expect(counts.get(name)).toBe(acknowledged)
}, 120_000)

test('contains the message log, apart from damaged files, which it names', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  const days = [1, 2, 3].map((seq) => messageFixture(seq, NOW + seq * 86_400_000))
  await using server = await spawnServer(folder.path)
  {
    await using opened = await openMessagesIn(folder.path)
    for (const message of days) await opened.store.appendMessages([message])
  }
  const damaged = path.join(folder.path, 'messages', '2027-01-17.db')
  writeFileSync(damaged, 'x'.repeat(9000))
  const to = path.join(targets.path, 'copy')
  const { code, stderr } = await runParley(['backup', to], { PARLEY_DATA_DIR: folder.path })
  expect([code, await server.kill('SIGTERM')]).toEqual([0, 0])
  expect(stderr).toContain(`Left out of the backup: Cannot copy ${damaged}`)
  expect(readdirSync(path.join(to, 'messages')).sort()).toEqual([
    '2027-01-16.db',
    '2027-01-18.db',
    'sequences.db',
  ])
  await using copy = await openMessagesIn(to)
  const everything = { since: 0, before: undefined, limit: 10 }
  expect((await copy.store.listMessages(everything)).map(({ seq }) => seq)).toEqual([3, 1])
}, 60_000)

test('a backup is readable only by its owner', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  const to = path.join(targets.path, 'copy')
  await using _server = await spawnServer(folder.path, OWN_TOKEN)
  expect((await backup(folder.path, to)).code).toBe(0)
  expect(readFileSync(path.join(to, 'master-token'))).toEqual(
    readFileSync(path.join(folder.path, 'master-token')),
  )
  expect(statSync(to).mode & 0o077).toBe(0)
  for (const name of readdirSync(to)) expect(statSync(path.join(to, name)).mode & 0o077).toBe(0)
}, 30_000)

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'backs up a folder whose server ended by %s',
  async (signal) => {
    using folder = temporaryFolder()
    using targets = temporaryFolder()
    // An existing empty folder is accepted as a target.
    const to = path.join(targets.path, 'copy')
    mkdirSync(to)
    await using server = await spawnServer(folder.path)
    expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'one', days: 1 } }))
    await server.kill(signal)
    expect((await backup(folder.path, to)).code).toBe(0)
    for (const each of [to, folder.path]) {
      expect(checkIntegrity(each)).toBe('ok')
      await using copy = await spawnServer(each)
      expect(expectOk(await copy.call('GET', '/block_user_list')).json).toMatchObject([
        { gamer_id: 'one', count: 1 },
      ])
    }
  },
  30_000,
)

test('a failed backup leaves nothing behind', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  await (await spawnServer(folder.path)).kill('SIGTERM')
  writeFileSync(databasePath(folder.path), 'x'.repeat(9000))
  const { code, stderr } = await backup(folder.path, path.join(targets.path, 'copy'))
  expect(code).toBe(1)
  expect(stderr).toContain(`Cannot copy ${databasePath(folder.path)}`)
  expect(readdirSync(targets.path)).toEqual([])
}, 30_000)

test('removes what a killed backup left', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  await (await spawnServer(folder.path)).kill('SIGTERM')
  const unfinished = path.join(targets.path, 'first.unfinished')
  {
    // The backup waits for this lock for five seconds.
    using db = new Database(databasePath(folder.path))
    db.run('PRAGMA locking_mode = EXCLUSIVE')
    db.run('BEGIN EXCLUSIVE')
    const child = Bun.spawn([process.execPath, 'src/main.ts', 'backup', path.join(targets.path, 'first')], {
      cwd: ROOT,
      env: environment({ PARLEY_DATA_DIR: folder.path }),
    })
    await until(async () => existsSync(path.join(unfinished, 'lock.db')), Boolean)
    child.kill('SIGKILL')
    await child.exited
  }
  expect(existsSync(unfinished)).toBe(true)
  expect((await backup(folder.path, path.join(targets.path, 'second'))).code).toBe(0)
  expect(readdirSync(targets.path)).toEqual(['second'])
  expect(existsSync(path.join(targets.path, 'second', 'lock.db'))).toBe(false)
}, 60_000)

test('leaves what a running backup has written, and folders that are not of a backup', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  await (await spawnServer(folder.path)).kill('SIGTERM')
  const [running, unrelated] = ['first.unfinished', 'mine.unfinished'].map((name) =>
    path.join(targets.path, name),
  ) as [string, string]
  for (const each of [running, unrelated]) mkdirSync(each)
  using _lock = lockFile(path.join(running, 'lock.db'))
  expect((await backup(folder.path, path.join(targets.path, 'second'))).code).toBe(0)
  const { code, stderr } = await backup(folder.path, path.join(targets.path, 'first'))
  expect(code).toBe(1)
  expect(stderr).toContain(`another backup is writing to ${running}`)
  expect(readdirSync(targets.path).sort()).toEqual(['first.unfinished', 'mine.unfinished', 'second'])
}, 60_000)

test('rejects a target folder that is not empty and leaves it unchanged', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  await using _server = await spawnServer(folder.path)
  writeFileSync(path.join(targets.path, 'notes.txt'), 'mine')
  const { code, stderr } = await backup(folder.path, targets.path)
  expect(code).toBe(1)
  expect(stderr).toContain(targets.path)
  expect(stderr).toMatch(/not empty/)
  expect(readdirSync(targets.path)).toEqual(['notes.txt'])

  const before = hashFile(databasePath(folder.path))
  const onItself = await backup(folder.path, folder.path)
  expect(onItself.code).toBe(1)
  expect(hashFile(databasePath(folder.path))).toBe(before)
}, 30_000)

test('reports a missing data folder and a missing target argument', async () => {
  using targets = temporaryFolder()
  const missing = path.join(targets.path, 'missing')
  const to = path.join(targets.path, 'copy')
  const { code, stderr } = await backup(missing, to)
  expect(code).toBe(1)
  expect(stderr.trim()).toStartWith(`No data file in ${missing}. `)
  expect(existsSync(missing)).toBe(false)
  expect(existsSync(to)).toBe(false)

  const nameless = await runParley(['backup'], { PARLEY_DATA_DIR: missing })
  expect(nameless.code).toBe(1)
  expect(nameless.stderr).toMatch(/parley backup FOLDER/)
}, 30_000)

test.each([
  {
    name: 'a file',
    target: (folder: string) => path.join(folder, 'file'),
    reason: 'not a folder. Move that file away, or specify another folder.',
  },
  {
    name: 'a path below a file',
    target: (folder: string) => path.join(folder, 'file', 'copy'),
    reason: 'part of the path is not a folder. Correct the path, or specify another folder.',
  },
  {
    name: 'a folder that cannot be created',
    target: () => '/proc/parley-backup/copy',
    reason: 'it cannot be created there. Correct the path, or specify another folder.',
  },
])(
  'a backup to $name is rejected with the path and the remedy',
  async ({ target, reason }) => {
    using folder = temporaryFolder()
    using targets = temporaryFolder()
    writeFileSync(path.join(targets.path, 'file'), 'mine')
    await (await spawnServer(folder.path)).kill('SIGTERM')
    const to = target(targets.path)
    const { code, stdout, stderr } = await backup(folder.path, to)
    expect([code, stdout, stderr.trim()]).toEqual([1, '', `Cannot write the backup to ${to}: ${reason}`])
  },
  30_000,
)

test('a backup into the data folder is rejected, also through a symbolic link, and leaves nothing there', async () => {
  using folder = temporaryFolder()
  using targets = temporaryFolder()
  await (await spawnServer(folder.path)).kill('SIGTERM')
  const link = path.join(targets.path, 'link')
  symlinkSync(folder.path, link)
  const before = readdirSync(folder.path).sort()
  for (const parent of [folder.path, path.join(folder.path, 'messages'), link]) {
    const to = path.join(parent, 'new', 'copy')
    const { code, stderr } = await backup(folder.path, to)
    const reason = `it is inside the data folder ${folder.path}. Specify another folder.`
    expect([code, stderr.trim()]).toEqual([1, `Cannot write the backup to ${to}: ${reason}`])
  }
  expect(readdirSync(folder.path).sort()).toEqual(before)
  const sibling = `${folder.path}-copy`
  expect((await backup(folder.path, sibling)).code).toBe(0)
  rmSync(sibling, { recursive: true })
}, 30_000)
