import type { Random } from '../../test/filter/random.ts'

/** Hides a word of small Latin letters, or gives nothing when the word cannot be hidden that way. */
export type Trick = (word: string, random: Random) => string | undefined

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

const upper: Trick = (word) => word.toUpperCase()

const leet: Trick = (word, random) => {
  const hidden = swap(word, LEET, random)
  if (hidden === undefined || /[a-z]/.test(hidden)) return hidden
  return word.charAt(0) + hidden.slice(1)
}

const repeated: Trick = (word, random) => {
  const place = random.below(word.length)
  return word.slice(0, place) + word.charAt(place).repeat(3 + random.below(4)) + word.slice(place + 1)
}

const spaced: Trick = (word) => [...word].join(' ')
const dotted: Trick = (word) => [...word].join('.')
const softHyphens: Trick = (word) => [...word].join(SOFT_HYPHEN)
const zeroWidth: Trick = (word, random) =>
  [...word].reduce((hidden, letter) => hidden + random.pick(ZERO_WIDTHS) + letter)

const fullWidth: Trick = (word) => shift(word, FULL_WIDTH_A)
const bold: Trick = (word) => shift(word, BOLD_A)
const enclosed: Trick = (word, random) => shift(word, random.pick(Object.values(ENCLOSED_A)))

const lookAlikes: Trick = (word, random) => swap(word, LOOK_ALIKES, random)

const accents: Trick = (word, random) => {
  const hidden = Array.from(word, (letter) => letter + random.pick(ACCENTS)).join('')
  return random.below(2) === 0 ? hidden : hidden.normalize('NFC')
}

const selfCensored: Trick = (word, random) => {
  const places = innerPlaces(word).filter((place) => VOWELS.includes(word.charAt(place)))
  if (places.length === 0) return undefined
  const place = random.pick(places)
  return `${word.slice(0, place)}*${word.slice(place + 1)}`
}

const MIXTURES: readonly (readonly Trick[])[] = [
  [leet, upper, zeroWidth],
  [repeated, accents],
  [upper, spaced],
  [lookAlikes, softHyphens],
  [upper, dotted],
]

const mixed: Trick = (word, random) => {
  const tricks = random.pick(MIXTURES)
  return tricks.reduce<string | undefined>((hidden, trick) => hidden && trick(hidden, random), word)
}

const oneHyphen: Trick = (word, random) => {
  const place = random.pick(innerPlaces(word))
  return `${word.slice(0, place)}-${word.slice(place)}`
}

const embedded: Trick = (word) => `xx${word}yy`

/** Every engine should see through these. */
export const TRICKS: Record<string, Trick> = {
  plain: (word) => word,
  UPPER: upper,
  l33t: leet,
  'repeated letter': repeated,
  's p a c e d': spaced,
  'd.o.t.t.e.d': dotted,
  'zero width': zeroWidth,
  'soft hyphen': softHyphens,
  'full width': fullWidth,
  'maths bold': bold,
  'enclosed letters': enclosed,
  'look-alikes': lookAlikes,
  'combining accents': accents,
  'self-censored': selfCensored,
  mixed,
}

/** Whether to see through these is a matter of taste. */
export const POLICY_TRICKS: Record<string, Trick> = { 'one hyphen': oneHyphen, embedded }

const innerPlaces = (word: string) => Array.from({ length: word.length - 2 }, (_, index) => index + 1)

const shift = (word: string, firstLetter: number) =>
  Array.from(word, (letter) => String.fromCodePoint(letter.charCodeAt(0) - SMALL_A + firstLetter)).join('')

function swap(word: string, table: Record<string, string>, random: Random): string | undefined {
  const swapped = Array.from(word, (letter) => random.pick(table[letter] ?? letter)).join('')
  return swapped === word ? undefined : swapped
}
