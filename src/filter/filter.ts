import { Code, NO_SYMBOL, SEPARATOR_SYMBOL, STARS, SYLLABLE_SYMBOLS, syllableRow } from './alphabet.ts'
import { HIT, STATE, SYMBOL_BITS, SYMBOLS, step } from './automaton.ts'
import {
  type CompiledFilter,
  censoredBucket,
  ELEMENT_CODE,
  ELEMENT_COUNT_SHIFT,
  End,
  type FilterSource,
  type List,
} from './compiled.ts'
import { ENDINGS } from './endings.ts'
import { Flag, SEPARATOR } from './expression.ts'
import { maskSpans } from './mask.ts'
import { bareOf, disguiseOf, foldedOf, isEcho, isStretch, Kind, kindOf, standsFor } from './unicode.ts'
import { kindAfter, kindBefore, Verifier } from './verify.ts'

export type { FilterSource, List } from './compiled.ts'

export interface Hit {
  /** In UTF-16 units of the text. */
  readonly start: number
  readonly end: number
  /** As it stands in the list. */
  readonly expression: string
  readonly language: string
}

export interface CleanText {
  /** The text with a `*` for each character of a hit that a person sees. */
  readonly text: string
  readonly hits: readonly Hit[]
}

/** What was found, by the number of its pattern. */
interface Found {
  readonly start: number
  readonly end: number
  readonly pattern: number
}

/** What concerns a language: which lists, and what of them ends in each state of the automaton. */
interface Scope {
  readonly applies: Uint8Array
  readonly ends: Uint8Array
}

const EVERY_LANGUAGE = 'all'
const MAX_LANGUAGES = 1000
const MAX_SCOPES = 32
const DIGIT_NINE = 0x39
const MAX_SIGNS = 3
const NOTHING: readonly Hit[] = []
/** So many single letters in a row are a word that is spelled out. */
const SPELLED = 3
/** A bit for each of the last symbols, set where it separates: those of that many single letters. */
const SPELLED_HISTORY = 0b101_0101
const SPELLED_MASK = 0b111_1111

/** Reasons to look at a text again, in another way. */
const Again = { spelled: 1, edgeSigns: 2, censored: 4, gaps: 8 } as const

export const languageKey = (language: string) => language.toLowerCase().replaceAll('_', '-')

/** Finds and masks what lists forbid. Made from what `compile` gives; changes nothing, so it can be shared. */
export class Filter {
  readonly #lists: readonly List[]
  readonly #compiled: CompiledFilter
  readonly #verifier: Verifier
  readonly #start: number
  readonly #languages: readonly string[]
  readonly #scopes = new Map<string, Scope>()
  readonly #scopesByLists = new Map<string, Scope>()
  /** Of the message before: most come in the same language. */
  #language: string | undefined
  #scope: Scope = { applies: new Uint8Array(), ends: new Uint8Array() }
  /** Patterns of signs alone, by their first unit. */
  readonly #literals: ReadonlyMap<number, readonly number[]>
  /** By symbol, whether an ending of a word begins with it. */
  readonly #startsEnding: Uint8Array
  /** Of the text under way: what was found, and the symbols of its last letter. */
  readonly #found: Found[] = []
  readonly #symbols = new Uint8Array(SYLLABLE_SYMBOLS + 1)
  #spelled = 0
  #gapAfter = 0
  #spelledPattern = 0

  /** `lists` are those that it was compiled from. */
  constructor(compiled: CompiledFilter, { lists, allowed }: FilterSource) {
    this.#lists = lists
    this.#compiled = compiled
    this.#verifier = new Verifier(compiled.patterns, compiled.dictionary)
    this.#start = step(compiled.automaton, 0, SEPARATOR_SYMBOL) & STATE
    this.#literals = Map.groupBy(compiled.literals, (pattern) => this.#expressionOf(pattern).charCodeAt(0))
    this.#startsEnding = new Uint8Array(SYMBOLS)
    for (const ending of ENDINGS) this.#startsEnding[compiled.codes[ending.charCodeAt(0)] ?? 0] = 1
    this.#languages = [...lists, ...allowed].map(({ language }) => languageKey(language))
  }

