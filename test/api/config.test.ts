import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError, readConfig } from '../../src/config.ts'
import { flagOf, SETTINGS, type SettingName, variableOf } from '../../src/settings.ts'
import { makeFolder } from '../support/server.ts'

const SECRET = 'a-secret-of-forty-characters-xxxxxxxxxxx'
const OTHER_SECRET = 'another-secret-of-forty-characters-xxxxx'

let folder: string
beforeAll(() => {
  folder = makeFolder()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, content: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}
const config = (content: unknown) => write(`${crypto.randomUUID()}.json`, JSON.stringify(content))

/** Returns the lines of the ConfigError, or none when the configuration is valid. */
function findProblems(
  env: Record<string, string>,
  flags: Partial<Record<SettingName, string>> = {},
): string[] {
  try {
    readConfig({ flags, env })
    return []
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ConfigError)
    return (thrown as ConfigError).message.split('\n')
  }
}

describe('precedence', () => {
  const portOf = (sources: { flag?: string; env?: string; file?: unknown }) =>
    readConfig({
      flags: sources.flag === undefined ? {} : { PORT: sources.flag },
      env: {
        ...(sources.env !== undefined && { PARLEY_PORT: sources.env }),
        ...(sources.file !== undefined && { PARLEY_CONFIG: config({ port: sources.file }) }),
      },
    }).listen.port

  test('is flag, environment, file, default', () => {
    expect(portOf({})).toBe(4140)
    expect(portOf({ file: 1111 })).toBe(1111)
    expect(portOf({ file: 1111, env: '2222' })).toBe(2222)
    expect(portOf({ file: 1111, env: '2222', flag: '3333' })).toBe(3333)
    expect(portOf({ file: 1111, flag: '3333' })).toBe(3333)
  })

  test('skips validation of overridden values', () => {
    expect(portOf({ env: 'nonsense', flag: '3333' })).toBe(3333)
  })

  test('applies to each setting separately', () => {
    const env = {
      PARLEY_CONFIG: config({ port: 1111, host: '0.0.0.0', 'max-channels': '7' }),
      PARLEY_MAX_GROUPS: '3',
    }
    const { listen, limits } = readConfig({ flags: { PORT: '3333' }, env })
    expect([listen.port, listen.host, limits.channels, limits.groups]).toEqual([3333, '0.0.0.0', 7, 3])
  })
})

test('the defaults are the documented ones', () => {
  const { listen, dataDir, masterTokens, playerSecret, rateLimit, gateway, idempotencyMs, limits } =
    readConfig({ flags: {}, env: {} })
  expect([listen.host, listen.port, dataDir]).toEqual(['127.0.0.1', 4140, path.resolve('./data')])
  expect([masterTokens, playerSecret, idempotencyMs]).toEqual([[], undefined, 86_400_000])
  expect(gateway).toMatchObject({
    flood: {
      messages: { count: 5, windowMs: 5000 },
      frames: { count: 200, windowMs: 10_000 },
      moves: { count: 40, windowMs: 10_000 },
      reports: { count: 10, windowMs: 60_000 },
      rejections: { count: 100, windowMs: 10_000 },
    },
    groupsPerPlayer: 16,
    connectionsPerAddress: 100,
    pendingPerAddress: 200,
    filterMode: 'mask',
    showHits: false,
    origins: [],
  })
  expect(rateLimit).toEqual({ perSecond: 5000 })
  expect(limits).toEqual({
    nameBytes: 128,
    strictNames: false,
    protectFallback: false,
    groups: 10_000,
    channels: 100_000,
    defaultMaxCount: 50,
    maxCount: 100_000,
    gamerIdBytes: 128,
    nicknameBytes: 64,
    banDays: 36_500,
    languages: 200,
    expressionsPerLanguage: 100_000,
    expressions: 1_000_000,
    expressionCharacters: 128,
    messageBytes: 1000,
    messageDays: 30,
    messageLogBytes: 20_000_000_000,
    bodyBytes: 8 * 1024 * 1024,
  })
})

