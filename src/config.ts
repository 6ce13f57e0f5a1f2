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
    /** Undefined: management shares the port of the players. */
    readonly admin: { readonly host: string; readonly port: number } | undefined
  }
  /** Addresses and blocks of proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[]
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
  readonly flood: FloodRules | undefined
  readonly groupsPerPlayer: number
  readonly filterMode: 'mask' | 'block'
  readonly showHits: boolean
  readonly languages: { readonly default: string; readonly isClientFirst: boolean }
  /** Empty: every origin. */
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
  /** How long the log keeps messages. */
  readonly messageDays: number
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
    problems.push(`PARLEY_DEFAULT_MAX_COUNT: must not be over PARLEY_MAX_MAX_COUNT, ${maxCount}`)
  if (problems.length > 0) throw new ConfigError(problems)
  return { config, values }
}

const build = (read: Reader): Config => {
  read.unsupported('DATABASE_URL', 'this version has the embedded store only; leave it unset')
  read.unsupported('REDIS_URL', 'this version runs as one node only; leave it unset')
  return {
    listen: {
      host: read.host('HOST'),
      port: read.whole('PORT', 0, 65_535),
      idleSeconds: read.whole('IDLE_SECONDS', 1, 255),
      bodySeconds: read.whole('BODY_SECONDS', 1, 255),
      pingSeconds: read.whole('PING_SECONDS', 1, 300),
      admin: read.isSet('ADMIN_PORT')
        ? {
            host: read.host(read.isSet('ADMIN_HOST') ? 'ADMIN_HOST' : 'HOST'),
            port: read.whole('ADMIN_PORT', 0, 65_535),
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
      ? { perSecond: read.whole('RATE_PER_SECOND', 1, 10_000_000) }
      : undefined,
    gateway: buildGateway(read),
    reports: {
      keywords: read.keywords('REPORT_KEYWORDS'),
      perDay: read.whole('REPORTS_PER_DAY', 1, 100_000),
      messageDays: read.whole('REPORT_MESSAGE_DAYS', 1, 90),
    },
    drainMs: read.whole('DRAIN_SECONDS', 0, 3600) * 1000,
    idempotencyMs: read.whole('IDEMPOTENCY_HOURS', 1, 720) * 3_600_000,
    limits: buildLimits(read),
  }
}

const buildGateway = (read: Reader): GatewayConfig => ({
  flood: read.isOn('FLOOD_LIMIT') ? buildFlood(read) : undefined,
  groupsPerPlayer: read.whole('GROUPS_PER_PLAYER', 1, 1000),
  filterMode: read.oneOf('FILTER_MODE', ['mask', 'block']),
  showHits: read.isOn('TELL_FILTER_HITS'),
  languages: { default: read.language('DEFAULT_LANGUAGE'), isClientFirst: read.isOn('CLIENT_LANGUAGE') },
  origins: read.origins('ORIGINS'),
  connectionsPerSecond: read.whole('CONNECTIONS_PER_SECOND', 1, 1_000_000),
  connectionsPerAddress: read.whole('CONNECTIONS_PER_ADDRESS', 0, 100_000),
  pendingPerAddress: read.whole('PENDING_PER_ADDRESS', 0, 100_000),
  maxConnections: read.whole('MAX_CONNECTIONS', 1, 10_000_000),
})

/** The windows are fixed: one number for each budget is enough to tune. */
const buildFlood = (read: Reader): FloodRules => ({
  messages: {
    count: read.whole('FLOOD_MESSAGES', 1, 1000),
    windowMs: read.whole('FLOOD_SECONDS', 1, 3600) * 1000,
  },
  frames: { count: read.whole('FLOOD_FRAMES', 1, 10_000), windowMs: 10_000 },
  moves: { count: read.whole('FLOOD_JOINS', 1, 10_000), windowMs: 10_000 },
  reports: { count: read.whole('FLOOD_REPORTS', 1, 10_000), windowMs: 60_000 },
  rejections: { count: read.whole('FLOOD_REFUSALS', 1, 10_000), windowMs: 10_000 },
})

const buildLimits = (read: Reader): Limits => ({
  nameBytes: read.whole('MAX_NAME_BYTES', 1, MAX_NAME_BYTES),
  strictNames: read.oneOf('NAME_PROFILE', ['open', 'strict']) === 'strict',
  protectFallback: read.isOn('PROTECT_FALLBACK'),
  groups: read.whole('MAX_GROUPS', 1, 1_000_000),
  channels: read.whole('MAX_CHANNELS', 1, 1_000_000),
  defaultMaxCount: read.whole('DEFAULT_MAX_COUNT', 1, 1_000_000),
  maxCount: read.whole('MAX_MAX_COUNT', 1, 1_000_000),
  gamerIdBytes: read.whole('MAX_GAMER_ID_BYTES', 1, MAX_NAME_BYTES),
  nicknameBytes: read.whole('MAX_NICKNAME_BYTES', 1, MAX_NAME_BYTES),
  banDays: read.whole('MAX_BAN_DAYS', 1, 1_000_000),
  languages: read.whole('MAX_LANGUAGES', 1, 10_000),
  expressionsPerLanguage: read.whole('MAX_FILTERS', 1, 1_000_000),
  expressions: read.whole('MAX_FILTERS_TOTAL', 1, 10_000_000),
  expressionCharacters: read.whole('MAX_FILTER_CHARACTERS', 1, 1024),
  messageBytes: read.whole('MAX_MESSAGE_BYTES', 1, 65_536),
  messageDays: read.whole('MESSAGE_DAYS', 1, 90),
  bodyBytes: read.whole('MAX_BODY_BYTES', 1024, 1_073_741_824),
})
