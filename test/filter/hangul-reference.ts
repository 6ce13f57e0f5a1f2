import { decompose, INVISIBLE } from './hangul.ts'

interface Span {
  readonly start: number
  readonly end: number
}

interface VisibleCharacter {
  readonly kind: 'syllable' | 'jamo' | 'digit' | 'separator'
  readonly letters: string
  readonly start: number
}

const isSyllable = (character: string) => /[가-힣]/.test(character)
const isHangul = (each: VisibleCharacter | undefined) => each?.kind === 'syllable' || each?.kind === 'jamo'

function readCharacters(text: string): VisibleCharacter[] {
  return Array.from(text, (character, start): VisibleCharacter & { character: string } => ({
    character,
    kind: isSyllable(character)
      ? 'syllable'
      : /[ㄱ-ㅣ]/.test(character)
        ? 'jamo'
        : /\d/.test(character)
          ? 'digit'
          : 'separator',
    letters: decompose(character),
    start,
  })).filter(({ character }) => character !== INVISIBLE)
}

/** A jamo of an expression and whether it starts a syllable, or a gap between two words. */
type Part = { readonly letter: string; readonly isStart: boolean } | 'gap'

const MAX_FILLERS = 2

/** Whether a Hangul text contains an expression, also disguised. */
export function hasHangul(expressions: readonly string[], text: string): boolean {
  const characters = readCharacters(text)
  if (expressions.some((each) => findSyllables(each, characters).length > 0)) return true
  const hangul = characters.filter(isHangul)
  const closed = hangul.map((each, start) => ({ ...each, start }))
  return expressions
    .flatMap((each) => findSyllables(each, closed))
    .map(({ start, end }) => ({
      start: hangul[start]!.start,
      end: hangul[end - 1]!.start + 1,
      length: end - start,
    }))
    .some(({ start, end, length }) => end - start > length && isObfuscationGap(text, start, end))
}

/** Accepts punctuation and digits between letters, or spaces between single letters. */
function isObfuscationGap(text: string, start: number, end: number): boolean {
  const inner = text.slice(start, end)
  const before = readCharacters(text.slice(0, start)).at(-1)?.kind ?? 'separator'
  const after = readCharacters(text.slice(end)).at(0)?.kind
  if (/[,()[\]\n]/.test(inner)) return false
  if (!inner.includes(' ')) return before !== 'digit'
  const isAlone = before === 'separator' && after !== 'syllable'
  return isAlone && inner.split(/ +/).every((piece) => piece.length === 1)
}

function findSyllables(expression: string, characters: readonly VisibleCharacter[]): Span[] {
  const parts = Array.from(expression, (syllable): Part[] =>
    syllable === ' '
      ? ['gap']
      : Array.from(decompose(syllable), (letter, place) => ({ letter, isStart: place === 0 })),
  ).flat()
  const isSingle = parts.filter((part) => part !== 'gap' && part.isStart).length === 1
  return characters.flatMap((first, from) => {
    const before = characters[from - 1]?.kind
    const isRepeated = characters[from - 1]?.letters === first.letters
    if (before === 'digit' || (before === 'syllable' && isSingle && !isRepeated)) return []
    const match = new Match(characters, parts)
    return match
      .endsFrom(from, 0, 0)
      .map((end) => ({ start: first.start, end: characters[end - 1]!.start + 1 }))
  })
}

/** Every way to read characters as the jamo of an expression. */
class Match {
  readonly #characters: readonly VisibleCharacter[]
  readonly #parts: readonly Part[]

  constructor(characters: readonly VisibleCharacter[], parts: readonly Part[]) {
    this.#characters = characters
    this.#parts = parts
  }

  endsFrom(at: number, place: number, fillers: number): number[] {
    const part = this.#parts[place]
    if (part === undefined) return [at]
    if (part === 'gap') return this.#endsAfterGap(at, place, fillers)
    const each = this.#characters[at]
    if (each === undefined || !isHangul(each)) return []
    const { letters } = each
    return [
      ...(this.#canTake(at, place) ? this.endsFrom(at + 1, place + letters.length, fillers) : []),
      ...(this.#isFiller(at, place) && fillers < MAX_FILLERS
        ? this.endsFrom(at + 1, place, fillers + 1)
        : []),
      ...(this.#prolongsVowel(at, place) ? this.#endsAfterFinal(at, place, fillers) : []),
    ]
  }

  #endsAfterGap(at: number, place: number, fillers: number): number[] {
    let next = at
    while (this.#characters[next]?.kind === 'separator') next++
    if (next > at) return this.endsFrom(next, place + 1, fillers)
    const prolongsVowel = isHangul(this.#characters[at]) && this.#prolongsVowel(at, place)
    return prolongsVowel && this.#characters[at]?.letters.length === 2
      ? this.endsFrom(at + 1, place, fillers)
      : []
  }

  /** A syllable must start where one of the expression does. */
  #canTake(at: number, place: number): boolean {
    const { kind, letters } = this.#characters[at]!
    const isThere = Array.from(letters).every((letter, index) => this.#letterAt(place + index) === letter)
    if (kind === 'syllable') return isThere && this.#isStart(place)
    const before = this.#characters[at - 1]
    const repeatsFinal = before?.kind === 'syllable' && before.letters.endsWith(letters)
    return isThere && !(this.#isStart(place + 1) && repeatsFinal)
  }

  /** A standalone jamo that repeats the end of the syllable before it, or anticipates the start of the next. */
  #isFiller(at: number, place: number): boolean {
    const [before, { kind, letters }] = [this.#characters[at - 1], this.#characters[at]!]
    if (kind === 'jamo' && this.#isRepeated(at, place)) return true
    if (kind === 'jamo' && place > 0 && this.#repeatsPrevious(at) && this.#isFiller(at - 1, place))
      return true
    const isBetween = kind === 'jamo' && place > 0 && this.#isStart(place) && before?.kind === 'syllable'
    return isBetween && (before.letters.endsWith(letters) || this.#letterAt(place) === letters)
  }

  /** A standalone jamo that is repeated. */
  #isRepeated(at: number, place: number): boolean {
    const { letters } = this.#characters[at]!
    return (
      place > 1 &&
      this.#repeatsPrevious(at) &&
      this.#letterAt(place - 1) === letters &&
      this.#letterAt(place - 2) !== letters
    )
  }

  #repeatsPrevious(at: number): boolean {
    const [before, each] = [this.#characters[at - 1], this.#characters[at]!]
    return before?.kind === 'jamo' && before.letters === each.letters
  }

  /** A syllable that only prolongs the vowel before it: `이` in `시이발`. */
  #prolongsVowel(at: number, place: number): boolean {
    const [before, each] = [this.#characters[at - 1], this.#characters[at]!]
    const isNext = before?.kind === 'syllable' && before.letters.length === 2
    return (
      place > 0 &&
      isNext &&
      each.kind === 'syllable' &&
      each.letters.startsWith(`ㅇ${before.letters.charAt(1)}`)
    )
  }

  #endsAfterFinal(at: number, place: number, fillers: number): number[] {
    const final = this.#characters[at]!.letters.slice(2)
    if (final === '') return this.endsFrom(at + 1, place, fillers)
    return this.#letterAt(place) === final ? this.endsFrom(at + 1, place + 1, fillers) : []
  }

  #letterAt(place: number): string | undefined {
    const part = this.#parts[place]
    return part === 'gap' ? undefined : part?.letter
  }

  #isStart(place: number): boolean {
    const part = this.#parts[place]
    return part !== undefined && part !== 'gap' && part.isStart
  }
}
