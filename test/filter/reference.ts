import { Dictionary, hashWord } from '../../src/filter/words/dictionary.ts'
import english from '../../src/filter/words/english.txt' with { type: 'text' }
import { GLYPHS, isLetter, look, type Seen, standsFor } from './glyphs.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** A letter and how often it stands there, or a gap between two words. */
type Part = { readonly letter: string; readonly count: number } | 'gap'

interface Word {
  readonly parts: readonly Part[]
  readonly isOpenBefore: boolean
  readonly isOpenAfter: boolean
  /** Of fewer than three letters: only itself. */
  readonly isStrict: boolean
  /** Of four letters or more: each of them may stand there twice. */
  readonly isLong: boolean
}

/** What a match took of a text. */
interface Taken {
  readonly end: number
  readonly total: number
  /** Characters that are the letter, that are other letters, that are digits. */
  readonly honest: number
  readonly foreign: number
  readonly digits: number
  /** A letter stands once more than it should. */
  readonly isDoubled: boolean
}

const NOTHING: Taken = { end: 0, total: 0, honest: 0, foreign: 0, digits: 0, isDoubled: false }
const STRETCHED = 3
const FOUR = 4
const VOWELS = 'aeiouy'
/** By hashes, as the filter has it: one word in thirty thousand is taken for another. */
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
    isStrict: letters < STRETCHED,
    isLong: letters >= FOUR,
  }
}

/** What the expressions forbid in a text: of hits that overlap the one that begins first and is longest. */
export function findByForce(expressions: readonly string[], text: string): Span[] {
  const searches = expressions.flatMap((expression) =>
    SIGNS.map((signs) => new Search(text, read(expression), signs)),
  )
  const spelled = settle(searches.flatMap((search) => search.findSpelled()))
  return settle([...searches.flatMap((search) => search.findAll()), ...spelled])
}

/** Signs are read in one of these ways throughout a text. */
const SIGNS = ['byPlace', 'letters', 'moreLetters', 'separators'] as const
type Signs = (typeof SIGNS)[number]