describe('problems', () => {
  test('are all reported together, each on a line that starts with the variable', () => {
    const lines = findProblems({
      PARLEY_PORT: '70000',
      PARLEY_HOST: '',
      PARLEY_LOG_LEVEL: 'loud',
      PARLEY_RATE_LIMIT: 'yes',
      PARLEY_MAX_CHANNELS: '-1',
      PARLEY_MASTER_TOKEN: 'short',
      PARLEY_NO_SUCH: 'x',
      PARLEY_PLAYER_SECRET_FILE: path.join(folder, 'missing'),
    })
    expect(lines.map((line) => line.split(': ')[0]!).sort()).toEqual([
      'PARLEY_HOST',
      'PARLEY_LOG_LEVEL',
      'PARLEY_MASTER_TOKEN',
      'PARLEY_MAX_CHANNELS',
      'PARLEY_NO_SUCH',
      'PARLEY_PLAYER_SECRET_FILE',
      'PARLEY_PORT',
      'PARLEY_RATE_LIMIT',
    ])
  })

  test('of flags and of the file are reported by their variable', () => {
    expect(findProblems({}, { PORT: 'x' })).toEqual([expect.stringMatching(/^PARLEY_PORT: /)])
    expect(findProblems({ PARLEY_CONFIG: config({ port: 'x' }) })).toEqual([
      expect.stringMatching(/^PARLEY_PORT: /),
    ])
  })

  test.each(['PARLEY_PROT', 'PARLEY_', 'PARLEY_PORT_FILE', 'PARLEY_port'])(
    'include the unknown variable %s',
    (variable) => {
      expect(findProblems({ [variable]: '1' })).toEqual([expect.stringMatching(new RegExp(`^${variable}: `))])
    },
  )

  test('exclude variables without the PARLEY_ prefix', () => {
    expect(findProblems({ PORT: 'x', PARLEYPORT: 'x', parley_port: 'x' })).toEqual([])
  })

  test.each(['1e3', '0x10', '1.5', ' 1', '-1', '65536', 'Infinity', ''])(
    'include PARLEY_PORT "%s"',
    (port) => {
      expect(findProblems({ PARLEY_PORT: port })).toEqual([expect.stringMatching(/^PARLEY_PORT: /)])
    },
  )

  test('exclude PARLEY_PORT 0, which picks a free port', () => {
    expect(readConfig({ flags: {}, env: { PARLEY_PORT: '0' } }).listen.port).toBe(0)
  })

  test('include Redis without PostgreSQL and unsupported databases', () => {
    expect(findProblems({ PARLEY_REDIS_URL: 'redis://localhost' })).toEqual([
      expect.stringMatching(/^PARLEY_REDIS_URL: /),
    ])
    expect(findProblems({ PARLEY_DATABASE_URL: 'mysql://localhost' })).toEqual([
      expect.stringMatching(/^PARLEY_DATABASE_URL: /),
    ])
  })

  test('never contain a secret', () => {
    const lines = findProblems({
      PARLEY_MASTER_TOKEN: 'short-secret',
      PARLEY_PLAYER_SECRET: 'secret-with-ü-of-forty-characters-xxxxxx',
      PARLEY_DATABASE_URL: 'nonsense://user:password@localhost',
      PARLEY_REDIS_URL: 'nonsense://user:password@localhost',
    })
    expect(lines).toHaveLength(4)
    expect(lines.join('\n')).not.toMatch(/short-secret|secret-with|password/)
  })
})

test('PARLEY_TELL_FILTER_HITS accepts on and off', () => {
  const env = { PARLEY_TELL_FILTER_HITS: 'on' }
  expect(readConfig({ flags: {}, env }).gateway.showHits).toBe(true)
  expect(findProblems({ PARLEY_TELL_FILTER_HITS: 'yes' })).toEqual([
    expect.stringMatching(/^PARLEY_TELL_FILTER_HITS: /),
  ])
})

