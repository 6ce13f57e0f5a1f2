import { Dictionary, hashWord } from '../../src/filter/words/dictionary.ts'
import english from '../../src/filter/words/english.txt' with { type: 'text' }
import { GLYPHS, isLetter, readGlyphs, standsFor, type VisibleGlyph } from './glyphs.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** A letter and its number of repetitions, or a gap between two words. */
type Part = { readonly letter: string; readonly count: number } | 'gap'

interface Word {
  readonly parts: readonly Part[]
  readonly isOpenBefore: boolean
  readonly isOpenAfter: boolean
  /** Fewer than three letters: matches only itself. */
  readonly isStrict: boolean
  /** Four letters or more: any letter may be doubled. */
  readonly isLong: boolean
}

interface PartialMatch {
  readonly end: number
  readonly total: number
  /** Characters that are the letter itself, homoglyphs, and digits. */
  readonly genuine: number
  readonly foreign: number
  readonly digits: number
  /** Whether a letter is doubled. */
  readonly isDoubled: boolean
}

const NOTHING: PartialMatch = { end: 0, total: 0, genuine: 0, foreign: 0, digits: 0, isDoubled: false }
const MIN_STRETCH = 3
const MIN_LONG = 4
const VOWELS = 'aeiouy'
/** Hashed, as in the filter: one word in thirty thousand collides with another. */
const dictionary = Dictionary.read(english, 130_000)

function read(expression: string): Word {
  const letters = expression.replaceAll(/[* ]/g, '').length
  return {
    parts: Array.from(
      expression.replaceAll('*', '').matchAll(/(.)\1*/g),
      ([run, letter = '']): Part => (letter === ' ' ? 'gap' : { letter, count: run.length }),
    ),
    isOpenBefore: expression.startsWith('*'),
    isOpenAfter: expression.endsWith('*'),
    isStrict: letters < MIN_STRETCH,
    isLong: letters >= MIN_LONG,
  }
}

/** The expected hits: of those that overlap, the one that starts first and is longest. */
export function findByBruteForce(expressions: readonly string[], text: string): Span[] {
  const searches = expressions.flatMap((expression) =>
    LEET_MODES.map((leetMode) => new Search(text, read(expression), leetMode)),
  )
  const spelledOut = resolveOverlaps(searches.flatMap((search) => search.findSpelledOut()))
  return resolveOverlaps([...searches.flatMap((search) => search.findAll()), ...spelledOut])
}

/** All leetspeak punctuation of a text is read in one of these ways. */
const LEET_MODES = ['insideWords', 'atEdges', 'atObfuscatedEdges', 'never'] as const
type LeetMode = (typeof LEET_MODES)[number]

