import { hostname } from 'node:os'
import { LOG_LEVELS } from './log.ts'

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
  FLOOD_LIMIT: { fallback: 'on', about: '`off` lets players send without a limit.' },
  FLOOD_MESSAGES: { fallback: '5', about: 'Messages of one player within PARLEY_FLOOD_SECONDS.' },
  FLOOD_SECONDS: { fallback: '5', about: 'See PARLEY_FLOOD_MESSAGES.' },
  FILTER_MODE: {
    fallback: 'mask',
    about: '`mask` hides what the lists forbid, `block` refuses the message.',
  },
  TELL_FILTER_HITS: {
    fallback: 'off',
    about: '`on` tells players which expression of which list was found where in their own messages.',
  },
  DEFAULT_LANGUAGE: { fallback: 'en', about: 'Language of players whose token and client name none.' },
  ORIGINS: { fallback: '', about: 'Origins whose pages may connect, separated by commas. Empty: all.' },
  CONNECTIONS_PER_SECOND: {
    fallback: '1000',
    about: 'New player connections a second; more are asked to come back.',
  },
  MAX_CONNECTIONS: { fallback: '100000', about: 'Player connections of this node.' },
  MESSAGE_DAYS: { fallback: '30', about: 'How long messages are kept for operators, 1 to 90 days.' },
  REPORT_KEYWORDS: {
    fallback: 'INAPPROPRIATE,SPAM,HARASSMENT,CHEATING,ADVERTISING,ETC',
    about: 'Categories that players may report with.',
  },
  REPORTS_PER_DAY: { fallback: '20', about: 'Reports of one player in 24 hours.' },
  REPORT_MESSAGE_DAYS: { fallback: '7', about: 'Older messages cannot be reported.' },
  IDLE_SECONDS: { fallback: '15', about: 'A connection that is silent for so long is cut.' },
  BODY_SECONDS: { fallback: '60', about: 'A request whose body is not here after so long is cut.' },
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
  MAX_NICKNAME_BYTES: { fallback: '64', about: 'Length of player names.' },
  MAX_BAN_DAYS: { fallback: '36500', about: 'Longest ban.' },
  MAX_LANGUAGES: { fallback: '200', about: 'Languages that have a profanity list.' },
  MAX_FILTERS: { fallback: '100000', about: 'Expressions of one language.' },
  MAX_FILTERS_TOTAL: { fallback: '1000000', about: 'Expressions of all languages.' },
  MAX_FILTER_CHARACTERS: { fallback: '128', about: 'Length of an expression.' },
  MAX_MESSAGE_BYTES: { fallback: '1000', about: 'Length of a message.' },
  MAX_BODY_BYTES: { fallback: '8388608', about: 'Size of a request body.' },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

export const settingNames = Object.keys(SETTINGS) as readonly SettingName[]
export const settingOf = (name: SettingName): Setting => SETTINGS[name]
export const variableOf = (name: SettingName) => `PARLEY_${name}`
export const flagOf = (name: SettingName) => name.toLowerCase().replaceAll('_', '-')
