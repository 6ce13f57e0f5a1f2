import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, runParley, type ServerProcess, spawnServer } from '../support/process.ts'
import { makeFolder, TOKEN } from '../support/server.ts'

let folder: string
let s: ServerProcess

beforeAll(async () => {
  folder = makeFolder()
  s = await spawnServer(path.join(folder, 'data'))
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const filters = (...args: string[]) =>
  runParley(['filters', ...args, '--server', s.url], { PARLEY_MASTER_TOKEN: TOKEN })
const starter = (language: string) =>
  readFileSync(path.join(ROOT, 'starters', `${language}.txt`), 'utf8')
    .trim()
    .split('\n')
const LANGUAGES = readdirSync(path.join(ROOT, 'starters'))
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.replace('.txt', ''))

interface Entry {
  readonly language: string
  readonly filters: readonly string[]
}
const listOf = async (language: string): Promise<readonly string[] | undefined> =>
  (await s.call('GET', '/bad_word_list')).json.find((each: Entry) => each.language === language)?.filters
const put = (language: string, words: readonly string[]) =>
  s.call('PUT', '/bad_word_list', { body: { language, filters: words } })

function write(content: string | Uint8Array): string {
  const file = path.join(folder, `${crypto.randomUUID()}.txt`)
  writeFileSync(file, content)
  return file
}

describe('starters', () => {
  test('are listed with their counts and a reference to their sources', async () => {
    const { code, stdout } = await runParley(['filters', 'starters'])
    expect(code).toBe(0)
    for (const language of LANGUAGES) {
      const count = starter(language).length.toLocaleString('en')
      expect(stdout).toMatch(new RegExp(`^${language} +${count} expressions$`, 'm'))
    }
    expect(stdout).toContain(path.join('starters', 'README.md'))
  })

  test('ship with their sources and licenses', () => {
    const readme = readFileSync(path.join(ROOT, 'starters', 'README.md'), 'utf8')
    for (const license of ['CC-BY-4.0.txt', 'MIT-korean-bad-words.txt']) {
      expect(readme).toContain(`licenses/${license}`)
      expect(readFileSync(path.join(ROOT, 'starters', 'licenses', license), 'utf8').length).toBeGreaterThan(
        900,
      )
    }
    expect(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).files).toContain('starters')
  })
})