export function settle(found: readonly Span[]): Span[] {
  const kept: Span[] = []
  for (const span of found.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

/** Tries every place of a text, and every way to divide the characters there among the letters of a word. */
class Search {
  readonly #text: string
  readonly #word: Word
  readonly #seen: readonly Seen[]
  readonly #signs: Signs

  constructor(text: string, word: Word, signs: Signs) {
    this.#text = text
    this.#signs = signs
    this.#word = word
    this.#seen = look(text)
  }

  findAll(): Span[] {
    const { isStrict, parts } = this.#word
    const isOneWord = !parts.includes('gap')
    return [
      ...this.#seen.flatMap((_, at) => this.#findAt(at)),
      ...(isOneWord && !isStrict ? this.#findStarred() : []),
    ]
  }

  #findAt(at: number): Span[] {
    const { isOpenBefore, isOpenAfter } = this.#word
    if (!isOpenBefore && this.#goesOnBefore(at)) return []
    return this.#match(this.#seen, at)
      .filter(({ end }) => isOpenAfter || this.#seen[end]?.kind !== 'letter')
      .filter((taken) => !(taken.isDoubled && this.#isInnocent(at, taken.end)))
      .map(({ end }) => ({ start: this.#seen[at]!.start, end: this.#withAccents(this.#seen[end - 1]!.end) }))
  }

  #goesOnBefore(at: number): boolean {
    return isWordly(this.#seen[at - 1]) || isLetterSign(this.#seen, at - 1, this.#signs)
  }

  #withAccents(end: number): number {
    let at = end
    while (this.#text[at] === '\u0301') at++
    return at
  }

  /** A doubled letter is forgiven where it makes a word of the dictionary: `tool` is no `tol`. */
  #isInnocent(from: number, to: number): boolean {
    let start = this.#seen[from]!.start
    let end = this.#seen[to - 1]!.end
    if (this.#withAccents(end) !== end) return false
    const isLetterAt = (index: number) => GLYPHS.get(this.#text.charAt(index))?.kind === 'letter'
    while (isLetterAt(start - 1)) start--
    while (isLetterAt(end)) end++
    const units = this.#text.slice(start, end).split('')
    return dictionary.has(hashWord(units.map((unit) => GLYPHS.get(unit)?.bare || unit).join('')))
  }

  /** Every way to find the word from a place on. */
  #match(seen: readonly Seen[], from: number, parts = this.#word.parts): Taken[] {
    return this.#matchParts(seen, parts, { ...NOTHING, end: from }, from).filter(isBelieved)
  }

  #matchParts(seen: readonly Seen[], parts: readonly Part[], so: Taken, from: number): Taken[] {
    const [part, ...rest] = parts
    if (part === undefined) return [so]
    if (part === 'gap') return isGap(seen, so.end - 1, this.#signs) ? [] : this.#matchGap(seen, rest, so)
    const { isStrict, isLong } = this.#word
    const fits = (at: number) => {
      const each = seen[at]
      return each !== undefined && (isStrict ? each.letter === part.letter : standsFor(each, part.letter))
    }
    const { isOpenBefore, isOpenAfter } = this.#word
    /** A short word takes no sign or digit more than it asks for, and where it is open nothing more at all. */
    const fitsMore = (at: number, isOpen: boolean) =>
      fits(at) &&
      (isLong || (seen[at]?.kind === 'letter' && !(isOpen && (isStrict || this.#word.parts.length > 1))))
    if (!isStrict && from === so.end && fitsMore(from - 1, isOpenBefore) && seen === this.#seen) return []
    const isFirst = from === so.end
    const isLast = rest.length === 0
    const ways: Taken[] = []
    let taken = so
    let isLetters = false
    for (let count = 1; fits(taken.end); count++) {
      const isOpen = (isFirst && isOpenBefore) || (isLast && isOpenAfter)
      if (count > part.count && !fitsMore(taken.end, isOpen)) break
      isLetters ||= mayBeLetter(seen, taken.end, this.#signs)
      taken = take(taken, seen[taken.end]!, part.letter)
      const isEnough =
        count === part.count ||
        (count > part.count &&
          !isStrict &&
          (isLong || (count >= STRETCHED && areLetters(seen, so.end, taken.end))))
      if (
        !isEnough ||
        !isLetters ||
        (isLastOfWord(rest) &&
          fitsMore(taken.end, isLast && isOpenAfter) &&
          !(rest[0] === 'gap' && isGap(seen, taken.end, this.#signs)))
      )
        continue
      const isDoubled = so.isDoubled || (count > part.count && count < STRETCHED)
      ways.push(...this.#matchParts(seen, rest, { ...taken, isDoubled }, from))
    }
    return ways
  }

  #matchGap(seen: readonly Seen[], rest: readonly Part[], so: Taken): Taken[] {
    const ways: Taken[] = []
    let end = so.end
    while (isGap(seen, end, this.#signs)) {
      end++
      const isFirst = (at: number) => rest[0] !== 'gap' && seen[at] && standsFor(seen[at], rest[0]!.letter)
      if (!this.#word.isStrict && isFirst(end - 1)) continue
      ways.push(...this.#matchParts(seen, rest, { ...so, end }, -1))
    }
    return ways
  }

  /** A word of which letters are starred out: a star for a vowel, or several for anything, but not for most. */
  #findStarred(): Span[] {
    const letters = this.#word.parts.flatMap((part) =>
      part === 'gap' ? [] : part.letter.repeat(part.count).split(''),
    )
    const isRun = (index: number) =>
      ['letter', 'star'].includes(GLYPHS.get(this.#text.charAt(index))?.kind ?? '')
    const spans: Span[] = []
    for (const { kind, start } of this.#seen) {
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

  /** Single letters with something between them. Three letters must be all that is spelled. */
  findSpelled(): Span[] {
    const { isStrict, parts } = this.#word
    if (isStrict || parts.includes('gap')) return []
    return spelledRuns(this.#seen).flatMap((run) =>
      run.flatMap((first, from) =>
        this.#match(run, from)
          .filter(({ end }) => end - from >= FOUR || (from === 0 && end === run.length))
          .map(({ end }) => ({ start: first.start, end: run[end - 1]!.end })),
      ),
    )
  }
}

function take(taken: Taken, each: Seen, letter: string): Taken {
  const isHonest = isLetter(each, letter)
  return {
    ...taken,
    end: taken.end + 1,
    total: taken.total + 1,
    honest: taken.honest + (isHonest ? 1 : 0),
    foreign: taken.foreign + (!isHonest && each.kind === 'letter' ? 1 : 0),
    digits: taken.digits + (each.kind === 'digit' ? 1 : 0),
  }
}

/** At least one character is what it seems to be, or all are letters; of a short word not most are digits. */
const isBelieved = ({ total, honest, foreign, digits }: Taken) =>
  !(total < FOUR && digits > honest) && (honest > 0 || (foreign === total && total >= FOUR))

const areLetters = (seen: readonly Seen[], from: number, to: number) =>
  seen.slice(from, to).every(({ kind }) => kind === 'letter')

const isLastOfWord = (rest: readonly Part[]) => rest.length === 0 || rest[0] === 'gap'
const isWordly = (each: Seen | undefined) => each?.kind === 'letter' || each?.kind === 'digit'

const isWithinWord = (seen: readonly Seen[], at: number) =>
  seen[at]?.kind === 'sign' && isWordly(seen[at - 1]) && isWordly(seen[at + 1])

/** A sign may be a letter within a word and, when it is an `@` or the word has digits, at the edge of one. */
function isLetterSign(seen: readonly Seen[], at: number, signs: Signs): boolean {
  const sign = seen[at]
  if (sign?.kind !== 'sign' || signs === 'separators') return false
  if (isWithinWord(seen, at)) return true
  if (signs === 'byPlace' || !(isWordly(seen[at - 1]) || isWordly(seen[at + 1]))) return false
  if (sign.looks === 'a') return true
  return signs === 'moreLetters' && seen[at + 1]?.kind === 'letter' && hasDigits(wordFrom(seen, at + 1))
}

const wordFrom = (seen: readonly Seen[], from: number) => {
  const end = seen.findIndex((each, at) => at >= from && !isWordly(each))
  return seen.slice(from, end === -1 ? undefined : end)
}

const hasDigits = (word: readonly Seen[]) =>
  word.some(({ kind }) => kind === 'digit') && word.some(({ kind }) => kind === 'letter')

const mayBeLetter = (seen: readonly Seen[], at: number, signs: Signs) =>
  seen[at]?.kind !== 'sign' || isLetterSign(seen, at, signs)

const isGap = (seen: readonly Seen[], at: number, signs: Signs) => {
  const each = seen[at]
  return each !== undefined && !isWordly(each) && each.looks !== '*' && !isLetterSign(seen, at, signs)
}

/** The letters of a text that stand alone, in runs that no word interrupts. */
function spelledRuns(seen: readonly Seen[]): Seen[][] {
  const runs: Seen[][] = [[]]
  for (const [at, each] of seen.entries()) {
    if (!isWordly(each)) continue
    const isSingle = each.kind === 'letter' && !isWordly(seen[at - 1]) && !isWordly(seen[at + 1])
    if (isSingle) runs.at(-1)!.push(each)
    else runs.push([])
  }
  return runs.filter(({ length }) => length >= STRETCHED)
}

/** Whether signs stand between single letters: whether they divide or join them, nobody knows. */
export function isDotted(text: string): boolean {
  const seen = look(text)
  return spelledRuns(seen).some((run) =>
    run.some((each) => {
      const at = seen.indexOf(each)
      return isWithinWord(seen, at - 1) || isWithinWord(seen, at + 1)
    }),
  )
}
