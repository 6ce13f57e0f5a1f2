import type { Random } from '../../test/filter/random.ts'

/** Obfuscates a word of lower-case Latin letters. Returns undefined if the technique does not apply to it. */
export type Obfuscation = (word: string, random: Random) => string | undefined

const LEET: Record<string, string> = { a: '4@', e: '3', i: '1!', o: '0', s: '5$', t: '7' }
const LOOK_ALIKES: Record<string, string> = {
  a: 'аα',
  c: 'сϲ',
  e: 'е',
  h: 'һ',
  i: 'іι',
  j: 'јϳ',
  k: 'кκ',
  o: 'оο',
  p: 'рρ',
  s: 'ѕ',
  u: 'υ',
  v: 'ν',
  x: 'х',
  y: 'у',
}
const ZERO_WIDTHS = '\u200B\u200C\u200D\u2060\uFEFF'
const SOFT_HYPHEN = '\u00AD'
const ACCENTS = '\u0300\u0301\u0302\u0303\u0308\u0327\u0336'
const VOWELS = 'aeiou'

const [SMALL_A, FULL_WIDTH_A, BOLD_A] = [0x61, 0xff41, 0x1d41a]
const ENCLOSED_A = { circledCapital: 0x24b6, circledSmall: 0x24d0, negativeSquared: 0x1f170 }

const upper: Obfuscation = (word) => word.toUpperCase()

const leet: Obfuscation = (word, random) => {
  const obfuscated = swap(word, LEET, random)
  if (obfuscated === undefined || /[a-z]/.test(obfuscated)) return obfuscated
  return word.charAt(0) + obfuscated.slice(1)
}

const repeated: Obfuscation = (word, random) => {
  const position = random.below(word.length)
  return (
    word.slice(0, position) + word.charAt(position).repeat(3 + random.below(4)) + word.slice(position + 1)
  )
}

const spaced: Obfuscation = (word) => [...word].join(' ')
const dotted: Obfuscation = (word) => [...word].join('.')
const softHyphens: Obfuscation = (word) => [...word].join(SOFT_HYPHEN)
const zeroWidth: Obfuscation = (word, random) =>
  [...word].reduce((obfuscated, letter) => obfuscated + random.pick(ZERO_WIDTHS) + letter)

const fullWidth: Obfuscation = (word) => shift(word, FULL_WIDTH_A)
const bold: Obfuscation = (word) => shift(word, BOLD_A)
const enclosed: Obfuscation = (word, random) => shift(word, random.pick(Object.values(ENCLOSED_A)))

const lookAlikes: Obfuscation = (word, random) => swap(word, LOOK_ALIKES, random)

const accents: Obfuscation = (word, random) => {
  const obfuscated = Array.from(word, (letter) => letter + random.pick(ACCENTS)).join('')
  return random.below(2) === 0 ? obfuscated : obfuscated.normalize('NFC')
}

const selfCensored: Obfuscation = (word, random) => {
  const positions = innerPositions(word).filter((position) => VOWELS.includes(word.charAt(position)))
  if (positions.length === 0) return undefined
  const position = random.pick(positions)
  return `${word.slice(0, position)}*${word.slice(position + 1)}`
}

const MIXTURES: readonly (readonly Obfuscation[])[] = [
  [leet, upper, zeroWidth],
  [repeated, accents],
  [upper, spaced],
  [lookAlikes, softHyphens],
  [upper, dotted],
]

const mixed: Obfuscation = (word, random) => {
  const obfuscations = random.pick(MIXTURES)
  return obfuscations.reduce<string | undefined>(
    (obfuscated, obfuscate) => obfuscated && obfuscate(obfuscated, random),
    word,
  )
}

const oneHyphen: Obfuscation = (word, random) => {
  const position = random.pick(innerPositions(word))
  return `${word.slice(0, position)}-${word.slice(position)}`
}

const embedded: Obfuscation = (word) => `xx${word}yy`

/** Every engine should see through these. */
export const OBFUSCATIONS: Record<string, Obfuscation> = {
  plain: (word) => word,
  UPPER: upper,
  l33t: leet,
  'repeated letter': repeated,
  's p a c e d': spaced,
  'd.o.t.t.e.d': dotted,
  'zero-width characters': zeroWidth,
  'soft hyphen': softHyphens,
  'full-width letters': fullWidth,
  'mathematical bold': bold,
  'enclosed letters': enclosed,
  'look-alikes': lookAlikes,
  'combining accents': accents,
  'self-censored': selfCensored,
  mixed,
}

/** Whether to see through these is a policy decision. */
export const POLICY_OBFUSCATIONS: Record<string, Obfuscation> = { 'one hyphen': oneHyphen, embedded }

const innerPositions = (word: string) => Array.from({ length: word.length - 2 }, (_, index) => index + 1)

const shift = (word: string, firstLetter: number) =>
  Array.from(word, (letter) => String.fromCodePoint(letter.charCodeAt(0) - SMALL_A + firstLetter)).join('')

function swap(word: string, table: Record<string, string>, random: Random): string | undefined {
  const swapped = Array.from(word, (letter) => random.pick(table[letter] ?? letter)).join('')
  return swapped === word ? undefined : swapped
}