describe('the configuration file', () => {
  const findProblem = (content: string) => {
    const file = write(`${crypto.randomUUID()}.json`, content)
    return findProblems({ PARLEY_CONFIG: file }).map((line) => line.replace(`PARLEY_CONFIG: ${file}: `, ''))
  }

  test('is reported by its path when it is missing', () => {
    const file = path.join(folder, 'missing.json')
    const [line, ...others] = findProblems({ PARLEY_CONFIG: file })
    expect(line).toStartWith(`PARLEY_CONFIG: cannot read ${file}: `)
    expect(others).toEqual([])
  })

  test.each(['null', '[]', '"x"', '3'])('is rejected when it holds %s instead of an object', (content) => {
    expect(findProblem(content)).toEqual(['must contain a JSON object'])
  })

  test.each([
    ['', 'line 1, column 1: expected a value, found the end of the file'],
    ['{', 'line 1, column 2: expected a key in double quotes, found the end of the file'],
    ['{\n  "port": 1,\n}', 'line 3, column 1: expected a key in double quotes, found "}"'],
    ['{\n  "port": 1\n  "host": "x"\n}', 'line 3, column 3: expected "," or "}", found "\\""'],
    ["{\n  'port': 1\n}", 'line 2, column 3: expected a key in double quotes, found "\'"'],
    ['{"port" 1}', 'line 1, column 9: expected ":", found "1"'],
    ['{"port": yes}', 'line 1, column 10: expected a value, found "yes"'],
    ['{"origins": ["가", 나]}', 'line 1, column 19: expected a value, found "나"'],
    ['{"host": "a\nb"}', 'line 1, column 10: expected a value, found "\\""'],
    ['{} x', 'line 1, column 4: expected the end of the file, found "x"'],
  ])('is rejected with line and column: %j', (content, problem) => {
    expect(findProblem(content)).toEqual([problem])
  })

  test('is rejected for deep nesting without a stack overflow', () => {
    expect(findProblem('{"a": '.repeat(100_000))).toEqual([expect.stringContaining('expected less nesting')])
  })

  test('has a suggestion for an unknown key, along with all other problems', () => {
    const lines = findProblems({ PARLEY_CONFIG: config({ prot: 1, nonsense: 'x', port: 'x' }) })
    expect(lines).toEqual([
      expect.stringContaining('unknown setting "prot". Did you mean "port"? "parley help settings"'),
      expect.stringMatching(/unknown setting "nonsense"\. "parley help settings" lists the settings\.$/),
      expect.stringMatching(/^PARLEY_PORT: .*not "x" \(from "port" in .*\.json\)$/),
    ])
  })

  test.each([[null], [{}], [[1]], [[['x']]]])('is rejected with the key of the value %j', (value) => {
    expect(findProblem(JSON.stringify({ port: value }))).toEqual([expect.stringMatching(/^"port" must be /)])
  })

  test('may contain booleans and arrays of strings', () => {
    const file = config({ 'rate-limit': false, 'tell-filter-hits': true, 'report-keywords': ['SPAM', 'ETC'] })
    const { rateLimit, gateway, reports } = readConfig({ flags: {}, env: { PARLEY_CONFIG: file } })
    expect([rateLimit, gateway.showHits, reports.keywords]).toEqual([undefined, true, ['SPAM', 'ETC']])
  })
})