describe('import', () => {
  test('adds a starter list to the existing list, effective immediately', async () => {
    const own = ['우리말', '후장', '우리말']
    await put('KO', own)
    const { code, stdout, stderr } = await filters('import', '--starter', 'ko')
    expect([code, stderr]).toEqual([0, ''])
    const added = starter('ko').filter((word) => !own.includes(word))
    const merged = [...own, ...added]
    expect(await listOf('KO')).toEqual(merged)
    expect(stdout).toBe(
      `KO: ${starter('ko').length.toLocaleString('en')} read, ${added.length.toLocaleString('en')} new, ` +
        `${merged.length.toLocaleString('en')} in the list\n`,
    )
    const { json } = await s.call('POST', '/filter_check', { body: { language: 'ko-KR', texts: ['후장'] } })
    expect(json.results[0].verdict).toBe('masked')
  })

  test('changes nothing the second time', async () => {
    await filters('import', '--starter', 'da')
    const { headers } = await s.call('GET', '/bad_word_list')
    expect((await filters('import', '--starter', 'da')).stdout).toBe('da: 20 read, 0 new, 20 in the list\n')
    expect((await s.call('GET', '/bad_word_list')).headers.get('etag')).toBe(headers.get('etag'))
  })

  test('replaces the existing list with --replace', async () => {
    await put('sv', ['eget', 'fitta'])
    const { stdout } = await filters('import', '--starter', 'sv', '--replace')
    expect(stdout).toBe('sv: 33 read, 32 new, 1 removed, 33 in the list\n')
    expect(await listOf('sv')).toEqual(starter('sv'))
  })

  test('reports the outcome and changes nothing with --dry-run', async () => {
    await put('cs', ['vlastní'])
    const { code, stdout } = await filters('import', '--starter', 'cs,tlh', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toBe(
      'cs: 36 read, 36 new, 37 would be in the list\ntlh: 3 read, 3 new, 3 would be in the list\n',
    )
    expect([await listOf('cs'), await listOf('tlh')]).toEqual([['vlastní'], undefined])
  })

  test('imports all starter lists together', async () => {
    const { code, stdout } = await filters('import', '--starter', 'all', '--replace')
    expect([code, stdout.trim().split('\n').length]).toEqual([0, LANGUAGES.length])
    for (const language of LANGUAGES) expect(await listOf(language)).toEqual(starter(language))
  })

  test('reads a file with one expression per line and any line ending', async () => {
    const file = write('\ufeffone\r\n\n  two words \ntwo words\n#three\n')
    const { code, stdout } = await filters('import', '--file', file, '--language', 'xx')
    expect([code, stdout]).toEqual([0, 'xx: 3 read, 3 new, 3 in the list\n'])
    expect(await listOf('xx')).toEqual(['one', 'two words', '#three'])
  })

  test('keeps concurrent edits', async () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index}`)
    const imports = [0, 1, 2].map((part) =>
      filters(
        'import',
        '--file',
        write(words.slice(part * 50, part * 50 + 50).join('\n')),
        '--language',
        'yy',
      ),
    )
    const finished = await Promise.all(imports)
    expect(finished.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(new Set(await listOf('yy'))).toEqual(new Set(words.slice(0, 150)))
  })
})

describe('the token in the data folder', () => {
  test('is used when none is configured, with the address from the settings', async () => {
    const data = path.join(folder, 'own-token')
    await using own = await spawnServer(data, { PARLEY_MASTER_TOKEN: '' })
    const { port } = new URL(own.url)
    const args = [
      'filters',
      'import',
      '--starter',
      'tlh',
      '--data-dir',
      data,
      '--port',
      port,
      '--host',
      '0.0.0.0',
    ]
    expect(await runParley(args)).toEqual({
      code: 0,
      stdout: 'tlh: 3 read, 3 new, 3 in the list\n',
      stderr: '',
    })
  })
})

describe('reports', () => {
  test.each<[string, string[], string]>([
    ['nothing to import', ['import'], 'Specify a list to import: --starter NAME, or --file LIST.txt'],
    ['both a starter and a file', ['import', '--starter', 'ko', '--file', 'x'], 'Specify a list to import'],
    ['an unknown starter', ['import', '--starter', 'xx'], 'Unknown starter list "xx". Available: ar, cs,'],
    [
      'a missing file',
      ['import', '--file', '/nowhere.txt', '--language', 'xx'],
      '/nowhere.txt does not exist.',
    ],
    ['a file without a language', ['import', '--file', 'README.md'], 'Specify the language of the file'],
    ['an unknown subcommand', ['export'], 'Usage: "parley filters import" or "parley filters starters".'],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await filters(...args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
  })

  test('files without a list', async () => {
    const empty = await filters('import', '--file', write('\n \n'), '--language', 'xx')
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('contains no expressions')])
    const binary = await filters('import', '--file', write(new Uint8Array([0xff, 0xfe])), '--language', 'xx')
    expect([binary.code, binary.stderr]).toEqual([1, expect.stringContaining('is not valid UTF-8')])
  })

  test('the error message of the server', async () => {
    const { code, stderr } = await filters('import', '--file', write('x'), '--language', 'nonsense')
    expect([code, stderr]).toEqual([1, expect.stringContaining('"language" has an invalid value.')])
  })

  test('a wrong token without printing it', async () => {
    const wrong = 'another-token-of-40-characters-xxxxxxxxx'
    const { code, stderr } = await runParley(['filters', 'import', '--starter', 'ko', '--server', s.url], {
      PARLEY_MASTER_TOKEN: wrong,
    })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('There is a problem with the user credentials.'),
    ])
    expect(stderr).not.toContain(wrong)
  })

  test('an unreachable server and an invalid address', async () => {
    const env = { PARLEY_MASTER_TOKEN: TOKEN }
    const away = await runParley(['filters', 'import', '--starter', 'ko', '--port', '1'], env)
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringContaining(
        'Cannot reach a server at http://127.0.0.1:1. Start it, or specify another with --server',
      ),
    ])
    const none = await runParley(['filters', 'import', '--starter', 'ko', '--server', 'nonsense'], env)
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--server nonsense')])
    const noPort = await runParley(['filters', 'import', '--starter', 'ko', '--port', '0'], env)
    expect([noPort.code, noPort.stderr]).toEqual([
      1,
      expect.stringContaining('Specify the server with --server'),
    ])
  })

  test('its flags on another command', async () => {
    const { code, stderr } = await runParley(['check-config', '--starter', 'ko'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('--starter: not a flag of "parley check-config".'),
    ])
  })
})
