import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import { flagOf, type SettingName, settingNames, settingOf, variableOf } from './settings.ts'

export interface Config {
  readonly listen: {
    readonly host: string
    readonly port: number
    readonly idleSeconds: number
    readonly bodySeconds: number
  }
  readonly dataDir: string
  readonly nodeName: string
  readonly logLevel: LogLevel
  /** Several are all valid, so that one can be replaced without a gap. None: one is made at the first start. */
  readonly masterTokens: readonly string[]
  readonly playerSecret: string | undefined
  readonly rateLimit: { readonly perSecond: number } | undefined
  readonly gateway: GatewayConfig
  readonly reports: {
    readonly keywords: readonly string[]
    readonly perDay: number
    readonly messageDays: number
  }
  readonly drainMs: number
  readonly idempotencyMs: number
  readonly limits: Limits
}

export interface GatewayConfig {
  /** Undefined: players may send without a limit. */
  readonly flood: { readonly messages: number; readonly withinMs: number } | undefined
  readonly filterMode: 'mask' | 'block'
  readonly tellsHits: boolean
  readonly defaultLanguage: string
  /** Empty: every origin. */
  readonly origins: readonly string[]
  readonly connectionsPerSecond: number
  readonly maxConnections: number
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
  readonly nicknameBytes: number
  readonly banDays: number
  readonly languages: number
  readonly expressionsPerLanguage: number
  readonly expressions: number
  readonly expressionCharacters: number
  readonly messageBytes: number
  /** How long the log keeps messages. */
  readonly messageDays: number
  readonly bodyBytes: number
}

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
  const { defaultMaxCount, maxCount } = config.limits
  if (defaultMaxCount > maxCount)
    problems.push(`PARLEY_DEFAULT_MAX_COUNT: must not be over PARLEY_MAX_MAX_COUNT, ${maxCount}`)
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
      bodySeconds: read.whole('BODY_SECONDS', 1, 255),
    },
    dataDir: path.resolve(read.text('DATA_DIR')),
    nodeName: read.text('NODE_NAME'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    masterTokens: read.secrets('MASTER_TOKEN'),
    playerSecret: read.secret('PLAYER_SECRET'),
    rateLimit: read.isOn('RATE_LIMIT')
      ? { perSecond: read.whole('RATE_PER_SECOND', 1, 10_000_000) }
      : undefined,
    gateway: buildGateway(read),
    reports: {
      keywords: read.list('REPORT_KEYWORDS'),
      perDay: read.whole('REPORTS_PER_DAY', 1, 100_000),
      messageDays: read.whole('REPORT_MESSAGE_DAYS', 1, 90),
    },
    drainMs: read.whole('DRAIN_SECONDS', 0, 3600) * 1000,
    idempotencyMs: read.whole('IDEMPOTENCY_HOURS', 1, 720) * 3_600_000,
    limits: buildLimits(read),
  }
}

const buildGateway = (read: Reader): GatewayConfig => ({
  flood: read.isOn('FLOOD_LIMIT')
    ? {
        messages: read.whole('FLOOD_MESSAGES', 1, 1000),
        withinMs: read.whole('FLOOD_SECONDS', 1, 3600) * 1000,
      }
    : undefined,
  filterMode: read.oneOf('FILTER_MODE', ['mask', 'block']),
  tellsHits: read.isOn('TELL_FILTER_HITS'),
  defaultLanguage: read.text('DEFAULT_LANGUAGE'),
  origins: read.list('ORIGINS'),
  connectionsPerSecond: read.whole('CONNECTIONS_PER_SECOND', 1, 1_000_000),
  maxConnections: read.whole('MAX_CONNECTIONS', 1, 10_000_000),
})

const buildLimits = (read: Reader): Limits => ({
  nameBytes: read.whole('MAX_NAME_BYTES', 1, 1024),
  strictNames: read.oneOf('NAME_PROFILE', ['open', 'strict']) === 'strict',
  protectFallback: read.isOn('PROTECT_FALLBACK'),
  groups: read.whole('MAX_GROUPS', 1, 1_000_000),
  channels: read.whole('MAX_CHANNELS', 1, 1_000_000),
  defaultMaxCount: read.whole('DEFAULT_MAX_COUNT', 1, 1_000_000),
  maxCount: read.whole('MAX_MAX_COUNT', 1, 1_000_000),
  gamerIdBytes: read.whole('MAX_GAMER_ID_BYTES', 1, 1024),
  nicknameBytes: read.whole('MAX_NICKNAME_BYTES', 1, 1024),
  banDays: read.whole('MAX_BAN_DAYS', 1, 1_000_000),
  languages: read.whole('MAX_LANGUAGES', 1, 10_000),
  expressionsPerLanguage: read.whole('MAX_FILTERS', 1, 1_000_000),
  expressions: read.whole('MAX_FILTERS_TOTAL', 1, 10_000_000),
  expressionCharacters: read.whole('MAX_FILTER_CHARACTERS', 1, 1024),
  messageBytes: read.whole('MAX_MESSAGE_BYTES', 1, 65_536),
  messageDays: read.whole('MESSAGE_DAYS', 1, 90),
  bodyBytes: read.whole('MAX_BODY_BYTES', 1024, 1_073_741_824),
})

type Values = Readonly<Record<SettingName, string>>

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
  const secret = readText(variable, file, problems)?.trim()
  if (secret === '') problems.push(`${variable}: ${file} is empty`)
  return secret
}

function readText(variable: string, file: string, problems: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    problems.push(`${variable}: ${thrown instanceof Error ? thrown.message : thrown}`)
    return undefined
  }
}

/** A JSON object whose keys are the flags' names. */
function readFile(file: string | undefined, problems: string[]): Partial<Record<SettingName, string>> {
  const text = file === undefined ? '{}' : readText('PARLEY_CONFIG', file, problems)
  const content = text === undefined ? {} : parseObject(text)
  if (content === undefined) problems.push(`PARLEY_CONFIG: ${file} must hold a JSON object`)
  const found: Partial<Record<SettingName, string>> = {}
  for (const [key, value] of Object.entries(content ?? {})) {
    const name = settingNames.find((each) => flagOf(each) === key)
    if (name === undefined)
      problems.push(`PARLEY_CONFIG: ${file} has the key "${key}", and there is no such setting`)
    else found[name] = String(value)
  }
  return found
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
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

  /** Comma-separated; empty when there is nothing. */
  list(name: SettingName): string[] {
    return this.#values[name].split(',').flatMap((each) => each.trim() || [])
  }

  /** Undefined when there is none. The value is never part of a message. */
  secret(name: SettingName): string | undefined {
    return this.#checkSecret(name, this.#values[name])
  }

  /** Comma-separated. */
  secrets(name: SettingName): string[] {
    return this.#values[name].split(',').flatMap((each) => this.#checkSecret(name, each.trim()) ?? [])
  }

  #checkSecret(name: SettingName, secret: string): string | undefined {
    if (secret === '') return undefined
    if (secret.length < MIN_SECRET_LENGTH)
      this.#problem(name, `must have ${MIN_SECRET_LENGTH} characters or more`)
    if (/[^\x21-\x7e]/.test(secret)) this.#problem(name, 'must be visible ASCII characters')
    return secret
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
