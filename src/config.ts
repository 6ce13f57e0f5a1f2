import path from 'node:path'
import { Reader } from './config/reader.ts'
import { collectSettings, type SettingValues, type Sources } from './config/sources.ts'
import type { FloodRules } from './core/flood.ts'
import { MAX_NAME_BYTES } from './core/text.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'

export interface Config {
  readonly listen: {
    readonly host: string
    readonly port: number
    readonly idleSeconds: number
    readonly bodySeconds: number
    readonly pingSeconds: number
    /** Undefined when management shares the port of the players. */
    readonly admin: { readonly host: string; readonly port: number } | undefined
  }
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly dataDir: string
  readonly nodeName: string
  readonly logLevel: LogLevel
  /** All are valid, so that one can be rotated without downtime. When empty, the first start generates one. */
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
  /** Undefined when flood control is off. */
  readonly flood: FloodRules | undefined
  readonly groupsPerPlayer: number
  readonly filterMode: 'mask' | 'block'
  readonly showHits: boolean
  readonly languages: { readonly default: string; readonly isClientFirst: boolean }
  /** Empty allows every origin. */
  readonly origins: readonly string[]
  readonly connectionsPerSecond: number
  readonly connectionsPerAddress: number
  readonly pendingPerAddress: number
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
  /** Retention of the message log. */
  readonly messageDays: number
  readonly messageLogBytes: number
  readonly bodyBytes: number
}

/** Every problem of a configuration, one per line. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** Throws one `ConfigError` with every problem. */
export function readConfig(sources: Sources): Config {
  return readSettings(sources).config
}

/** Returns the configuration and the source of each setting. `known` are problems to report with those found here. */
export function readSettings(
  sources: Sources,
  known: readonly string[] = [],
): { readonly config: Config; readonly values: SettingValues } {
  const problems = [...known]
  const values = collectSettings(sources, problems)
  const config = build(new Reader(values, problems))
  const { defaultMaxCount, maxCount } = config.limits
  if (defaultMaxCount > maxCount)
    problems.push(`PARLEY_DEFAULT_MAX_COUNT: must not exceed PARLEY_MAX_MAX_COUNT, ${maxCount}`)
  if (problems.length > 0) throw new ConfigError(problems)
  return { config, values }
}

const build = (read: Reader): Config => {
  read.unsupported(
    'DATABASE_URL',
    'not supported: this version supports only the embedded store. Leave it unset.',
  )
  read.unsupported('REDIS_URL', 'not supported by this version, which runs as a single node. Leave it unset.')
  return {
    listen: {
      host: read.host('HOST'),
      port: read.integer('PORT', 0, 65_535),
      idleSeconds: read.integer('IDLE_SECONDS', 1, 255),
      bodySeconds: read.integer('BODY_SECONDS', 1, 255),
      pingSeconds: read.integer('PING_SECONDS', 1, 300),
      admin: read.isSet('ADMIN_PORT')
        ? {
            host: read.host(read.isSet('ADMIN_HOST') ? 'ADMIN_HOST' : 'HOST'),
            port: read.integer('ADMIN_PORT', 0, 65_535),
          }
        : undefined,
    },
    trustedProxies: read.addressBlocks('TRUSTED_PROXIES'),
    dataDir: path.resolve(read.text('DATA_DIR')),
    nodeName: read.text('NODE_NAME'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    masterTokens: read.secrets('MASTER_TOKEN'),
    playerSecret: read.secret('PLAYER_SECRET'),
    rateLimit: read.isOn('RATE_LIMIT')
      ? { perSecond: read.integer('RATE_PER_SECOND', 1, 10_000_000) }
      : undefined,
    gateway: buildGateway(read),
    reports: {
      keywords: read.keywords('REPORT_KEYWORDS'),
      perDay: read.integer('REPORTS_PER_DAY', 1, 100_000),
      messageDays: read.integer('REPORT_MESSAGE_DAYS', 1, 90),
    },
    drainMs: read.integer('DRAIN_SECONDS', 0, 3600) * 1000,
    idempotencyMs: read.integer('IDEMPOTENCY_HOURS', 1, 720) * 3_600_000,
    limits: buildLimits(read),
  }
}

const buildGateway = (read: Reader): GatewayConfig => ({
  flood: read.isOn('FLOOD_LIMIT') ? buildFlood(read) : undefined,
  groupsPerPlayer: read.integer('GROUPS_PER_PLAYER', 1, 1000),
  filterMode: read.oneOf('FILTER_MODE', ['mask', 'block']),
  showHits: read.isOn('TELL_FILTER_HITS'),
  languages: { default: read.language('DEFAULT_LANGUAGE'), isClientFirst: read.isOn('CLIENT_LANGUAGE') },
  origins: read.origins('ORIGINS'),
  connectionsPerSecond: read.integer('CONNECTIONS_PER_SECOND', 1, 1_000_000),
  connectionsPerAddress: read.integer('CONNECTIONS_PER_ADDRESS', 0, 100_000),
  pendingPerAddress: read.integer('PENDING_PER_ADDRESS', 0, 100_000),
  maxConnections: read.integer('MAX_CONNECTIONS', 1, 10_000_000),
})

/** Most windows are fixed: one number per budget is enough for tuning. */
const buildFlood = (read: Reader): FloodRules => ({
  messages: {
    count: read.integer('FLOOD_MESSAGES', 1, 1000),
    windowMs: read.integer('FLOOD_SECONDS', 1, 3600) * 1000,
  },
  frames: { count: read.integer('FLOOD_FRAMES', 1, 10_000), windowMs: 10_000 },
  moves: { count: read.integer('FLOOD_JOINS', 1, 10_000), windowMs: 10_000 },
  reports: { count: read.integer('FLOOD_REPORTS', 1, 10_000), windowMs: 60_000 },
  rejections: { count: read.integer('FLOOD_REFUSALS', 1, 10_000), windowMs: 10_000 },
})

const buildLimits = (read: Reader): Limits => ({
  nameBytes: read.integer('MAX_NAME_BYTES', 1, MAX_NAME_BYTES),
  strictNames: read.oneOf('NAME_PROFILE', ['open', 'strict']) === 'strict',
  protectFallback: read.isOn('PROTECT_FALLBACK'),
  groups: read.integer('MAX_GROUPS', 1, 1_000_000),
  channels: read.integer('MAX_CHANNELS', 1, 1_000_000),
  defaultMaxCount: read.integer('DEFAULT_MAX_COUNT', 1, 1_000_000),
  maxCount: read.integer('MAX_MAX_COUNT', 1, 1_000_000),
  gamerIdBytes: read.integer('MAX_GAMER_ID_BYTES', 1, MAX_NAME_BYTES),
  nicknameBytes: read.integer('MAX_NICKNAME_BYTES', 1, MAX_NAME_BYTES),
  banDays: read.integer('MAX_BAN_DAYS', 1, 1_000_000),
  languages: read.integer('MAX_LANGUAGES', 1, 10_000),
  expressionsPerLanguage: read.integer('MAX_FILTERS', 1, 1_000_000),
  expressions: read.integer('MAX_FILTERS_TOTAL', 1, 10_000_000),
  expressionCharacters: read.integer('MAX_FILTER_CHARACTERS', 1, 1024),
  messageBytes: read.integer('MAX_MESSAGE_BYTES', 1, 65_536),
  messageDays: read.integer('MESSAGE_DAYS', 1, 90),
  messageLogBytes: read.integer('MESSAGE_LOG_MB', 1, 1_000_000_000) * 1_000_000,
  bodyBytes: read.integer('MAX_BODY_BYTES', 1024, 1_073_741_824),
})
