import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { listenError } from '../../src/listener/listen-error.ts'
import { describeError } from '../../src/log.ts'
import { ROOT, spawnServer } from '../support/process.ts'
import { startServerOn, TOKEN } from '../support/server.ts'
import { databasePath, expectOk, runStart, temporaryFolder } from './support.ts'

const PORT_IN_USE = (port: string) =>
  `Cannot listen on 127.0.0.1:${port}: another process is using the port. ` +
  'Stop that process, or choose another port with PARLEY_PORT.'

test('fails on a port that another server is using', async () => {
  using folder = temporaryFolder()
  using another = temporaryFolder()
  await using first = await spawnServer(folder.path)
  const { port } = new URL(first.url)
  const second = await runStart(another.path, { PARLEY_PORT: port })
  expect(second.code).toBe(1)
  expect(second.stderr.trim()).toBe(PORT_IN_USE(port))
  for (const gamer_id of ['one', 'two', 'three']) {
    expectOk(await first.call('PUT', '/block_user_chat', { body: { gamer_id, days: 1 } }))
  }
  expect(expectOk(await first.call('GET', '/block_user_list')).json).toHaveLength(3)
}, 30_000)

test('a failed start releases the folder immediately', async () => {
  using taken = temporaryFolder()
  using folder = temporaryFolder()
  await using first = await spawnServer(taken.path)
  const { port } = new URL(first.url)
  await expect(startServerOn(folder.path, { PARLEY_PORT: port })).rejects.toThrow(PORT_IN_USE(port))
  const { server } = await startServerOn(folder.path)
  await server.stop()
  await using _other = await spawnServer(folder.path)
}, 30_000)

/** Runs a failing start in a separate process and returns the error message. */
async function failAndEnd(env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, 'failed-start.ts')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', PARLEY_PORT: '0', PARLEY_MASTER_TOKEN: TOKEN, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect(stderr).toBe('')
  expect(child.exitCode).toBe(0)
  return stdout
}

test('a failed start leaves no worker and no timer running', async () => {
  using folder = temporaryFolder()
  await using first = await spawnServer(folder.path)
  const { port } = new URL(first.url)
  using fresh = temporaryFolder()
  expect(await failAndEnd({ PARLEY_DATA_DIR: fresh.path, PARLEY_PORT: port })).toContain('using the port')
  expect(await failAndEnd({ PARLEY_DATA_DIR: fresh.path, PARLEY_HOST: '192.0.2.1' })).toContain('192.0.2.1:0')
  expect(await failAndEnd({ PARLEY_DATA_DIR: folder.path })).toContain('in use by another Parley')
  using damaged = temporaryFolder()
  writeFileSync(databasePath(damaged.path), 'a text\n'.repeat(999))
  expect(await failAndEnd({ PARLEY_DATA_DIR: damaged.path })).toContain(databasePath(damaged.path))
}, 60_000)

/** Starts a server that may open 512 files, stops it when it listens, and returns its log. */
async function runWithFewFiles(folder: string, env: Record<string, string>): Promise<string> {
  const child = Bun.spawn(['sh', '-c', 'ulimit -n 512; exec "$0" src/main.ts start', process.execPath], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', PARLEY_PORT: '0', PARLEY_DATA_DIR: folder, ...env },
    stdout: 'pipe',
  })
  let output = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    if (chunk.includes('is listening on')) child.kill('SIGTERM')
  }
  expect(await child.exited).toBe(0)
  return output
}

test('warns when the open files limit is below PARLEY_MAX_CONNECTIONS', async () => {
  using folder = temporaryFolder()
  expect(await runWithFewFiles(folder.path, { PARLEY_MAX_CONNECTIONS: '513' })).toContain(
    'open files limit 512 is below PARLEY_MAX_CONNECTIONS 513',
  )
  expect(await runWithFewFiles(folder.path, { PARLEY_MAX_CONNECTIONS: '512' })).not.toContain(
    'open files limit',
  )
}, 60_000)

interface FailingStart {
  readonly name: string
  /** Prepares the folder and returns the settings for the start. */
  readonly prepare: (folder: string) => Record<string, string>
  /** The single line on standard error, with FOLDER for the folder. */
  readonly message: string | RegExp
  readonly skip?: boolean
}

const isRoot = process.getuid?.() === 0
const LOWEST_FREE_PORT = Number(readFileIfAny('/proc/sys/net/ipv4/ip_unprivileged_port_start') ?? 1024)

