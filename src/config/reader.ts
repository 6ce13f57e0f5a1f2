import { isIP } from 'node:net'
import { isLanguageCode } from '../core/text.ts'
import { isAddressBlock } from '../listener/client-address.ts'
import { type SettingName, variableOf } from '../settings.ts'
import type { SettingValues } from './sources.ts'

/** 256 bits, if each character were a byte. */
const MIN_SECRET_LENGTH = 32
const MAX_TEXT_LENGTH = 4096
const MAX_ITEMS = 1000
const HOST_NAME = /^(?!-)[A-Za-z\d-]{1,63}(\.[A-Za-z\d-]{1,63})*$/
/** Apps in a web view have their own schemes, such as `capacitor://localhost`. */
const APP_ORIGIN = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/

const KEYWORD = /^[A-Za-z][A-Za-z_-]{0,47}$/

/** Parses values by type and collects a problem for each invalid one. */
export class Reader {
  readonly #values: SettingValues
  readonly #problems: string[]

  constructor(values: SettingValues, problems: string[]) {
    this.#values = values
    this.#problems = problems
  }

  text(name: SettingName): string {
    const { text } = this.#values[name]
    if (text === '') this.#problem(name, 'must not be empty')
    else if (text.length > MAX_TEXT_LENGTH || /\p{Cc}/u.test(text))
      this.#problem(name, `must have at most ${MAX_TEXT_LENGTH} characters and no control characters`)
    return text
  }

  /** An IP address or host name to listen on. */
  host(name: SettingName): string {
    const { text } = this.#values[name]
    if (isIP(text) === 0 && !HOST_NAME.test(text))
      this.#problem(name, `must be an IP address or a host name, such as 127.0.0.1, not "${text}"`)
    return text
  }

  isSet(name: SettingName): boolean {
    return this.#values[name].text !== ''
  }

  integer(name: SettingName, min: number, max: number): number {
    const { text } = this.#values[name]
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max))
      this.#problem(name, `must be a whole number from ${min} to ${max}, not "${text}"`)
    return number
  }

  language(name: SettingName): string {
    const { text } = this.#values[name]
    if (!isLanguageCode(text)) this.#problem(name, `must be a language code such as "ko-KR", not "${text}"`)
    return text
  }

  oneOf<T extends string>(name: SettingName, allowed: readonly [T, ...T[]]): T {
    const { text } = this.#values[name]
    const found = allowed.find((each) => each === text)
    if (found === undefined) this.#problem(name, `must be one of ${allowed.join(', ')}, not "${text}"`)
    return found ?? allowed[0]
  }

  isOn(name: SettingName): boolean {
    return this.oneOf(name, ['on', 'off']) === 'on'
  }

  /** Comma-separated, without duplicates. */
  list(name: SettingName, isValid: (item: string) => boolean, expected: string): string[] {
    const items = this.#values[name].text.split(',').flatMap((each) => each.trim() || [])
    const wrong = items.filter((item) => !isValid(item)).map((item) => `"${item}"`)
    if (wrong.length > 0) this.#problem(name, `must be ${expected}, not ${wrong.join(', ')}`)
    if (items.length > MAX_ITEMS) this.#problem(name, `must have at most ${MAX_ITEMS} items`)
    return [...new Set(items)]
  }

  /** Origins as browsers send them: scheme, host and port, without a path. */
  origins(name: SettingName): string[] {
    return this.list(name, isOrigin, 'origins such as https://game.example, without a path')
  }

  addressBlocks(name: SettingName): string[] {
    return this.list(name, isAddressBlock, 'IP addresses or CIDR blocks such as 10.0.0.0/8')
  }

  /** Report categories; at least one. */
  keywords(name: SettingName): string[] {
    const keywords = this.list(
      name,
      (each) => KEYWORD.test(each),
      `keywords such as SPAM that match ${KEYWORD.source}`,
    )
    if (keywords.length === 0) this.#problem(name, 'must have at least one keyword')
    return keywords
  }

  /** Undefined when unset. No message contains the value. */
  secret(name: SettingName): string | undefined {
    return this.#checkSecret(name, this.#values[name].text)
  }

  /** Comma-separated. */
  secrets(name: SettingName): string[] {
    return this.#values[name].text.split(',').flatMap((each) => this.#checkSecret(name, each.trim()) ?? [])
  }

  #checkSecret(name: SettingName, secret: string): string | undefined {
    if (secret === '') return undefined
    if (secret.length < MIN_SECRET_LENGTH)
      this.#problem(name, `must have at least ${MIN_SECRET_LENGTH} characters`)
    if (/[^\x21-\x7e]/.test(secret)) this.#problem(name, 'must have only visible ASCII characters')
    return secret
  }

  unsupported(name: SettingName, why: string): void {
    if (this.#values[name].text !== '') this.#problem(name, why)
  }

  /** Starts with the variable; ends with the source when the value came from elsewhere. */
  #problem(name: SettingName, what: string): void {
    const variable = variableOf(name)
    const { source = variable } = this.#values[name]
    this.#problems.push(`${variable}: ${what}${source === variable ? '' : ` (from ${source})`}`)
  }
}

function isOrigin(text: string): boolean {
  if (APP_ORIGIN.test(text)) return true
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
