import { ADVERSARIAL_TEXTS } from '../../test/filter/adversarial-texts.ts'
import type { Random } from '../../test/filter/random.ts'
import { CYRILLIC, GREEK, LATIN } from './alphabets.ts'
import { ZERO_WIDTHS } from './obfuscations.ts'

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...LATIN.lookAlikes,
  ...CYRILLIC.lookAlikes,
  ...GREEK.lookAlikes,
}
const DIGITS: Readonly<Record<string, string>> = { ...LATIN.digits, ...CYRILLIC.digits, ...GREEK.digits }
const SEPARATORS = [' ', ' ', '.', '-', '_', ',', '/', "'", '\n']
const SIGNS = [...'@$!|(+<€#*?%&^~=1345780']
const INVISIBLE = [...ZERO_WIDTHS, '\u00ad', '\ufe0f', '\u202e', '\u202c', '\u2800', '\u0301', '\u0336']
const OTHERS = [
  'ㅅ',
  'ㅣ',
  'ㅂ',
  'ㅏ',
  '시',
  '발',
  '이',
  '🔥',
  '👨‍👩‍👧',
  '1️⃣',
  '🇫',
  'ß',
  'ﬁ',
  'ı',
  'ー',
  'く',
  '操',
  'ก',
  'เ',
]

/** Makes pieces of text that cost a filter work: listed words, whole and broken, and everything that disguises them. */
export class BuildingBlocks {
  readonly #random: Random
  readonly #words: readonly string[]
  readonly #fixed: readonly string[] = [
    ...Object.values(ADVERSARIAL_TEXTS),
    ...SEPARATORS,
    ...SIGNS,
    ...INVISIBLE,
    ...OTHERS,
  ]

  constructor(random: Random, expressions: readonly string[]) {
    this.#random = random
    this.#words = expressions.map((each) => each.replaceAll('*', '')).filter((each) => each !== '')
  }

  make(): string {
    const random = this.#random
    if (random.oneIn(3)) return random.pick(this.#fixed)
    const word = random.pick(this.#words)
    const letters = [...word]
    const at = random.below(letters.length)
    switch (random.below(12)) {
      case 0:
        return letters.slice(0, at + 1).join('')
      case 1:
        return letters.slice(at).join('')
      case 2:
        return letters.with(at, random.pick('aeiouxz')).join('')
      case 3:
        return letters.toSpliced(at, 0, random.pick(SEPARATORS)).join('')
      case 4:
        return letters.join(random.pick(SEPARATORS))
      case 5:
        return letters.with(at, letters[at]!.repeat(2 + random.below(6))).join('')
      case 6:
        return letters.map((each) => random.pick(LOOK_ALIKES[each] ?? [each])).join('')
      case 7:
        return letters.map((each) => random.pick(DIGITS[each] ?? [each])).join('')
      case 8:
        return letters.with(at, random.pick(SIGNS)).join('')
      case 9:
        return letters.join(random.pick(INVISIBLE))
      case 10:
        return word.normalize('NFD').toUpperCase()
      default:
        return word
    }
  }

  /** A changed copy of a unit. */
  mutate(unit: string): string {
    const random = this.#random
    const characters = [...unit]
    const from = random.below(characters.length + 1)
    const length = random.below(1 + Math.min(8, characters.length - from))
    switch (random.below(6)) {
      case 0:
        return characters.toSpliced(from, length).join('')
      case 1:
        return characters.slice(from, from + length).join('') + unit
      case 2:
        return characters.toSpliced(from, length, this.make()).join('')
      case 3:
        return this.make() + unit
      case 4:
        return unit + this.make()
      default:
        return characters.toSpliced(from, 0, this.make()).join('')
    }
  }

  /** The first part of one unit and the last part of another. */
  cross(one: string, other: string): string {
    const random = this.#random
    const [head, tail] = [[...one], [...other]]
    return [
      ...head.slice(0, random.below(head.length + 1)),
      ...tail.slice(random.below(tail.length + 1)),
    ].join('')
  }
}
