import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { SETTINGS } from '../../src/settings.ts'
import { runParley } from '../support/process.ts'
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

describe('help', () => {
  test.each([[['--help']], [['help']], [[]]])('parley %j lists the commands on one screen', async (args) => {
    const { code, stdout } = await runParley(args)
    expect(code).toBe(0)
    for (const command of ['start', 'token', 'check-config', 'backup', 'filters', 'help settings'])
      expect(stdout).toContain(`parley ${command}`)
    expect(stdout.split('\n').length).toBeLessThan(15)
  })

  test('help settings lists every setting as a flag, and secrets as variables', async () => {
    const { code, stdout } = await runParley(['help', 'settings'])
    expect(code).toBe(0)
    for (const [name, setting] of Object.entries(SETTINGS)) {
      const shown = 'secret' in setting ? `PARLEY_${name} ` : `--${name.toLowerCase().replaceAll('_', '-')} `
      expect(stdout).toContain(shown)
    }
    expect(stdout).not.toContain('--master-token')
  })

  test.each([
    [['help', 'filters']],
    [['help', 'filters', 'import']],
    [['filters', '--help']],
    [['filters', 'import', '--help']],
  ])('parley %j lists its flags', async (args) => {
    const { code, stdout } = await runParley(args)
    expect([code, stdout.includes('--dry-run')]).toEqual([0, true])
  })

  test('--version prints the version', async () => {
    expect(await runParley(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each(['nonsense', 'constructor', '__proto__'])(
    'rejects the unknown command "%s" with one line',
    async (command) => {
      const { code, stdout, stderr } = await runParley([command])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`"${command}"`)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    },
  )

  test.each([
    [['help', 'filters', 'export'], 'Unknown command "filters export". "parley help filters" shows'],
    [['strat'], 'Unknown command "strat". Did you mean "start"?'],
    [['start', '--prot', '1'], '--prot: unknown flag. Did you mean --port?'],
    [['start', 'extra'], '"extra": unexpected argument.'],
    [['backup', 'a', 'b'], '"b": unexpected argument.'],
    [['start', '--port'], '--port: needs a value'],
    [['start', '--port', '--host'], '--port: needs a value'],
    [['start', '--dry-run'], '--dry-run: not a flag of "parley start"'],
    [['filters', 'import', '--replace=yes'], '--replace: takes no value'],
  ])('rejects parley %j with one line that suggests a fix', async (args, message) => {
    const { code, stdout, stderr } = await runParley(args, { PARLEY_DATA_DIR: inFolder('typo') })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toStartWith(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(existsSync(inFolder('typo'))).toBe(false)
  })

  test('reports unknown flags with every other configuration problem', async () => {
    const file = inFolder('unknown-keys.json')
    writeFileSync(file, JSON.stringify({ prot: 1 }))
    const args = ['check-config', '--hots', '::', '--max-groups', '0', '--dry-run', 'extra', '--nonsense=1']
    const env = { PARLEY_CONFIG: file, PARLEY_NO_SUCH: '1' }
    const { code, stdout, stderr } = await runParley(args, env)
    expect([code, stdout]).toEqual([1, ''])
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual([
      '--hots',
      '--nonsense',
      '--dry-run',
      '"extra"',
      'PARLEY_NO_SUCH',
      'PARLEY_CONFIG',
      'PARLEY_MAX_GROUPS',
    ])
  })

  test('rejects an unknown flag without a command', async () => {
    const { code, stdout, stderr } = await runParley(['--nonsense', 'start'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toStartWith('--nonsense: unknown flag.')
  })

  test('rejects secrets as flags and does not print them', async () => {
    for (const args of [['--master-token', TOKEN], [`--master-token=${TOKEN}`]]) {
      const { code, stdout, stderr } = await runParley(['check-config', ...args])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('PARLEY_MASTER_TOKEN_FILE')
      expect(stderr).not.toContain(TOKEN)
    }
  })
})

describe('check-config', () => {
  test('prints the settings and the source of each that is not a default', async () => {
    const file = inFolder('some.json')
    writeFileSync(
      file,
      JSON.stringify({ 'max-groups': 7, origins: ['https://a.example', 'https://b.example'] }),
    )
    const env = {
      PARLEY_PORT: '1111',
      PARLEY_HOST: '0.0.0.0',
      PARLEY_CONFIG: file,
      PARLEY_MASTER_TOKEN: TOKEN,
    }
    const { code, stdout, stderr } = await runParley(['check-config', '--port', '2222'], env)
    expect(code).toBe(0)
    const settings = JSON.parse(stdout)
    expect(settings).toMatchObject({
      port: 2222,
      host: '0.0.0.0',
      'max-groups': 7,
      origins: 'https://a.example,https://b.example',
      'max-channels': 100_000,
      'rate-limit': 'on',
    })
    const shown = Object.entries(SETTINGS).filter(([, setting]) => !('secret' in setting))
    expect(Object.keys(settings)).toEqual(shown.map(([name]) => name.toLowerCase().replaceAll('_', '-')))
    expect(
      stderr
        .trim()
        .split(/\n/)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['host', 'from PARLEY_HOST'],
      ['port', 'from --port'],
      ['master-token', 'from PARLEY_MASTER_TOKEN, not shown'],
      ['origins', `from "origins" in ${file}`],
      ['max-groups', `from "max-groups" in ${file}`],
      ['All other settings are at their defaults.'],
    ])
  })

  test('prints a configuration file that yields the same settings', async () => {
    const env = {
      PARLEY_PORT: '1111',
      PARLEY_MAX_GROUPS: '3',
      PARLEY_NODE_NAME: '007',
      PARLEY_RATE_LIMIT: 'off',
    }
    const first = await runParley(['check-config'], env)
    const file = inFolder('fed-back.json')
    writeFileSync(file, first.stdout)
    const second = await runParley(['check-config'], { PARLEY_CONFIG: file })
    expect(second).toMatchObject({ code: 0, stdout: first.stdout })
    expect(second.stderr).toContain(file)
  })

  test('reports each problem on a line that starts with the variable, and exits with 1', async () => {
    const env = { PARLEY_PORT: 'x', PARLEY_NO_SUCH: '1', PARLEY_MASTER_TOKEN: 'short-secret' }
    const { code, stdout, stderr } = await runParley(['check-config', '--max-groups', '0'], env)
    expect([code, stdout]).toEqual([1, ''])
    const lines = stderr.trim().split('\n')
    expect(lines.map((line) => line.split(': ')[0]!).sort()).toEqual([
      'PARLEY_MASTER_TOKEN',
      'PARLEY_MAX_GROUPS',
      'PARLEY_NO_SUCH',
      'PARLEY_PORT',
    ])
    expect(stderr).not.toContain('short-secret')
  })

  test('never prints a secret, whatever its source', async () => {
    const file = inFolder('secret')
    writeFileSync(file, OTHER_TOKEN)
    const env = { PARLEY_MASTER_TOKEN: TOKEN, PARLEY_PLAYER_SECRET_FILE: file }
    const { code, stdout, stderr } = await runParley(['check-config'], env)
    expect(code).toBe(0)
    for (const secret of [TOKEN, OTHER_TOKEN]) expect(stdout + stderr).not.toContain(secret)
  })
})

describe('token', () => {
  test('prints the configured token', async () => {
    const { code, stdout } = await runParley(['token'], { PARLEY_MASTER_TOKEN: TOKEN })
    expect([code, stdout]).toEqual([0, `${TOKEN}\n`])
  })

  test('fails before the first start', async () => {
    const { code, stdout, stderr } = await runParley(['token', '--data-dir', inFolder('never')])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('No master token')
  })
})
