import { describe, expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { messageFixture, NOW } from '../support/message.ts'
import { openMessagesIn } from '../support/message-store.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { createCaller, makeFolder, TOKEN } from '../support/server.ts'
import {
  checkIntegrity,
  databasePath,
  expectOk,
  getPage,
  runStart,
  temporaryFolder,
  tryStart,
  UNAVAILABLE,
} from './support.ts'

const DISK_MEGABYTES = 6

const run = (...command: string[]) => Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).success

/** A tmpfs that is small enough to fill. */
class SmallDisk implements Disposable {
  readonly path = makeFolder()
  readonly #filler = path.join(this.path, 'filler')

  constructor() {
    if (run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', this.path)) return
    rmSync(this.path, { recursive: true, force: true })
    throw new Error('tmpfs cannot be mounted')
  }

  /** Uses up all remaining space. */
  fill(): void {
    const file = openSync(this.#filler, 'a')
    try {
      for (let size = 1 << 20; size >= 1; size = size >> 1) while (takes(file, size));
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#filler)
  }

  [Symbol.dispose](): void {
    // Lazily, because a server left by a failing test must not keep the mount.
    run('umount', '-l', this.path)
    rmSync(this.path, { recursive: true, force: true })
  }
}

function takes(file: number, size: number): boolean {
  try {
    return writeSync(file, new Uint8Array(size)) > 0
  } catch {
    return false
  }
}

function canMount(): boolean {
  try {
    using _disk = new SmallDisk()
    return true
  } catch {
    return false
  }
}

const mounts = process.getuid?.() === 0 && canMount()
const unshares = !mounts && run('unshare', '-rm', 'true')
if (!mounts && !unshares) process.stderr.write('disk: skipped, neither mount nor unshare -rm is allowed\n')

/** Bans players until `failures` requests in a row are rejected; returns the players it banned. */
async function banUntilRejected(server: Pick<ServerProcess, 'call'>, prefix: string, failures: number) {
  const taken: string[] = []
  for (let number = 0, rejected = 0; rejected < failures; number++) {
    const gamer_id = `${prefix}-${number}-${'x'.repeat(80)}`
    const response = await server.call('PUT', '/block_user_chat', { body: { gamer_id, days: 1 } })
    if (response.status === 200) taken.push(gamer_id)
    rejected = response.status === 200 ? 0 : rejected + 1
    if (response.status === 200) continue
    expect(response.status).toBe(503)
    expect(response.json).toEqual(UNAVAILABLE)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
  return taken
}

async function bannedPlayers(server: ServerProcess): Promise<string[]> {
  const { json } = expectOk(await server.call('GET', '/block_user_list'))
  return json.map((ban: { gamer_id: string }) => ban.gamer_id).sort()
}

const WORDS = Array.from({ length: 1000 }, (_, index) => `word-${index}`)
const MORE_WORDS = Array.from({ length: 30_000 }, (_, index) => `another-word-${index}-${'x'.repeat(80)}`)

describe.skipIf(!mounts)('a full disk', () => {
  test('never delays chat, and messages sent meanwhile are logged once there is space', async () => {
    using disk = new SmallDisk()
    const folder = path.join(disk.path, 'data')
    await using server = await spawnServer(folder, {
      PARLEY_PLAYER_SECRET: PLAYER_SECRET,
      PARLEY_FLOOD_LIMIT: 'off',
    })
    const channel = { channel_group: 'g', channel_name: 'a' }
    expectOk(await server.call('PUT', '/open_channels', { body: channel }))
    using mina = await TestPlayer.connect(server.url, 'mina')
    await mina.join('g', 'a')
    disk.fill()
    await banUntilRejected(server, 'full', 1)
    const said: { message_id: string }[] = []
    for (let index = 0; index < 200; index++) said.push(await mina.say('g', `m${index} ${'x'.repeat(200)}`))
    expect(mina.frames.some(({ type }) => type === 'error')).toBe(false)
    disk.free()
    using joon = await TestPlayer.connect(server.url, 'joon')
    const report = { message_id: said[0]!.message_id, keyword: 'SPAM' }
    expect(await joon.ask('report', report)).toMatchObject({ type: 'reported' })
  }, 60_000)

  test('at midnight keeps the messages of both days once there is space', async () => {
    using disk = new SmallDisk()
    const midnight = Math.ceil(NOW / 86_400_000) * 86_400_000
    const first = messageFixture(1, midnight - 3)
    const elsewhere = { ...messageFixture(1, midnight - 2), shard: { ...first.shard, number: 2 }, epoch: 'f' }
    const batch = [elsewhere, messageFixture(2, midnight - 1), messageFixture(3, midnight)]
    await using opened = await openMessagesIn(disk.path)
    const { store } = opened
    await store.openSequences()
    await store.appendMessages([first])
    disk.fill()
    for (let attempt = 0; attempt < 3; attempt++) {
      const rejected = await store.appendMessages(batch).catch((thrown: unknown) => thrown)
      expect(rejected).toMatchObject({ kind: 'unavailable' })
    }
    expect(await store.findMessage(first.id)).toEqual(first)
    disk.free()
    await store.appendMessages(batch)
    expect((await store.listAround(first, 5)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(await store.findMessage(elsewhere.id)).toEqual(elsewhere)
    expect(await store.readSequence(first.shard, 5)).toMatchObject({ seq: 3, since: 0 })
    expect(opened.damaged).toEqual([])
  }, 60_000)

  test('rejects writes, keeps serving reads, and accepts writes again once there is space', async () => {
    using disk = new SmallDisk()
    const folder = path.join(disk.path, 'data')
    const acknowledged: string[] = []
    {
      await using server = await spawnServer(folder)
      const edit = { language: 'all', filters: WORDS }
      expectOk(await server.call('PUT', '/bad_word_list', { body: edit }))
      const channel = { channel_group: 'global', channel_name: 'lobby', is_default: true }
      expectOk(await server.call('PUT', '/open_channels', { body: channel }))
      disk.fill()

      acknowledged.push(...(await banUntilRejected(server, 'full', 20)))
      expect(await bannedPlayers(server)).toEqual(acknowledged.toSorted())

      const tooMuch = await server.call('PUT', '/bad_word_list', {
        body: { language: 'all', filters: MORE_WORDS },
      })
      expect([tooMuch.status, tooMuch.json]).toEqual([503, UNAVAILABLE])
      expect(expectOk(await server.call('GET', '/bad_word_list')).json).toEqual([edit])

      const another = { ...channel, channel_name: 'another' }
      const rejected = await server.call('PUT', '/open_channels', { body: another })
      expect([rejected.status, rejected.json]).toEqual([503, UNAVAILABLE])
      const { json } = expectOk(await server.call('GET', '/open_channels?channel_group=global'))
      expect(json).toMatchObject([{ channel_name: 'lobby', is_default: true }])
      expect(await getPage(server, '/livez')).toEqual({ status: 200, json: { status: 'alive' } })

      disk.free()
      for (const gamer_id of ['roomy-1', 'roomy-2']) {
        expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id, days: 1 } }))
        acknowledged.push(gamer_id)
      }
      expectOk(await server.call('PUT', '/open_channels', { body: another }))
      expect(await bannedPlayers(server)).toEqual(acknowledged.toSorted())
      await server.kill('SIGKILL')
    }
    await using server = await spawnServer(folder)
    expect(await bannedPlayers(server)).toEqual(acknowledged.toSorted())
    const { json } = expectOk(await server.call('GET', '/open_channels?channel_group=global'))
    expect(json).toMatchObject([
      { channel_name: 'another', is_default: true },
      { channel_name: 'lobby', is_default: false },
    ])
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(checkIntegrity(folder)).toBe('ok')
  }, 120_000)

  test('is not mistaken for lost files', async () => {
    using disk = new SmallDisk()
    const config = readConfig({
      flags: {},
      env: { PARLEY_DATA_DIR: path.join(disk.path, 'data'), PARLEY_PORT: '0', PARLEY_MASTER_TOKEN: TOKEN },
    })
    const failures: Error[] = []
    const server = await startServer(config, {
      log: createLogger('silent'),
      onFailure: (error) => failures.push(error),
      storage: { inspectEveryMs: 2 },
    })
    const call = createCaller(server.url.href)
    disk.fill()
    await banUntilRejected({ call }, 'full', 200)
    disk.free()
    expectOk(await call('PUT', '/block_user_chat', { body: { gamer_id: 'roomy', days: 1 } }))
    expect(failures).toEqual([])
    await server.stop()
  }, 60_000)

  test('loses no acknowledged write when the process is killed', async () => {
    using disk = new SmallDisk()
    const folder = path.join(disk.path, 'data')
    const acknowledged: string[] = []
    {
      await using server = await spawnServer(folder)
      for (const gamer_id of ['early-1', 'early-2', 'early-3']) {
        expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id, days: 1 } }))
        acknowledged.push(gamer_id)
      }
      disk.fill()
      acknowledged.push(...(await banUntilRejected(server, 'full', 5)))
      await server.kill('SIGKILL')
    }
    disk.free()
    await using server = await spawnServer(folder)
    expect(await bannedPlayers(server)).toEqual(acknowledged.toSorted())
  }, 120_000)

  test('prevents a first start with a clear message, and the next start succeeds', async () => {
    using disk = new SmallDisk()
    const folder = path.join(disk.path, 'data')
    mkdirSync(folder)
    disk.fill()
    const { code, stderr } = await runStart(folder)
    expect(code).toBe(1)
    expect(stderr).toContain(folder)
    expect(stderr).toMatch(/\bfull\b/)
    disk.free()
    await using server = await spawnServer(folder)
    expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'one', days: 1 } }))
  }, 60_000)

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s lets an existing folder start and serve reads, or reports the reason',
    async (signal) => {
      using disk = new SmallDisk()
      const folder = path.join(disk.path, 'data')
      {
        await using server = await spawnServer(folder)
        expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'one', days: 1 } }))
        await server.kill(signal)
      }
      disk.fill()
      const started = await tryStart(folder)
      if (typeof started === 'string') {
        expect(started).toContain(databasePath(folder))
        expect(started).toMatch(/\bfull\b/)
      } else {
        await using server = started
        expect(await bannedPlayers(server)).toEqual(['one'])
      }
      disk.free()
      await using server = await spawnServer(folder)
      expect(await bannedPlayers(server)).toEqual(['one'])
    },
    60_000,
  )
})

/** Without root, runs this file as root in a user namespace. */
test.skipIf(!unshares)(
  'a full disk, in a user namespace',
  async () => {
    using home = temporaryFolder()
    const child = Bun.spawn(['unshare', '-rm', process.execPath, 'test', import.meta.path], {
      env: { PATH: process.env['PATH'] ?? '', HOME: home.path },
      stdout: 'inherit',
      stderr: 'pipe',
    })
    const [output, code] = await Promise.all([child.stderr.text(), child.exited])
    process.stderr.write(output)
    expect(code).toBe(0)
    expect(output).toMatch(/[1-9]\d* pass/)
  },
  300_000,
)