const FAILING_STARTS: readonly FailingStart[] = [
  {
    name: 'a file in place of the data folder',
    prepare(folder) {
      writeFileSync(path.join(folder, 'data'), '')
      return { PARLEY_DATA_DIR: path.join(folder, 'data') }
    },
    message:
      'Cannot open the data folder FOLDER/data: not a folder. ' +
      'Move that file away, or choose another folder with PARLEY_DATA_DIR.',
  },
  {
    name: 'a file in the path of the data folder',
    prepare(folder) {
      writeFileSync(path.join(folder, 'data'), '')
      return { PARLEY_DATA_DIR: path.join(folder, 'data', 'deep') }
    },
    message:
      'Cannot open the data folder FOLDER/data/deep: part of the path is not a folder. ' +
      'Correct the path, or choose another folder with PARLEY_DATA_DIR.',
  },
  {
    name: 'a parent folder that is not writable',
    prepare: () => ({ PARLEY_DATA_DIR: '/sys/parley-test' }),
    message:
      /^Cannot open the data folder \/sys\/parley-test: (permission denied|operation not permitted|the file system is read-only)\. .+ or choose another folder with PARLEY_DATA_DIR\.$/,
    skip: !existsSync('/sys'),
  },
  {
    name: 'a data folder that is not writable',
    prepare(folder) {
      chmodSync(folder, 0o500)
      return {}
    },
    message: /^Cannot open the data folder FOLDER: lock\.db: unable to open database file .+ may write/,
    skip: isRoot,
  },
  {
    name: 'a folder in place of the lock',
    prepare(folder) {
      mkdirSync(path.join(folder, 'lock.db'))
      return {}
    },
    message: /^Cannot open the data folder FOLDER: lock\.db: unable to open database file .+ may write/,
  },
  {
    name: 'a folder in place of the data file',
    prepare(folder) {
      mkdirSync(databasePath(folder))
      return {}
    },
    message: /^Cannot open the data file FOLDER\/parley\.db: unable to open database file .+ may write/,
  },
  {
    name: 'another file in place of the data file',
    prepare(folder) {
      writeFileSync(databasePath(folder), 'a text\n'.repeat(999))
      return {}
    },
    message:
      /^Cannot open the data file FOLDER\/parley\.db: the file is damaged \(.+\)\. Restore a backup; .+\.$/,
  },
  {
    name: 'an address that is not local',
    prepare: () => ({ PARLEY_HOST: '192.0.2.1', PARLEY_PORT: '4140' }),
    message:
      'Cannot listen on 192.0.2.1:4140: this machine has no such address. ' +
      'Set PARLEY_HOST to one of its own, or to 0.0.0.0 or :: for all of them.',
  },
  {
    name: 'a privileged port',
    prepare: () => ({ PARLEY_PORT: '81' }),
    message:
      'Cannot listen on 127.0.0.1:81: permission denied. ' +
      'Ports below 1024 need CAP_NET_BIND_SERVICE; choose a higher port with PARLEY_PORT.',
    skip: isRoot || LOWEST_FREE_PORT <= 81,
  },
]

for (const { name, prepare, message, skip = false } of FAILING_STARTS) {
  test.skipIf(skip)(
    `reports the problem and a fix: ${name}`,
    async () => {
      using folder = temporaryFolder()
      const { code, stderr, stdout } = await runStart(folder.path, prepare(folder.path))
      chmodSync(folder.path, 0o700)
      const said = stderr.trim().replaceAll(folder.path, 'FOLDER')
      if (typeof message === 'string') expect(said).toBe(message)
      else expect(said).toMatch(message)
      expect(said.split('\n')).toHaveLength(1)
      expect(said).not.toMatch(/\.:/)
      expect(code).toBe(1)
      expect(stdout).toBe('')
    },
    30_000,
  )
}

function readFileIfAny(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

test.each([
  ['a full sentence alone', new Error('It is so.', { cause: new Error('deep') }), 'It is so.'],
  ['a fragment with its causes', new Error('a', { cause: new Error('b', { cause: 'c' }) }), 'a: b: c'],
  ['a thrown string as text', 'text', 'text'],
])('describes an error: %s', (_, error, expected) => {
  expect(describeError(error)).toBe(expected)
})

test('suggests a fix for a privileged port', () => {
  const denied = Object.assign(new Error('EACCES: permission denied, listen'), { code: 'EACCES' })
  const { message } = listenError({ host: '::', port: 80 }, denied)
  expect(message).toStartWith('Cannot listen on [::]:80: permission denied. ')
  expect(message).toContain('PARLEY_PORT')
})