describe('values', () => {
  test.each([
    'foo',
    '*',
    'https://a.example/',
    'https://a.example:443',
    'https://A.example',
    'game.example',
    'null',
  ])('PARLEY_ORIGINS rejects "%s"', (origin) => {
    expect(findProblems({ PARLEY_ORIGINS: `https://ok.example,${origin}` })).toEqual([
      expect.stringMatching(/^PARLEY_ORIGINS: must be origins .*not "/),
    ])
  })

  test('PARLEY_ORIGINS accepts origins of pages and of apps', () => {
    const origins = [
      'https://a.example',
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
      'capacitor://localhost',
    ]
    const env = { PARLEY_ORIGINS: origins.join(', ') }
    expect(readConfig({ flags: {}, env }).gateway.origins).toEqual(origins)
  })

  test.each(['', ' , ', 'SPAM,1ST', 'A B', `A${'B'.repeat(48)}`, 'ÄRGER'])(
    'PARLEY_REPORT_KEYWORDS rejects "%s"',
    (keywords) => {
      expect(findProblems({ PARLEY_REPORT_KEYWORDS: keywords })).toEqual([
        expect.stringMatching(/^PARLEY_REPORT_KEYWORDS: /),
      ])
    },
  )

  test.each(['proxy', '10.0.0.0/33', '10.0.0.1,*'])('PARLEY_TRUSTED_PROXIES rejects "%s"', (proxies) => {
    expect(findProblems({ PARLEY_TRUSTED_PROXIES: proxies })).toEqual([
      expect.stringMatching(/^PARLEY_TRUSTED_PROXIES: must be IP addresses or CIDR blocks/),
    ])
  })

  test.each(['', 'not a language!!', 'e', 'english', 'en-'])(
    'PARLEY_DEFAULT_LANGUAGE rejects "%s"',
    (code) => {
      expect(findProblems({ PARLEY_DEFAULT_LANGUAGE: code })).toEqual([
        expect.stringMatching(/^PARLEY_DEFAULT_LANGUAGE: must be a language code/),
      ])
    },
  )

  test.each(['http://0.0.0.0', 'a b', '127.0.0.1:80', '[::1]', '-x', ''])(
    'PARLEY_HOST rejects "%s"',
    (host) => {
      expect(findProblems({ PARLEY_HOST: host })).toEqual([expect.stringMatching(/^PARLEY_HOST: /)])
    },
  )

  test.each(['0.0.0.0', '::', '::1', 'localhost', 'chat-1.internal'])('PARLEY_HOST accepts %s', (host) => {
    expect(readConfig({ flags: {}, env: { PARLEY_HOST: host } }).listen.host).toBe(host)
  })

  test('PARLEY_NODE_NAME and PARLEY_DATA_DIR reject control characters', () => {
    for (const name of ['PARLEY_NODE_NAME', 'PARLEY_DATA_DIR'])
      expect(findProblems({ [name]: 'a\nb' })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
  })

  test('are reported with the flag they came from', () => {
    expect(findProblems({}, { PORT: 'x' })).toEqual([
      'PARLEY_PORT: must be a whole number from 0 to 65535, not "x" (from --port)',
    ])
  })

  test('of unknown variables are reported with a suggestion', () => {
    expect(findProblems({ PARLEY_PROT: '1' })).toEqual([
      'PARLEY_PROT: unknown setting. Did you mean PARLEY_PORT? "parley help settings" lists the settings.',
    ])
  })
})

describe('secrets', () => {
  const tokens = (env: Record<string, string>) => readConfig({ flags: {}, env }).masterTokens

  test('accept several comma-separated tokens', () => {
    expect(tokens({ PARLEY_MASTER_TOKEN: `${SECRET}, ${OTHER_SECRET},` })).toEqual([SECRET, OTHER_SECRET])
  })

  test('require at least 256 bits for each token', () => {
    expect(findProblems({ PARLEY_MASTER_TOKEN: 'x'.repeat(31) })).toHaveLength(1)
    expect(findProblems({ PARLEY_MASTER_TOKEN: `${SECRET},short` })).toHaveLength(1)
    expect(tokens({ PARLEY_MASTER_TOKEN: 'x'.repeat(32) })).toHaveLength(1)
  })

  test('are read from NAME_FILE without the trailing line break', () => {
    const env = {
      PARLEY_MASTER_TOKEN_FILE: write('token', `${SECRET}\n`),
      PARLEY_PLAYER_SECRET_FILE: write('player', OTHER_SECRET),
    }
    const { masterTokens, playerSecret } = readConfig({ flags: {}, env })
    expect([masterTokens, playerSecret]).toEqual([[SECRET], OTHER_SECRET])
  })

  test('from NAME_FILE are validated too', () => {
    expect(findProblems({ PARLEY_MASTER_TOKEN_FILE: write('short', 'short') })).toEqual([
      expect.stringMatching(/^PARLEY_MASTER_TOKEN/),
    ])
  })

  test.each(['MASTER_TOKEN', 'PLAYER_SECRET'])('from PARLEY_%s conflict with its NAME_FILE', (name) => {
    const env = { [`PARLEY_${name}`]: SECRET, [`PARLEY_${name}_FILE`]: write('other', OTHER_SECRET) }
    expect(findProblems(env)).toEqual([
      `PARLEY_${name}: conflicts with PARLEY_${name}_FILE. Set only one of the two.`,
    ])
  })

  test('from NAME_FILE are used when the variable is empty', () => {
    const env = { PARLEY_MASTER_TOKEN: '', PARLEY_MASTER_TOKEN_FILE: write('other', OTHER_SECRET) }
    expect(tokens(env)).toEqual([OTHER_SECRET])
  })
})

test('every documented limit has a variable and a flag', () => {
  const bounds = [
    'MAX_NAME_BYTES',
    'NAME_PROFILE',
    'PROTECT_FALLBACK',
    'MAX_GROUPS',
    'MAX_CHANNELS',
    'DEFAULT_MAX_COUNT',
    'MAX_MAX_COUNT',
    'MAX_GAMER_ID_BYTES',
    'MAX_BAN_DAYS',
    'MAX_LANGUAGES',
    'MAX_FILTERS',
    'MAX_FILTER_CHARACTERS',
    'MAX_MESSAGE_BYTES',
    'MAX_BODY_BYTES',
    'RATE_PER_SECOND',
    'IDEMPOTENCY_HOURS',
  ] as const
  for (const name of bounds) {
    expect(SETTINGS).toHaveProperty(name)
    expect(findProblems({ [variableOf(name)]: 'nonsense' })).toEqual([
      expect.stringMatching(new RegExp(`^PARLEY_${name}: `)),
    ])
    expect(flagOf(name)).toMatch(/^[a-z-]+$/)
  }
})
