import { countOf, ELEMENT_CODE, Flag, isExact, type PatternTable } from '../compiled.ts'
import { Kind, kindOf, lookAlikesOf, SEPARATOR } from '../unicode/characters.ts'
import { unitAt } from '../unicode/text.ts'

export const Verdict = { no: 0, yes: 1, unsure: 2 } as const

const ASCII = 0x80
const LOWER_CASE_BIT = 0x20
const STAR = 0x2a
const LETTER_U = 0x75
const LETTER_V = 0x76

const MISMATCH = -1
const UNDECIDED = -2

const AsciiKind = { other: 0, letter: 1, space: 2 } as const

/** Classifies units without obfuscation: a letter, a separator that stands for no letter, or other. */
const asciiKinds = Uint8Array.from({ length: ASCII }, (_, unit) =>
  isAsciiLetter(unit | LOWER_CASE_BIT) && unit > 0x40
    ? AsciiKind.letter
    : unit !== STAR && kindOf(unit) === Kind.separator && lookAlikesOf(unit) === 0
      ? AsciiKind.space
      : AsciiKind.other,
)

function isAsciiLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a
}

/** Decides about plain ASCII, which is nearly all that reaches verification, and leaves the rest undecided. */
export class AsciiVerifier {
  /** The span of the last match. */
  start = 0
  end = 0
  readonly #flags: Uint8Array
  readonly #firstElement: Int32Array
  readonly #elements: Uint32Array

  constructor({ flags, firstElement, elements }: PatternTable) {
    this.#flags = flags
    this.#firstElement = firstElement
    this.#elements = elements
  }

  /** `at` is the end of the unit that completed the classes. */
  verify(text: string, pattern: number, at: number): number {
    const flags = this.#flags[pattern] ?? 0
    const last = (this.#firstElement[pattern + 1] ?? 0) - 1
    const element = this.#elements[last] ?? 0
    if (!isAsciiLetter(element & ELEMENT_CODE)) return Verdict.unsure
    // The classes are complete at the first letter of the last run.
    const end = at - 1 + countOf(element)
    if (end > text.length) return Verdict.no
    const start = this.#matchBack(text, pattern, at, end)
    if (start < 0) return start === MISMATCH ? Verdict.no : Verdict.unsure
    if (asciiKindAt(text, start - 1) !== AsciiKind.space) return Verdict.unsure
    const next = asciiKindAt(text, end)
    if (next === AsciiKind.space) {
      // A separate pattern covers the whole word.
      if ((flags & Flag.compound) !== 0) return Verdict.no
      this.start = start
      this.end = end
      return Verdict.yes
    }
    return next === AsciiKind.letter && isExact(flags) && (flags & Flag.openAfter) === 0
      ? Verdict.no
      : Verdict.unsure
  }

  /** The start of the match that ends here, `MISMATCH` or `UNDECIDED`. */
  #matchBack(text: string, pattern: number, at: number, end: number): number {
    const elements = this.#elements
    const first = this.#firstElement[pattern] ?? 0
    let index = end
    for (let position = (this.#firstElement[pattern + 1] ?? 0) - 1; position >= first; position--) {
      const element = elements[position] ?? 0
      const letter = element & ELEMENT_CODE
      if (!isAsciiLetter(letter)) {
        const isSpace = letter === SEPARATOR && isAsciiLetter((elements[position - 1] ?? 0) & ELEMENT_CODE)
        if (!isSpace) return this.#isMismatch(text, pattern, position, index, at, end) ? MISMATCH : UNDECIDED
        index = skipSpaces(text, index)
        if (index === UNDECIDED) return UNDECIDED
        continue
      }
      for (let n = countOf(element); n > 0; n--, index--) {
        if (index === 0) return MISMATCH
        if ((text.charCodeAt(index - 1) | LOWER_CASE_BIT) === letter) continue
        return this.#isMismatch(text, pattern, position, index, at, end) ? MISMATCH : UNDECIDED
      }
    }
    return index
  }

  /** Whether the text before an index definitely differs from the pattern. */
  #isMismatch(
    text: string,
    pattern: number,
    position: number,
    index: number,
    at: number,
    end: number,
  ): boolean {
    const letter = (this.#elements[position] ?? 0) & ELEMENT_CODE
    const unit = unitAt(text, index - 1) | LOWER_CASE_BIT
    const isStrict = isExact(this.#flags[pattern] ?? 0)
    if (letter >= ASCII || letter === SEPARATOR || (index === at && !isRunOver(text, end, letter, isStrict)))
      return false
    if (isStrict) return unit < ASCII && unit !== (letter | LOWER_CASE_BIT)
    const kind = asciiKindAt(text, index - 1)
    const isLast = position + 1 === this.#firstElement[pattern + 1]
    const later = isLast ? letter : (this.#elements[position + 1] ?? 0) & ELEMENT_CODE
    return (
      kind === AsciiKind.space || (kind === AsciiKind.letter && !mayBe(unit, letter) && !mayBe(unit, later))
    )
  }
}

/** Whether no more of the run that ends here can be the letter. */
function isRunOver(text: string, end: number, letter: number, isStrict: boolean): boolean {
  const unit = unitAt(text, end) | LOWER_CASE_BIT
  return (
    unit < ASCII &&
    unit !== (letter | LOWER_CASE_BIT) &&
    (isStrict || asciiKindAt(text, end) !== AsciiKind.other)
  )
}

/** The start of the spaces before an index; `UNDECIDED` if there are none, or more than spaces. */
function skipSpaces(text: string, index: number): number {
  let at = index
  while (at > 0 && asciiKindAt(text, at - 1) === AsciiKind.space) at--
  return at === index || asciiKindAt(text, at - 1) !== AsciiKind.letter ? UNDECIDED : at
}

/** `v` can stand for `u`. */
const mayBe = (unit: number, letter: number) => unit === letter || (unit === LETTER_V && letter === LETTER_U)

function asciiKindAt(text: string, index: number): number {
  const unit = unitAt(text, index)
  return unit < ASCII ? (asciiKinds[unit] ?? 0) : AsciiKind.other
}
