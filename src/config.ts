import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { LOG_LEVELS, type LogLevel } from './log.ts'

export interface Config {
  readonly listen: { readonly host: string; readonly port: number; readonly idleSeconds: number }
  readonly dataDir: string
  readonly nodeName: string
  readonly logLevel: LogLevel
  /** Several are all valid, so that one can be replaced without a gap. None: one is made at the first start. */
  readonly masterTokens: readonly string[]
  readonly playerSecret: string | undefined
  readonly rateLimit: { readonly perSecond: number } | undefined
  readonly floodLimit: boolean
  readonly drainMs: number
  readonly idempotencyMs: number
  readonly limits: Limits
}

export interface Limits {
  readonly nameBytes: number
  readonly strictNames: boolean
  readonly protectFallback: boolean
  readonly groups: number
  readonly channels: number
  readonly defaultMaxCount: number
  readonly maxCount: number
  readonly gamerIdBytes: number
  readonly banDays: number
  readonly languages: number
  readonly expressionsPerLanguage: number
  readonly expressions: number
  readonly expressionCharacters: number
  readonly messageBytes: number
  readonly bodyBytes: number
}

export interface Setting {
  readonly fallback: string
  readonly about: string
  /** Never a flag, since command lines are visible to others; never shown; also read from a file by NAME_FILE. */
  readonly secret?: true
}

