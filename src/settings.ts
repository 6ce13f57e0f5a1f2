import { hostname } from 'node:os'
import { LOG_LEVELS } from './log.ts'

export interface Setting {
  readonly fallback: string
  readonly about: string
  /** Secrets are never flags, since command lines are public, and never printed. NAME_FILE reads one from a file. */
  readonly secret?: true
}

/** Every setting: variable PARLEY_NAME, flag --name, key "name" of the configuration file. */
export const SETTINGS = {
  HOST: { fallback: '127.0.0.1', about: 'Address to listen on; `0.0.0.0` for all interfaces.' },
  PORT: { fallback: '4140', about: 'Port to listen on; `0` picks a free port and logs it.' },
  ADMIN_PORT: {
    fallback: '',
    about:
      'Separate port for the management API, documentation, metrics and health; `PARLEY_PORT` then serves only players, `/livez` and `/readyz`. Empty: one port for everything.',
  },
  ADMIN_HOST: { fallback: '', about: 'Address of `PARLEY_ADMIN_PORT`. Empty: `PARLEY_HOST`.' },
  DATA_DIR: { fallback: './data', about: 'Folder for the databases and generated secrets.' },
  MASTER_TOKEN: {
    fallback: '',
    about:
      'Master token, at least 32 characters. Separate several valid tokens with commas. Generated at the first start when unset.',
    secret: true,
  },
  PLAYER_SECRET: {
    fallback: '',
    about:
      'Key that signs and verifies player tokens (HS256), at least 32 characters. Generated at the first start when unset.',
    secret: true,
  },
  DATABASE_URL: {
    fallback: '',
    about: 'Reserved. This version supports only the embedded store.',
    secret: true,
  },
  REDIS_URL: { fallback: '', about: 'Reserved. This version runs as a single node only.', secret: true },
  NODE_NAME: { fallback: hostname(), about: 'Name of this node in the log.' },
  LOG_LEVEL: { fallback: 'info', about: `One of ${LOG_LEVELS.join(', ')}.` },
  RATE_LIMIT: { fallback: 'on', about: '`off` disables rate limiting of management requests.' },
  RATE_PER_SECOND: {
    fallback: '5000',
    about: 'Management requests per second for each token, with bursts of up to twice that.',
  },
  FLOOD_LIMIT: {
    fallback: 'on',
    about: '`off` disables flood control, including all other `PARLEY_FLOOD_` settings.',
  },
  FLOOD_MESSAGES: {
    fallback: '5',
    about: 'Messages that a player may send within `PARLEY_FLOOD_SECONDS`.',
  },
  FLOOD_SECONDS: { fallback: '5', about: 'Window of `PARLEY_FLOOD_MESSAGES`, in seconds.' },
  FLOOD_FRAMES: {
    fallback: '200',
    about: 'Frames of any kind that a player may send within 10 seconds.',
  },
  FLOOD_JOINS: {
    fallback: '40',
    about: 'Connects, joins, resumes and leaves that a player may send within 10 seconds.',
  },
  FLOOD_REPORTS: {
    fallback: '10',
    about: 'Reports that a player may send per minute, including rejected ones.',
  },
  FLOOD_REFUSALS: {
    fallback: '100',
    about: 'Flood control errors within 10 seconds before a connection is closed with code 4009.',
  },
  GROUPS_PER_PLAYER: { fallback: '16', about: 'Groups in which a player may have a seat at the same time.' },
  FILTER_MODE: {
    fallback: 'mask',
    about: '`mask` replaces profanity with `*`; `block` rejects the message.',
  },
  TELL_FILTER_HITS: {
    fallback: 'off',
    about: '`on` tells players which expressions of which lists matched their own messages.',
  },
  DEFAULT_LANGUAGE: {
    fallback: 'en',
    about: 'Language of players whose token and client do not specify one.',
  },
  CLIENT_LANGUAGE: {
    fallback: 'off',
    about:
      "`on` lets the client's `language` take precedence over the token's `lang`, so that players can choose which word lists apply to them.",
  },
  ORIGINS: {
    fallback: '',
    about:
      'Web origins that may connect to the gateway, separated by commas, such as `https://game.example`. Empty allows all.',
  },
  CONNECTIONS_PER_SECOND: {
    fallback: '1000',
    about: 'New player connections per second; others get 503 with `Retry-After`.',
  },
  CONNECTIONS_PER_ADDRESS: {
    fallback: '100',
    about:
      'New player connections per second from one address (IPv6: one /64); others get 429 with `Retry-After`. `0` disables the limit.',
  },
  PENDING_PER_ADDRESS: {
    fallback: '200',
    about:
      'Connections from one address that may be open before a valid `connect`; others get 429. `0` disables the limit.',
  },
  TRUSTED_PROXIES: {
    fallback: '',
    about:
      'Addresses and CIDR blocks of reverse proxies, separated by commas. The client address is then the right-most untrusted one in `X-Forwarded-For`. The header is ignored from any other peer.',
  },
  MAX_CONNECTIONS: { fallback: '100000', about: 'Maximum number of player connections to this node.' },
  MESSAGE_DAYS: {
    fallback: '30',
    about:
      'Retention of the message log, in days, 1 to 90. Days end at midnight UTC and are dropped as a whole.',
  },
  MESSAGE_LOG_MB: {
    fallback: '20000',
    about:
      'Size limit of the message log, in megabytes (1 MB is 1,000,000 bytes). Above it, the oldest days are dropped early.',
  },
  REPORT_KEYWORDS: {
    fallback: 'INAPPROPRIATE,SPAM,HARASSMENT,CHEATING,ADVERTISING,ETC',
    about: 'Report categories that players can choose from, separated by commas.',
  },
  REPORTS_PER_DAY: { fallback: '20', about: 'Reports that a player may file in 24 hours.' },
  REPORT_MESSAGE_DAYS: {
    fallback: '7',
    about: 'Age in days after which a message can no longer be reported.',
  },
  IDLE_SECONDS: {
    fallback: '75',
    about:
      'Seconds of inactivity before an HTTP connection is closed, up to 255. Set it higher than the keep-alive time of a proxy in front.',
  },
  PING_SECONDS: {
    fallback: '25',
    about: 'Seconds between pings to each player. A player that misses three in a row is disconnected.',
  },
  BODY_SECONDS: { fallback: '60', about: 'Seconds within which a request body must arrive.' },
  DRAIN_SECONDS: { fallback: '10', about: 'Seconds that a stop waits for requests in flight.' },
  IDEMPOTENCY_HOURS: {
    fallback: '24',
    about: 'Hours that the result for an `Idempotency-Key` is stored.',
  },
  NAME_PROFILE: {
    fallback: 'open',
    about:
      '`strict` allows only `[a-z0-9-]{4,48}` in group and channel names, and reserves some group names.',
  },
  PROTECT_FALLBACK: {
    fallback: 'off',
    about: '`on` rejects deleting a FALLBACK channel or removing its flag.',
  },
  MAX_NAME_BYTES: { fallback: '128', about: 'Maximum length of group and channel names, in bytes.' },
  MAX_GROUPS: { fallback: '10000', about: 'Maximum number of channel groups.' },
  MAX_CHANNELS: { fallback: '100000', about: 'Maximum number of channels in all groups.' },
  DEFAULT_MAX_COUNT: { fallback: '50', about: 'Default `max_count` of a channel.' },
  MAX_MAX_COUNT: { fallback: '100000', about: 'Largest `max_count` of a channel.' },
  MAX_GAMER_ID_BYTES: { fallback: '128', about: 'Maximum length of player ids, in bytes.' },
  MAX_NICKNAME_BYTES: { fallback: '64', about: 'Maximum length of player names, in bytes.' },
  MAX_BAN_DAYS: { fallback: '36500', about: 'Longest ban, in days.' },
  MAX_LANGUAGES: { fallback: '200', about: 'Maximum number of languages with a word list.' },
  MAX_FILTERS: { fallback: '100000', about: 'Maximum number of expressions per language.' },
  MAX_FILTERS_TOTAL: { fallback: '1000000', about: 'Maximum number of expressions in all languages.' },
  MAX_FILTER_CHARACTERS: { fallback: '128', about: 'Maximum length of an expression, in characters.' },
  MAX_MESSAGE_BYTES: { fallback: '1000', about: 'Maximum length of a message, in bytes.' },
  MAX_BODY_BYTES: { fallback: '8388608', about: 'Maximum size of a request body, in bytes.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

export const settingNames = Object.keys(SETTINGS) as readonly SettingName[]
export const settingOf = (name: SettingName): Setting => SETTINGS[name]
export const variableOf = (name: SettingName) => `PARLEY_${name}`
export const flagOf = (name: SettingName) => name.toLowerCase().replaceAll('_', '-')