export function resolveOverlaps(found: readonly Span[]): Span[] {
  const kept: Span[] = []
  for (const span of found.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

/** Tries every position of a text, and every way to divide its characters among the letters of a word. */
class Search {
  readonly #text: string
  readonly #word: Word
  readonly #glyphs: readonly VisibleGlyph[]
  readonly #leetMode: LeetMode

  constructor(text: string, word: Word, leetMode: LeetMode) {
    this.#text = text
    this.#leetMode = leetMode
    this.#word = word
    this.#glyphs = readGlyphs(text)
  }

  findAll(): Span[] {
    const { isStrict, parts } = this.#word
    const isOneWord = !parts.includes('gap')
    return [
      ...this.#glyphs.flatMap((_, at) => this.#findAt(at)),
      ...(isOneWord && !isStrict ? this.#findCensored() : []),
    ]
  }

  #findAt(at: number): Span[] {
    const { isOpenBefore, isOpenAfter } = this.#word
    if (!isOpenBefore && this.#continuesBefore(at)) return []
    return this.#match(this.#glyphs, at)
      .filter(({ end }) => isOpenAfter || this.#glyphs[end]?.kind !== 'letter')
      .filter((taken) => !(taken.isDoubled && this.#isInnocent(at, taken.end)))
      .map(({ end }) => ({
        start: this.#glyphs[at]!.start,
        end: this.#withAccents(this.#glyphs[end - 1]!.end),
      }))
  }

  #continuesBefore(at: number): boolean {
    return isWordCharacter(this.#glyphs[at - 1]) || isLeetLetter(this.#glyphs, at - 1, this.#leetMode)
  }

  #withAccents(end: number): number {
    let at = end
    while (this.#text[at] === '\u0301') at++
    return at
  }

  /** A doubled letter is not a match if it makes a dictionary word: `tool` is not `tol`. */
  #isInnocent(from: number, to: number): boolean {
    let start = this.#glyphs[from]!.start
    let end = this.#glyphs[to - 1]!.end
    if (this.#withAccents(end) !== end) return false
    const isLetterAt = (index: number) => GLYPHS.get(this.#text.charAt(index))?.kind === 'letter'
    while (isLetterAt(start - 1)) start--
    while (isLetterAt(end)) end++
    const units = this.#text.slice(start, end).split('')
    return dictionary.has(hashWord(units.map((unit) => GLYPHS.get(unit)?.bare || unit).join('')))
  }

  /** Every way to match the word from a position. */
  #match(glyphs: readonly VisibleGlyph[], from: number, parts = this.#word.parts): PartialMatch[] {
    return this.#matchParts(glyphs, parts, { ...NOTHING, end: from }, from).filter(isPlausible)
  }

  #matchParts(
    glyphs: readonly VisibleGlyph[],
    parts: readonly Part[],
    match: PartialMatch,
    from: number,
  ): PartialMatch[] {
    const [part, ...rest] = parts
    if (part === undefined) return [match]
    if (part === 'gap')
      return isGap(glyphs, match.end - 1, this.#leetMode) ? [] : this.#matchGap(glyphs, rest, match)
    const { isStrict, isLong } = this.#word
    const fits = (at: number) => {
      const each = glyphs[at]
      return each !== undefined && (isStrict ? each.letter === part.letter : standsFor(each, part.letter))
    }
    const { isOpenBefore, isOpenAfter } = this.#word
    /** A short word is not stretched by punctuation or digits, and on an open side not at all. */
    const fitsMore = (at: number, isOpen: boolean) =>
      fits(at) &&
      (isLong || (glyphs[at]?.kind === 'letter' && !(isOpen && (isStrict || this.#word.parts.length > 1))))
    if (!isStrict && from === match.end && fitsMore(from - 1, isOpenBefore) && glyphs === this.#glyphs)
      return []
    const isFirst = from === match.end
    const isLast = rest.length === 0
    const results: PartialMatch[] = []
    let taken = match
    let isLetters = false
    for (let count = 1; fits(taken.end); count++) {
      const isOpen = (isFirst && isOpenBefore) || (isLast && isOpenAfter)
      if (count > part.count && !fitsMore(taken.end, isOpen)) break
      isLetters ||= mayBeLetter(glyphs, taken.end, this.#leetMode)
      taken = take(taken, glyphs[taken.end]!, part.letter)
      const isEnough =
        count === part.count ||
        (count > part.count &&
          !isStrict &&
          (isLong || (count >= MIN_STRETCH && areLetters(glyphs, match.end, taken.end))))
      if (
        !isEnough ||
        !isLetters ||
        (isLastOfWord(rest) &&
          fitsMore(taken.end, isLast && isOpenAfter) &&
          !(rest[0] === 'gap' && isGap(glyphs, taken.end, this.#leetMode)))
      )
        continue
      const isDoubled = match.isDoubled || (count > part.count && count < MIN_STRETCH)
      results.push(...this.#matchParts(glyphs, rest, { ...taken, isDoubled }, from))
    }
    return results
  }

  #matchGap(glyphs: readonly VisibleGlyph[], rest: readonly Part[], match: PartialMatch): PartialMatch[] {
    const results: PartialMatch[] = []
    let end = match.end
    while (isGap(glyphs, end, this.#leetMode)) {
      end++
      const isFirst = (at: number) =>
        rest[0] !== 'gap' && glyphs[at] && standsFor(glyphs[at], rest[0]!.letter)
      if (!this.#word.isStrict && isFirst(end - 1)) continue
      results.push(...this.#matchParts(glyphs, rest, { ...match, end }, -1))
    }
    return results
  }

  /** Letters starred out: one star for a vowel, several in a row for anything, at most half of the word. */
  #findCensored(): Span[] {
    const letters = this.#word.parts.flatMap((part) =>
      part === 'gap' ? [] : part.letter.repeat(part.count).split(''),
    )
    const isRun = (index: number) =>
      ['letter', 'star'].includes(GLYPHS.get(this.#text.charAt(index))?.kind ?? '')
    const spans: Span[] = []
    for (const { kind, start } of this.#glyphs) {
      if (kind !== 'letter' || isRun(start - 1) || !isRun(start)) continue
      let end = start
      while (isRun(end)) end++
      const run = this.#text.slice(start, end).replace(/[*#]+$/, '')
      const isStar = (place: number) => '*#'.includes(run[place] ?? ' ')
      const fits = (letter: string, place: number) =>
        isStar(place)
          ? VOWELS.includes(letter) || isStar(place - 1) || isStar(place + 1)
          : standsFor(GLYPHS.get(run[place]!)!, letter)
      const stars = run.replaceAll(/[^*#]/g, '').length
      if (run.length === letters.length && stars > 0 && stars * 2 <= run.length && letters.every(fits))
        spans.push({ start, end: start + run.length })
    }
    return spans
  }

  /** Single letters with something between them. A word of three letters must span all of them. */
  findSpelledOut(): Span[] {
    const { isStrict, parts } = this.#word
    if (isStrict || parts.includes('gap')) return []
    return spelledOutRuns(this.#glyphs).flatMap((run) =>
      run.flatMap((first, from) =>
        this.#match(run, from)
          .filter(({ end }) => end - from >= MIN_LONG || (from === 0 && end === run.length))
          .map(({ end }) => ({ start: first.start, end: run[end - 1]!.end })),
      ),
    )
  }
}

function take(taken: PartialMatch, each: VisibleGlyph, letter: string): PartialMatch {
  const isGenuine = isLetter(each, letter)
  return {
    ...taken,
    end: taken.end + 1,
    total: taken.total + 1,
    genuine: taken.genuine + (isGenuine ? 1 : 0),
    foreign: taken.foreign + (!isGenuine && each.kind === 'letter' ? 1 : 0),
    digits: taken.digits + (each.kind === 'digit' ? 1 : 0),
  }
}

/** At least one genuine letter, or letters only; in a short word, digits must not outnumber genuine letters. */
const isPlausible = ({ total, genuine, foreign, digits }: PartialMatch) =>
  !(total < MIN_LONG && digits > genuine) && (genuine > 0 || (foreign === total && total >= MIN_LONG))

const areLetters = (glyphs: readonly VisibleGlyph[], from: number, to: number) =>
  glyphs.slice(from, to).every(({ kind }) => kind === 'letter')

const isLastOfWord = (rest: readonly Part[]) => rest.length === 0 || rest[0] === 'gap'
const isWordCharacter = (each: VisibleGlyph | undefined) => each?.kind === 'letter' || each?.kind === 'digit'

const isWithinWord = (glyphs: readonly VisibleGlyph[], at: number) =>
  glyphs[at]?.kind === 'leet' && isWordCharacter(glyphs[at - 1]) && isWordCharacter(glyphs[at + 1])

/** Punctuation is read as a letter inside a word and, if it is `@` or the word contains digits, at its edge. */
function isLeetLetter(glyphs: readonly VisibleGlyph[], at: number, leetMode: LeetMode): boolean {
  const sign = glyphs[at]
  if (sign?.kind !== 'leet' || leetMode === 'never') return false
  if (isWithinWord(glyphs, at)) return true
  if (leetMode === 'insideWords' || !(isWordCharacter(glyphs[at - 1]) || isWordCharacter(glyphs[at + 1])))
    return false
  if (sign.lookAlikes === 'a') return true
  return (
    leetMode === 'atObfuscatedEdges' &&
    glyphs[at + 1]?.kind === 'letter' &&
    hasDigits(wordFrom(glyphs, at + 1))
  )
}

const wordFrom = (glyphs: readonly VisibleGlyph[], from: number) => {
  const end = glyphs.findIndex((each, at) => at >= from && !isWordCharacter(each))
  return glyphs.slice(from, end === -1 ? undefined : end)
}

const hasDigits = (word: readonly VisibleGlyph[]) =>
  word.some(({ kind }) => kind === 'digit') && word.some(({ kind }) => kind === 'letter')

const mayBeLetter = (glyphs: readonly VisibleGlyph[], at: number, leetMode: LeetMode) =>
  glyphs[at]?.kind !== 'leet' || isLeetLetter(glyphs, at, leetMode)

const isGap = (glyphs: readonly VisibleGlyph[], at: number, leetMode: LeetMode) => {
  const each = glyphs[at]
  return (
    each !== undefined &&
    !isWordCharacter(each) &&
    each.lookAlikes !== '*' &&
    !isLeetLetter(glyphs, at, leetMode)
  )
}

/** Runs of single letters that no word interrupts. */
function spelledOutRuns(glyphs: readonly VisibleGlyph[]): VisibleGlyph[][] {
  const runs: VisibleGlyph[][] = [[]]
  for (const [at, each] of glyphs.entries()) {
    if (!isWordCharacter(each)) continue
    const isSingle =
      each.kind === 'letter' && !isWordCharacter(glyphs[at - 1]) && !isWordCharacter(glyphs[at + 1])
    if (isSingle) runs.at(-1)!.push(each)
    else runs.push([])
  }
  return runs.filter(({ length }) => length >= MIN_STRETCH)
}

/** Whether leetspeak punctuation stands between single letters, where it could be a separator or a letter. */
export function isDotted(text: string): boolean {
  const glyphs = readGlyphs(text)
  return spelledOutRuns(glyphs).some((run) =>
    run.some((each) => {
      const at = glyphs.indexOf(each)
      return isWithinWord(glyphs, at - 1) || isWithinWord(glyphs, at + 1)
    }),
  )
}
