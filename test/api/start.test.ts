import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, runParley, spawnServer } from '../support/process.ts'
import { makeFolder, TOKEN } from '../support/server.ts'

const OTHER_TOKEN = 'other-master-token-of-44-characters-xxxxxxxx'

let folder: string
beforeAll(() => {
  folder = makeFolder()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const inFolder = (name: string) => path.join(folder, name)

/** Starts a server on a terminal, stops it when it listens, and returns what it printed. */
async function runOnTerminal(dir: string): Promise<string> {
  let shown = ''
  const env = { PATH: process.env['PATH'] ?? '', PARLEY_DATA_DIR: dir, PARLEY_PORT: '0' }
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'start'], {
    cwd: ROOT,
    env,
    terminal: {
      cols: 1000,
      data(_, bytes) {
        const wasListening = shown.includes('is listening on')
        shown += Buffer.from(bytes).toString()
        if (!wasListening && shown.includes('is listening on')) child.kill('SIGTERM')
      },
    },
  })
  expect(await child.exited).toBe(0)
  return shown
}

describe('start', () => {
  test.each<[string, Record<string, string>]>([
    ['an unknown PARLEY_ variable', { PARLEY_NO_SUCH: '1' }],
    ['a bad value', { PARLEY_PORT: 'x' }],
  ])('fails on %s', async (_, env) => {
    const { code, stderr } = await runParley(['start'], { PARLEY_DATA_DIR: inFolder('rejected'), ...env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^PARLEY_(NO_SUCH|PORT): /)
  })

  test('picks a free port for PARLEY_PORT=0 and logs it', async () => {
    await using s = await spawnServer(inFolder('port'))
    expect(Number(new URL(s.url).port)).toBeGreaterThan(0)
    expect((await s.call('GET', '/block_user_list')).status).toBe(200)
  })

  test('generates a 256-bit master token with mode 0600 on the first run and logs its path, not the token', async () => {
    const dir = inFolder('first')
    const env = { PARLEY_MASTER_TOKEN: '' }
    const file = path.join(dir, 'master-token')
    let token: string
    {
      await using first = await spawnServer(dir, env)
      token = readFileSync(file, 'utf8').trim()
      expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(32)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect((await first.call('GET', '/block_user_list', { token })).status).toBe(200)
      expect((await first.call('GET', '/block_user_list')).json.code).toBe(400701)
      expect(await first.kill('SIGTERM')).toBe(0)
      expect(first.output()).not.toContain(token)
      expect(first.output()).toContain(`generated a master token in ${file}`)
      expect(first.output()).toContain('parley token')
    }
    await using second = await spawnServer(dir, env)
    expect((await second.call('GET', '/block_user_list', { token })).status).toBe(200)
    expect(await second.kill('SIGTERM')).toBe(0)
    expect(second.output()).not.toContain(token)
    expect(second.output()).toContain(`master token: stored in ${file}`)
    const shown = await runParley(['token'], { PARLEY_DATA_DIR: dir })
    expect(shown).toEqual({ code: 0, stdout: `${token}\n`, stderr: '' })
  })

  test('prints the generated master token once, on a line of its own, when run on a terminal', async () => {
    const dir = inFolder('terminal')
    const first = await runOnTerminal(dir)
    const token = readFileSync(path.join(dir, 'master-token'), 'utf8').trim()
    expect(first).toContain(`\r\nMaster token: ${token}\r\n`)
    expect(first.split(token)).toHaveLength(2)
    expect(first).not.toContain('{')
    const second = await runOnTerminal(dir)
    expect(second).not.toContain(token)
    expect(second).toContain(`master token: stored in ${path.join(dir, 'master-token')}; "npx parley token"`)
  })

  test('logs the address of the API documentation', async () => {
    await using s = await spawnServer(inFolder('docs'), { PARLEY_ADMIN_PORT: '0' })
    expect(await s.kill('SIGTERM')).toBe(0)
    const admin = /on (http:\/\/\S+) for management"/.exec(s.output())?.[1]
    expect(s.output()).toContain(`"API documentation: ${admin}chat/v1/docs"`)
    expect(s.output()).toContain('"master token: taken from the configuration"')
  })

  test('never logs a configured token, at any log level', async () => {
    await using s = await spawnServer(inFolder('quiet'), { PARLEY_LOG_LEVEL: 'trace' })
    await s.call('GET', '/block_user_list')
    await s.call('GET', '/block_user_list', { token: OTHER_TOKEN })
    expect(await s.kill('SIGTERM')).toBe(0)
    for (const secret of [TOKEN, OTHER_TOKEN]) expect(s.output()).not.toContain(secret)
  })

  test('combines the data folder with a configuration file', async () => {
    const file = inFolder('config.json')
    writeFileSync(file, JSON.stringify({ 'max-groups': 1, 'default-max-count': 7 }))
    await using s = await spawnServer(inFolder('file'), { PARLEY_CONFIG: file })
    const create = (group: string) =>
      s.call('PUT', '/open_channels', { body: { channel_group: group, channel_name: 'a' } })
    expect((await create('one')).json.max_count).toBe(7)
    expect((await create('two')).json.code).toBe(400205)
  })

  test('rejects a data folder that another process is using', async () => {
    const dir = inFolder('shared')
    await using s = await spawnServer(dir)
    const { code, stderr } = await runParley(['start'], { PARLEY_DATA_DIR: dir, PARLEY_PORT: '0' })
    expect(code).toBe(1)
    expect(stderr).toContain('in use by another Parley')
    expect((await s.call('GET', '/block_user_list')).status).toBe(200)
  })
})