  clean(text: string, language: string): CleanText {
    const hits = this.find(text, language)
    return hits.length === 0 ? { text, hits } : { text: maskSpans(text, hits), hits }
  }

  /** What the list `all`, the list of the language and those of its parents forbid, in the order of the text. */
  find(text: string, language: string): readonly Hit[] {
    const scope = language === this.#language ? this.#scope : this.#enter(language)
    const again = this.#scan(text, scope, false)
    if (again !== 0) this.#scanAgain(text, scope, again)
    return this.#found.length === 0 ? NOTHING : this.#settle()
  }

  #enter(language: string): Scope {
    this.#scope = this.#scopes.get(language) ?? this.#openScope(language)
    this.#language = language
    return this.#scope
  }

  /** Works out what concerns a language, at its first message. */
  #openScope(language: string): Scope {
    const parts = languageKey(language).split('-')
    const used = new Set([EVERY_LANGUAGE, ...parts.map((_, index) => parts.slice(0, index + 1).join('-'))])
    const applies = Uint8Array.from([...this.#languages.map((each) => (used.has(each) ? 1 : 0)), 1])
    const key = applies.join('')
    const scope = this.#scopesByLists.get(key) ?? { applies, ends: this.#endsFor(applies) }
    if (this.#scopes.size >= MAX_LANGUAGES) this.#scopes.clear()
    if (this.#scopesByLists.size >= MAX_SCOPES) this.#scopesByLists.clear()
    this.#scopesByLists.set(key, scope)
    this.#scopes.set(language, scope)
    return scope
  }

  /** What ends in each state, of the lists that apply. */
  #endsFor(applies: Uint8Array): Uint8Array {
    const { automaton, patterns } = this.#compiled
    const { firstEnd, ends, nextEnds } = automaton
    const kinds = new Uint8Array(nextEnds.length)
    for (let state = 1; state < kinds.length; state++) {
      let kind = kinds[nextEnds[state] ?? 0] ?? 0
      for (let place = firstEnd[state] ?? 0; place < (firstEnd[state + 1] ?? 0); place++) {
        const pattern = ends[place] ?? 0
        if (applies[patterns.lists[pattern] ?? 0] === 1) kind |= patterns.ends[pattern] ?? 0
      }
      kinds[state] = kind
    }
    return kinds
  }

  /** One pass over the text. Gives back the reasons for another one. */
  #scan(text: string, scope: Scope, signsAreLetters: boolean): number {
    const { codes, automaton } = this.#compiled
    const { dense } = automaton
    const { ends } = scope
    const startsEnding = this.#startsEnding
    const denseUnits = dense.length
    let again = 0
    let state = this.#start
    let previous = SEPARATOR_SYMBOL
    let history = 1
    for (let i = 0; i < text.length; i++) {
      let code = codes[text.charCodeAt(i)] ?? 0
      if (code >= SYMBOLS) {
        if (code === Code.ignorable) continue
        if (code >= Code.pair || code <= Code.half) {
          const width = this.#spell(text, i, code)
          again |= this.#gapAfter
          history <<= 1
          for (let at = 0; at < this.#spelled; at++) {
            const symbol = this.#symbols[at] ?? 0
            if (symbol === previous) continue
            previous = symbol
            const key = (state << SYMBOL_BITS) | symbol
            const next = key < denseUnits ? (dense[key] ?? 0) : step(automaton, state, symbol)
            state = next & STATE
            if (next >= HIT && ends[state] !== 0) this.#verifyAll(text, state, i + width, scope)
          }
          i += width - 1
          continue
        }
        if (code === Code.sign) {
          const isInWord = previous !== SEPARATOR_SYMBOL
          const isBeforeWord = this.#isBeforeWord(text, i, isInWord)
          if (isInWord ? !isBeforeWord && isEndSign(text.charCodeAt(i)) : isBeforeWord)
            again |= Again.edgeSigns
          const isLetter = signsAreLetters ? isInWord || isBeforeWord : isInWord && isBeforeWord
          code = isLetter ? this.#signSymbol(text.charCodeAt(i)) : SEPARATOR_SYMBOL
        } else {
          if (code === Code.literal) this.#findLiterals(text, i, scope)
          else if (previous !== SEPARATOR_SYMBOL) again |= Again.censored
          code = SEPARATOR_SYMBOL
        }
      }
      if (code === previous) continue
      previous = code
      // Without a branch: where words end cannot be foreseen, and a wrong guess costs more than all the rest.
      history = (history << 1) | (((code ^ SEPARATOR_SYMBOL) - 1) >>> 31)
      if ((history & SPELLED_MASK) === SPELLED_HISTORY) again |= Again.spelled
      const key = (state << SYMBOL_BITS) | code
      const next = key < denseUnits ? (dense[key] ?? 0) : step(automaton, state, code)
      state = next & STATE
      const kind = ends[state] ?? 0
      if (kind === 0) continue
      if ((kind & End.anywhere) === 0) {
        const unit = unitAt(text, i + 1)
        const after = codes[unit] ?? SEPARATOR_SYMBOL
        const goesOn = after < SYMBOLS && after !== SEPARATOR_SYMBOL && unit > DIGIT_NINE && after !== code
        if (goesOn && ((kind & End.bent) === 0 || startsEnding[after] === 0)) continue
      }
      this.#verifyAll(text, state, i + 1, scope)
    }
    return (((history << 1) | 1) & SPELLED_MASK) === SPELLED_HISTORY ? again | Again.spelled : again
  }

  /** Whether a word follows a sign, or the few signs that it begins. A digit begins none behind most: `<3`. */
  #isBeforeWord(text: string, at: number, isInWord: boolean): boolean {
    const { codes } = this.#compiled
    for (let next = at + 1; next <= at + MAX_SIGNS; next++) {
      const unit = unitAt(text, next)
      const code = codes[unit] ?? SEPARATOR_SYMBOL
      if (code !== Code.sign)
        return (isInWord || unit > DIGIT_NINE || isEndSign(text.charCodeAt(at))) && isLetterCode(code)
    }
    return false
  }

  /** The symbols of a letter that has several, into `#symbols`; gives back how many units it takes. */
  #spell(text: string, at: number, code: number): number {
    this.#spelled = 0
    this.#gapAfter = 0
    let width = 1
    if (code === Code.syllable) this.#spellSyllable(text, at)
    else if (code === Code.half) width = this.#spellAstral(text, at)
    else this.#spellSymbols(code)
    if (code !== Code.syllable && code < Code.unspaced) return width
    const next = this.#compiled.codes[unitAt(text, at + width)] ?? SEPARATOR_SYMBOL
    if (next === Code.syllable || next >= Code.unspaced) return width
    const kind = kindAfter(text, at + width)
    if (kind === Kind.letter || kind === Kind.digit) this.#push(SEPARATOR_SYMBOL)
    if ((kind === Kind.separator || kind === Kind.digit) && at + width < text.length)
      this.#gapAfter = Again.gaps
    return width
  }

  #push(symbol: number): void {
    this.#symbols[this.#spelled++] = symbol
  }

  /** The silent consonant of a syllable that only draws out the vowel before it is left out. */
  #spellSyllable(text: string, at: number): void {
    const { syllables } = this.#compiled
    const unit = text.charCodeAt(at)
    const before = at > 0 ? text.charCodeAt(at - 1) : 0
    if (isEcho(unit, before)) return
    const row = syllableRow(foldedOf(unit))
    const silent = isStretch(unit, before) ? 1 : 0
    for (let place = row + silent; place < row + SYLLABLE_SYMBOLS && syllables[place] !== NO_SYMBOL; place++)
      this.#push(syllables[place] ?? 0)
  }

  #spellSymbols(code: number): void {
    const symbols = code & (Code.pair - 1)
    if (symbols >= SYMBOLS) this.#push(symbols >> SYMBOL_BITS)
    this.#push(symbols & (SYMBOLS - 1))
  }

  #spellAstral(text: string, at: number): number {
    const character = text.codePointAt(at) ?? 0
    const width = character > 0xffff ? 2 : 1
    if (width === 2 && kindOf(character) === Kind.ignorable) return width
    const folded = foldedOf(character)
    const code = folded <= 0xffff ? (this.#compiled.codes[folded] ?? 0) : SEPARATOR_SYMBOL
    this.#spellSymbols(code >= SYMBOLS && code < Code.pair ? SEPARATOR_SYMBOL : code)
    return width
  }

  #signSymbol(unit: number): number {
    const mask = disguiseOf(unit)
    const letter = 0x61 + 31 - Math.clz32(mask & -mask)
    return this.#compiled.codes[letter] ?? 0
  }

  /** Looks closely at every pattern whose classes end here. */
  #verifyAll(text: string, state: number, at: number, scope: Scope): void {
    const { automaton, patterns } = this.#compiled
    for (let each = state; each !== 0; each = automaton.nextEnds[each] ?? 0) {
      const end = automaton.firstEnd[each + 1] ?? 0
      for (let place = automaton.firstEnd[each] ?? 0; place < end; place++) {
        const pattern = automaton.ends[place] ?? 0
        if (scope.applies[patterns.lists[pattern] ?? 0] === 0) continue
        if (!this.#verifier.verify(text, pattern, at)) continue
        this.#found.push({ start: this.#verifier.start, end: this.#verifier.end, pattern })
        // The others of this state say the same of the same letters.
        if ((patterns.flags[pattern] ?? 0) < Flag.within && (patterns.ends[pattern] ?? 0) !== End.anywhere)
          break
      }
    }
  }

  #findLiterals(text: string, at: number, scope: Scope): void {
    const { patterns } = this.#compiled
    for (const pattern of this.#literals.get(text.charCodeAt(at)) ?? []) {
      if (scope.applies[patterns.lists[pattern] ?? 0] === 0) continue
      const expression = this.#expressionOf(pattern)
      if (text.startsWith(expression, at))
        this.#found.push({ start: at, end: at + expression.length, pattern })
    }
  }

  #scanAgain(text: string, scope: Scope, again: number): void {
    if ((again & Again.edgeSigns) !== 0) this.#scan(text, scope, true)
    if ((again & Again.spelled) !== 0) this.#scanSpelled(text, scope)
    if ((again & Again.censored) !== 0) this.#scanCensored(text, scope)
    if ((again & Again.gaps) !== 0) this.#scanGaps(text, scope)
  }

  /** Words that are spelled out: single letters with something between them. */
  #scanSpelled(text: string, scope: Scope): void {
    let letters = ''
    let places: number[] = []
    const flush = () => {
      if (places.length >= SPELLED) this.#findSpelled(letters, places, scope)
      letters = ''
      places = []
    }
    for (let i = 0; i < text.length; i++) {
      const kind = kindOf(text.charCodeAt(i))
      if (kind === Kind.separator || kind === Kind.ignorable) continue
      const isSingle =
        kind === Kind.letter &&
        kindBefore(text, i) === Kind.separator &&
        kindAfter(text, i + 1) === Kind.separator
      if (!isSingle) {
        flush()
        continue
      }
      letters += text[i]
      places.push(i)
    }
    flush()
  }

  #findSpelled(letters: string, places: readonly number[], scope: Scope): void {
    for (let from = 0; from < letters.length; from++) {
      const end = this.#longestSpelled(letters, from, scope)
      if (end === -1) continue
      this.#found.push({
        start: places[from] ?? 0,
        end: (places[end - 1] ?? 0) + 1,
        pattern: this.#spelledPattern,
      })
      from = end - 1
    }
  }

  /** Where the longest word ends that is spelled from here, or -1; sets `#spelledPattern`. */
  #longestSpelled(letters: string, from: number, scope: Scope): number {
    const { automaton, codes, patterns } = this.#compiled
    let state = this.#start
    let depth = 1
    let previous = SEPARATOR_SYMBOL
    let longest = -1
    for (let i = from; i < letters.length; i++) {
      const code = codes[letters.charCodeAt(i)] ?? 0
      if (code === previous) continue
      if (code >= SYMBOLS) break
      previous = code
      state = step(automaton, state, code) & STATE
      if (automaton.depths[state] !== ++depth) break
      if (scope.ends[state] === 0) continue
      for (
        let place = automaton.firstEnd[state] ?? 0;
        place < (automaton.firstEnd[state + 1] ?? 0);
        place++
      ) {
        const pattern = automaton.ends[place] ?? 0
        if (scope.applies[patterns.lists[pattern] ?? 0] === 0) continue
        const end = this.#spelledMatch(letters, from, i + 1, pattern)
        if (end <= longest) continue
        longest = end
        this.#spelledPattern = pattern
      }
    }
    return longest
  }

  /** Where the pattern that begins at `from` ends, or -1. A short word must be all that is spelled. */
  #spelledMatch(letters: string, from: number, at: number, pattern: number): number {
    if (((this.#compiled.patterns.flags[pattern] ?? 0) & (Flag.strict | Flag.allowed)) !== 0) return -1
    if (!this.#verifier.matchesFrom(letters, from, at, pattern)) return -1
    const { end } = this.#verifier
    const isAll = from === 0 && end === letters.length
    return isAll || end - from > SPELLED ? end : -1
  }

  /** Words of which letters are starred out: `f*ck`. */
  #scanCensored(text: string, scope: Scope): void {
    for (let i = 0; i < text.length; i++) {
      if (kindOf(text.charCodeAt(i)) !== Kind.letter || isCensoredUnit(text, i - 1)) continue
      let end = i
      let stars = 0
      while (end < text.length && isCensoredUnit(text, end)) if (isStar(text, end++)) stars++
      while (end > i && isStar(text, end - 1)) {
        end--
        stars--
      }
      if (stars > 0) this.#findCensored(text, i, end, scope)
      i = Math.max(i, end - 1)
    }
  }

  #findCensored(text: string, start: number, end: number, scope: Scope): void {
    const { censored, patterns } = this.#compiled
    const bucket = censoredBucket(text.charCodeAt(start), text.charCodeAt(end - 1), end - start)
    for (let at = censored.first[bucket] ?? 0; at < (censored.first[bucket + 1] ?? 0); at++) {
      const pattern = censored.patterns[at] ?? 0
      if (scope.applies[patterns.lists[pattern] ?? 0] === 1 && this.#isCensored(text, start, end, pattern))
        this.#found.push({ start, end, pattern })
    }
  }

  /** One star stands for a vowel; several in a row for anything. No more than half may be starred out. */
  #isCensored(text: string, start: number, end: number, pattern: number): boolean {
    const { first, elements } = this.#compiled.patterns
    let at = start
    let stars = 0
    for (let place = first[pattern] ?? 0; place < (first[pattern + 1] ?? 0); place++) {
      const element = elements[place] ?? 0
      const letter = element & ELEMENT_CODE
      for (let n = 0; n < ((element >>> ELEMENT_COUNT_SHIFT) & 0xff); n++, at++) {
        if (at >= end) return false
        if (isStar(text, at)) {
          const isAlone = !isStar(text, at - 1) && !isStar(text, at + 1)
          if (isAlone && !VOWELS.has(bareOf(letter))) return false
          stars++
        } else if (!standsFor(text.charCodeAt(at), letter)) return false
      }
    }
    return at === end && stars * 2 <= end - start
  }

  /** Hangul with something between its syllables: `시1발`. */
  #scanGaps(text: string, scope: Scope): void {
    let letters = ''
    const places: number[] = []
    for (let i = 0; i < text.length; i++) {
      const kind = kindOf(text.charCodeAt(i))
      if (kind !== Kind.syllable && kind !== Kind.jamo) continue
      letters += text[i]
      places.push(i)
    }
    if (places.length < 2) return
    const known = this.#found.length
    this.#scan(letters, scope, false)
    const gapped = this.#found.splice(known)
    for (const { start, end, pattern } of gapped) {
      const from = places[start] ?? 0
      const to = (places[end - 1] ?? 0) + 1
      const flags = this.#compiled.patterns.flags[pattern] ?? 0
      if ((flags & Flag.allowed) === 0 && to - from > end - start && isWholeGap(text, from, to))
        this.#found.push({ start: from, end: to, pattern })
    }
  }

  /** Leaves out what is excused, and of hits that overlap all but the one that begins first and is longest. */
  #settle(): readonly Hit[] {
    const found = this.#found.splice(0)
    const excuses = found.filter(({ pattern }) => this.#isAllowed(pattern))
    if (found.length > 1) found.sort((a, b) => this.#compare(a, b))
    const hits: Hit[] = []
    let end = 0
    for (const hit of found) {
      if (hit.start < end || this.#isAllowed(hit.pattern)) continue
      if (excuses.some((excuse) => excuse.start <= hit.start && excuse.end >= hit.end)) continue
      end = hit.end
      hits.push(this.#describe(hit))
    }
    return hits
  }

  #isAllowed(pattern: number): boolean {
    return ((this.#compiled.patterns.flags[pattern] ?? 0) & Flag.allowed) !== 0
  }

  #compare(a: Found, b: Found): number {
    const { first } = this.#compiled.patterns
    const lengthOf = ({ pattern }: Found) => (first[pattern + 1] ?? 0) - (first[pattern] ?? 0)
    return a.start - b.start || b.end - a.end || lengthOf(b) - lengthOf(a) || a.pattern - b.pattern
  }

  #describe({ start, end, pattern }: Found): Hit {
    const language = this.#lists[this.#compiled.patterns.lists[pattern] ?? 0]?.language ?? EVERY_LANGUAGE
    return { start, end, expression: this.#expressionOf(pattern), language }
  }

  #expressionOf(pattern: number): string {
    const { lists, places } = this.#compiled.patterns
    return this.#lists[lists[pattern] ?? 0]?.expressions[places[pattern] ?? 0] ?? ''
  }
}

const VOWELS = new Set(Array.from('aeiouy', (letter) => letter.charCodeAt(0)))
const starUnits = new Set(Array.from(STARS, (star) => star.charCodeAt(0)))

/** Beyond its end a text goes on with spaces: a number that is none would slow down every other look at it. */
const unitAt = (text: string, at: number) => (at < text.length ? text.charCodeAt(at) : SEPARATOR)

const isLetterCode = (code: number) =>
  (code !== SEPARATOR_SYMBOL && code < SYMBOLS) || code === Code.half || code >= Code.pair

/** At the end of a word the other signs are mostly what they are: `hi!` */
const isEndSign = (unit: number) => unit === 0x24 || unit === 0x40

const isStar = (text: string, at: number) => starUnits.has(text.charCodeAt(at))
const isCensoredUnit = (text: string, at: number) =>
  at >= 0 && (isStar(text, at) || kindOf(text.charCodeAt(at)) === Kind.letter)

/** A gap of anything but spaces, or of spaces between syllables that stand alone. */
function isWholeGap(text: string, from: number, to: number): boolean {
  let hasSpace = false
  let syllables = 0
  let longest = 0
  for (let at = from; at < to; at++) {
    const isSpace = text.charCodeAt(at) <= 0x20
    hasSpace ||= isSpace
    syllables = isSpace ? 0 : syllables + 1
    longest = Math.max(longest, syllables)
  }
  if (!hasSpace) return true
  return longest === 1 && kindBefore(text, from) !== Kind.syllable && kindAfter(text, to) !== Kind.syllable
}