/** Every setting: the variable PARLEY_NAME, the flag --name, the key "name" of the configuration file. */
export const SETTINGS = {
  HOST: { fallback: '127.0.0.1', about: 'Address to listen on. `0.0.0.0` for all.' },
  PORT: { fallback: '4140', about: 'Port to listen on; 0 takes any free one and logs it.' },
  DATA_DIR: { fallback: './data', about: 'Folder of the database and the secrets made at the first start.' },
  MASTER_TOKEN: {
    fallback: '',
    about:
      'Master token, 32 characters or more; several, separated by commas, are all valid. Made at the first start when absent.',
    secret: true,
  },
  PLAYER_SECRET: {
    fallback: '',
    about:
      'Signs player tokens, 32 characters or more. For the gateway, which this version does not have yet.',
    secret: true,
  },
  DATABASE_URL: {
    fallback: '',
    about: 'Absent: the embedded store. This version has no other.',
    secret: true,
  },
  REDIS_URL: { fallback: '', about: 'Absent: one node. This version knows no more.', secret: true },
  NODE_NAME: { fallback: hostname(), about: 'Name of this node in logs.' },
  LOG_LEVEL: { fallback: 'info', about: `One of ${LOG_LEVELS.join(', ')}.` },
  RATE_LIMIT: { fallback: 'on', about: '`off` answers management requests without a limit.' },
  RATE_PER_SECOND: {
    fallback: '5000',
    about: 'Management requests a second for each token; twice as many at once.',
  },
  FLOOD_LIMIT: {
    fallback: 'on',
    about: '`off` lets players send without a limit. For the gateway, which this version does not have yet.',
  },
  IDLE_SECONDS: { fallback: '15', about: 'A connection that is silent for so long is cut.' },
  DRAIN_SECONDS: { fallback: '10', about: 'How long a stop waits for what is under way.' },
  IDEMPOTENCY_HOURS: { fallback: '24', about: 'How long an answer is kept for its Idempotency-Key.' },
  NAME_PROFILE: {
    fallback: 'open',
    about: '`strict` allows channel names of `[a-z0-9-]{4,48}` only and reserves some groups.',
  },
  PROTECT_FALLBACK: { fallback: 'off', about: '`on` refuses to delete a FALLBACK channel.' },
  MAX_NAME_BYTES: { fallback: '128', about: 'Length of group and channel names.' },
  MAX_GROUPS: { fallback: '10000', about: 'Channel groups.' },
  MAX_CHANNELS: { fallback: '100000', about: 'Channels of all groups.' },
  DEFAULT_MAX_COUNT: { fallback: '50', about: '`max_count` of a channel created without one.' },
  MAX_MAX_COUNT: { fallback: '100000', about: 'Largest `max_count`.' },
  MAX_GAMER_ID_BYTES: { fallback: '128', about: 'Length of player ids.' },
  MAX_BAN_DAYS: { fallback: '36500', about: 'Longest ban.' },
  MAX_LANGUAGES: { fallback: '200', about: 'Languages that have a profanity list.' },
  MAX_FILTERS: { fallback: '100000', about: 'Expressions of one language.' },
  MAX_FILTERS_TOTAL: { fallback: '1000000', about: 'Expressions of all languages.' },
  MAX_FILTER_CHARACTERS: { fallback: '128', about: 'Length of an expression.' },
  MAX_MESSAGE_BYTES: { fallback: '1000', about: 'Length of a message.' },
  MAX_BODY_BYTES: { fallback: '8388608', about: 'Size of a request body.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

export interface Sources {
  /** By setting name. */
  readonly flags: Readonly<Partial<Record<SettingName, string>>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** All that is wrong with a configuration, one line each. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** Flags before environment before file before default. Throws one `ConfigError` with every problem. */
export function readConfig(sources: Sources): Config {
  const problems: string[] = []
  const values = collect(sources, problems)
  const reader = new Reader(values, problems)
  const config = build(reader)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const build = (read: Reader): Config => {
  read.unsupported('DATABASE_URL', 'this version has the embedded store only; leave it unset')
  read.unsupported('REDIS_URL', 'this version runs as one node only; leave it unset')
  return {
    listen: {
      host: read.text('HOST'),
      port: read.whole('PORT', 0, 65_535),
      idleSeconds: read.whole('IDLE_SECONDS', 1, 255),
    },
    dataDir: path.resolve(read.text('DATA_DIR')),
    nodeName: read.text('NODE_NAME'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    masterTokens: read.secrets('MASTER_TOKEN'),
    playerSecret: read.secrets('PLAYER_SECRET')[0],
    rateLimit: read.isOn('RATE_LIMIT')
      ? { perSecond: read.whole('RATE_PER_SECOND', 1, 10_000_000) }
      : undefined,
    floodLimit: read.isOn('FLOOD_LIMIT'),
    drainMs: read.whole('DRAIN_SECONDS', 0, 3600) * 1000,
    idempotencyMs: read.whole('IDEMPOTENCY_HOURS', 1, 720) * 3_600_000,
    limits: buildLimits(read),
  }
}

const buildLimits = (read: Reader): Limits => ({
  nameBytes: read.whole('MAX_NAME_BYTES', 1, 1024),
  strictNames: read.oneOf('NAME_PROFILE', ['open', 'strict']) === 'strict',
  protectFallback: read.isOn('PROTECT_FALLBACK'),
  groups: read.whole('MAX_GROUPS', 1, 1_000_000),
  channels: read.whole('MAX_CHANNELS', 1, 1_000_000),
  defaultMaxCount: read.whole('DEFAULT_MAX_COUNT', 1, 1_000_000),
  maxCount: read.whole('MAX_MAX_COUNT', 1, 1_000_000),
  gamerIdBytes: read.whole('MAX_GAMER_ID_BYTES', 1, 1024),
  banDays: read.whole('MAX_BAN_DAYS', 1, 1_000_000),
  languages: read.whole('MAX_LANGUAGES', 1, 10_000),
  expressionsPerLanguage: read.whole('MAX_FILTERS', 1, 1_000_000),
  expressions: read.whole('MAX_FILTERS_TOTAL', 1, 10_000_000),
  expressionCharacters: read.whole('MAX_FILTER_CHARACTERS', 1, 1024),
  messageBytes: read.whole('MAX_MESSAGE_BYTES', 1, 65_536),
  bodyBytes: read.whole('MAX_BODY_BYTES', 1024, 1_073_741_824),
})

type Values = Readonly<Record<SettingName, string>>

const settingNames = Object.keys(SETTINGS) as SettingName[]
const settingOf = (name: SettingName): Setting => SETTINGS[name]
export const variableOf = (name: SettingName) => `PARLEY_${name}`
export const flagOf = (name: SettingName) => name.toLowerCase().replaceAll('_', '-')

/** The text of each setting, from the first source that has it. */
function collect({ flags, env }: Sources, problems: string[]): Values {
  for (const variable of unknownVariables(env)) problems.push(`${variable}: there is no such setting`)
  const file = readFile(env['PARLEY_CONFIG'], problems)
  const entries = settingNames.map((name) => {
    const fromEnv = env[variableOf(name)] ?? readSecretFile(name, env, problems)
    return [name, flags[name] ?? fromEnv ?? file[name] ?? settingOf(name).fallback]
  })
  return Object.fromEntries(entries)
}

function unknownVariables(env: Sources['env']): string[] {
  const known = new Set(['PARLEY_CONFIG', ...settingNames.map(variableOf)])
  for (const name of settingNames) if (settingOf(name).secret) known.add(`${variableOf(name)}_FILE`)
  return Object.keys(env).filter((variable) => variable.startsWith('PARLEY_') && !known.has(variable))
}

function readSecretFile(name: SettingName, env: Sources['env'], problems: string[]): string | undefined {
  const variable = `${variableOf(name)}_FILE`
  const file = env[variable]
  if (file === undefined || !settingOf(name).secret) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (thrown) {
    problems.push(`${variable}: ${thrown instanceof Error ? thrown.message : thrown}`)
    return undefined
  }
}

/** A JSON object whose keys are the flags' names. */
function readFile(file: string | undefined, problems: string[]): Partial<Record<SettingName, string>> {
  if (file === undefined) return {}
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof content !== 'object' || content === null) throw new Error('it must hold a JSON object')
    return Object.fromEntries(
      Object.entries(content).map(([key, value]) => [nameOf(key, file), String(value)]),
    )
  } catch (thrown) {
    problems.push(`PARLEY_CONFIG: ${thrown instanceof Error ? thrown.message : thrown}`)
    return {}
  }
}

function nameOf(key: string, file: string): SettingName {
  const name = settingNames.find((each) => flagOf(each) === key)
  if (name === undefined) throw new Error(`${file} has the key "${key}", and there is no such setting`)
  return name
}

/** Reads values by type, and notes a problem for each that does not fit. */
class Reader {
  readonly #values: Values
  readonly #problems: string[]

  constructor(values: Values, problems: string[]) {
    this.#values = values
    this.#problems = problems
  }

  text(name: SettingName): string {
    const value = this.#values[name]
    if (value === '') this.#problem(name, 'must not be empty')
    return value
  }

  whole(name: SettingName, min: number, max: number): number {
    const value = this.#values[name]
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max))
      this.#problem(name, `must be a whole number from ${min} to ${max}, not "${value}"`)
    return number
  }

  oneOf<T extends string>(name: SettingName, allowed: readonly T[]): T {
    const value = this.#values[name]
    const found = allowed.find((each) => each === value)
    if (found === undefined) this.#problem(name, `must be one of ${allowed.join(', ')}, not "${value}"`)
    return found ?? (value as T)
  }

  isOn(name: SettingName): boolean {
    return this.oneOf(name, ['on', 'off']) === 'on'
  }

  /** Comma-separated. The values are never part of a message. */
  secrets(name: SettingName): string[] {
    const secrets = this.#values[name]
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== '')
    if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
      this.#problem(name, `must have ${MIN_SECRET_LENGTH} characters or more`)
    if (secrets.some((secret) => /[^\x21-\x7e]/.test(secret)))
      this.#problem(name, 'must be visible ASCII characters')
    return secrets
  }

  unsupported(name: SettingName, why: string): void {
    if (this.#values[name] !== '') this.#problem(name, why)
  }

  #problem(name: SettingName, what: string): void {
    this.#problems.push(`${variableOf(name)}: ${what}`)
  }
}

/** 256 bits, were each character a byte. */
const MIN_SECRET_LENGTH = 32
