import { type Match, Rule } from './match.ts'
import type { Scanner } from './scanner.ts'
import { isEdgePunctuation, SIGN_LETTERS } from './sign-letters.ts'
import type { SignGroup, Token } from './tokens.ts'

/** Groups whose readings are combined freely. In a token with more, all signs are read in the same way. */
const MAX_GROUPS = 2
const MAX_TOKEN = 256

/** How a sign is read. */
const Reading = { separator: 0, letter: 1, nothing: 2 } as const

/** Signs that ordinary words contain, or that end a sentence. */
const ORDINARY: ReadonlySet<number> = new Set(Array.from('-\'’.,/:;&_?"…，。、！？；：', codeOf))

function codeOf(character: string): number {
  return character.charCodeAt(0)
}

/** Reads the signs in words as letters (`a$$`), or leaves them out (`wo^rd`). */
export class SignReadings {
  readonly #scanner: Scanner
  /** Matches that were found without reading signs, by pattern. */
  #plain: ReadonlyMap<number, readonly Match[]> = new Map()
  /** The reading under construction, and the offset of each of its units. */
  #text = ''
  readonly #positions: number[] = []

  constructor(scanner: Scanner) {
    this.#scanner = scanner
  }

  find(text: string, tokens: readonly Token[]): void {
    const { matches } = this.#scanner
    this.#plain = matches.length === 0 ? NONE : byPattern(matches)
    this.#scanWhole(text, tokens)
    for (const token of tokens) this.#readToken(text, token)
  }

  /** Reads all signs that can be letters as letters, so that phrases are found. */
  #scanWhole(text: string, tokens: readonly Token[]): void {
    let at = 0
    this.#clear()
    for (const token of tokens)
      for (const group of token.groups) {
        if (!mayBeLetter(token, group)) continue
        this.#copy(text, at, group.start)
        this.#addGroup(group, Reading.letter)
        at = group.end
      }
    if (at === 0) return
    this.#copy(text, at, text.length)
    this.#scan(Rule.disguise)
  }

  #readToken(text: string, token: Token): void {
    const { groups } = token
    if (token.end - token.start > MAX_TOKEN) return
    const options = groups.map((group) => optionsFor(token, group))
    if (options.every(({ length }) => length === 1)) return
    const choices = options.filter(({ length }) => length > 1).length
    if (choices <= MAX_GROUPS) this.#combine(text, token, options, [])
    else
      for (const preferred of [Reading.letter, Reading.nothing])
        this.#scanReading(
          text,
          token,
          options.map((each) => (each.includes(preferred) ? preferred : (each.at(-1) ?? Reading.separator))),
        )
  }

  /** Tries all combinations of readings. */
  #combine(
    text: string,
    token: Token,
    options: readonly (readonly number[])[],
    chosen: readonly number[],
  ): void {
    if (chosen.length === options.length) {
      this.#scanReading(text, token, chosen)
      return
    }
    for (const option of options[chosen.length] ?? [])
      this.#combine(text, token, options, [...chosen, option])
  }

  #scanReading(text: string, token: Token, chosen: readonly number[]): void {
    const read = token.groups.filter((_, index) => chosen[index] !== Reading.separator)
    if (read.length === 0) return
    this.#clear()
    let at = token.start
    for (const [index, group] of token.groups.entries()) {
      this.#copy(text, at, group.start)
      this.#addGroup(group, chosen[index] ?? Reading.separator)
      at = group.end
    }
    this.#copy(text, at, token.end)
    this.#scan(Rule.disguise, read)
  }

  #clear(): void {
    this.#text = ''
    this.#positions.length = 0
  }

  #copy(text: string, from: number, to: number): void {
    this.#text += text.slice(from, to)
    for (let at = from; at < to; at++) this.#positions.push(at)
  }

  #addGroup({ start, end, sign }: SignGroup, reading: number): void {
    if (reading === Reading.nothing) return
    const character = reading === Reading.separator ? ' ' : (SIGN_LETTERS.get(sign) ?? ' ')
    for (let at = start; at < end; at += widthOf(sign)) {
      this.#text += character
      this.#positions.push(at)
    }
  }

  /** Keeps the matches that depend on the reading of a sign. */
  #scan(rule: number, read?: readonly SignGroup[]): void {
    const { matches } = this.#scanner
    const known = matches.length
    this.#scanner.scan(this.#text, true)
    if (matches.length === known) return
    for (const { start: first, end: after, pattern } of matches.splice(known)) {
      const start = this.#positions[first] ?? 0
      const last = this.#positions[after - 1] ?? 0
      const end = last + widthOf(read?.find((group) => group.start <= last && group.end > last)?.sign ?? 0)
      const depends = read?.some((group) => group.start < end && group.end > start) ?? true
      if (depends && !this.#isKnown(pattern, start, end)) matches.push({ start, end, pattern, rule })
    }
  }

  /** Whether the pattern was found inside a span without reading signs. Matches of one pattern are in text order. */
  #isKnown(pattern: number, start: number, end: number): boolean {
    const plain = this.#plain.get(pattern)
    if (plain === undefined) return false
    let [low, high] = [0, plain.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((plain[middle]?.start ?? 0) < start) low = middle + 1
      else high = middle
    }
    return (plain[low]?.end ?? Number.POSITIVE_INFINITY) <= end
  }
}

function byPattern(matches: readonly Match[]): Map<number, Match[]> {
  const byPattern = new Map<number, Match[]>()
  for (const match of matches) {
    const known = byPattern.get(match.pattern)
    if (known === undefined) byPattern.set(match.pattern, [match])
    else known.push(match)
  }
  return byPattern
}

const NONE: ReadonlyMap<number, readonly Match[]> = new Map()

const widthOf = (sign: number) => (sign > 0xffff ? 2 : 1)

function optionsFor(token: Token, group: SignGroup): number[] {
  const options: number[] = [Reading.separator]
  if (mayBeLetter(token, group)) options.push(Reading.letter)
  const isInside = group.start > token.start && group.end < token.end
  if (isInside && !ORDINARY.has(group.sign)) options.push(Reading.nothing)
  return options
}

/** Whether a sign can be read as a letter. At the edge of a word most are punctuation unless the word has more signs. */
function mayBeLetter(token: Token, { start, end, sign }: SignGroup): boolean {
  if (!SIGN_LETTERS.has(sign)) return false
  const isInside = start > token.start && end < token.end
  if (isInside || !isEdgePunctuation(sign)) return true
  return token.hasDigits || (token.groups.length > 1 && token.groups.length <= MAX_GROUPS)
}
