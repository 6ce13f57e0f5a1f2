import { BARE, FOLDED, KINDS, LOOKS } from './character-data.ts'

/** What a character is to the filter. */
export const Kind = {
  separator: 0,
  /** Of a script that puts spaces between words. */
  letter: 1,
  /** Of a script that does not: Han, kana, Thai and their like. */
  unspaced: 2,
  /** A Hangul syllable. */
  syllable: 3,
  /** A Hangul letter by itself. */
  jamo: 4,
  digit: 5,
  /** Seen by nobody, or only dresses the letter before it. */
  ignorable: 6,
} as const

const PLANES = 0x2_0000
const UNSEEN = 0xe_0000

const kinds = decode(KINDS, new Uint8Array(PLANES))
const looks = decode(LOOKS, new Uint32Array(PLANES))
const folded = decodeTargets(FOLDED)
const bare = decodeTargets(BARE)

function decode<T extends Uint8Array | Uint32Array>(runs: string, target: T): T {
  let at = 0
  for (const run of runs.split(',')) {
    const space = run.indexOf(' ')
    const end = at + Number.parseInt(run.slice(0, space), 36)
    target.fill(Number.parseInt(run.slice(space + 1), 36), at, end)
    at = end
  }
  return target
}

function decodeTargets(runs: string): Uint32Array {
  const targets = decode(runs, new Uint32Array(PLANES))
  for (let code = 0; code < PLANES; code++) {
    const zigzag = targets[code] ?? 0
    targets[code] = code + (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2)
  }
  return targets
}

/** Beyond the two planes of the tables there is Han, then marks that nobody sees. */
export const kindOf = (code: number): number =>
  code < PLANES ? (kinds[code] ?? 0) : code < UNSEEN ? Kind.unspaced : Kind.ignorable

/** The same letter in lower case and of plain width and style. */
export const foldedOf = (code: number): number => (code < PLANES ? (folded[code] ?? code) : code)

/** The folded letter that a text begins with, together with the accents behind it. */
export const composedOf = (text: string): number => foldedOf(text.normalize('NFKC').codePointAt(0) ?? 0)

/** Marks that make another letter of a kana, not the same one with an accent. */
export const isVoicing = (code: number): boolean =>
  code === 0x3099 || code === 0x309a || code === 0xff9e || code === 0xff9f

const [FIRST_KANA, LAST_KANA] = [0x3041, 0x30fe]
const voiceless = Uint16Array.from({ length: LAST_KANA - FIRST_KANA + 1 }, (_, index) =>
  String.fromCharCode(FIRST_KANA + index)
    .normalize('NFD')
    .charCodeAt(0),
)

/** The folded letter without its accents. */
export const bareOf = (code: number): number => (code < PLANES ? (bare[code] ?? code) : code)

/** Signs that stand for letters, by what they look like. */
const SIGNS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'il',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'b',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'il',
  '|': 'il',
  '¡': 'il',
  '+': 't',
  '(': 'c',
  '<': 'c',
  '{': 'c',
  '€': 'e',
  '£': 'l',
  '¥': 'y',
  '¢': 'c',
  '§': 's',
}

const FIRST = 0x61
const LETTER_I = 0x69
const LETTER_L = 0x6c
const LETTER_U = 0x75
const LETTER_V = 0x76
const LETTERS = 26

const bitOf = (letter: number) => (letter >= FIRST && letter < FIRST + LETTERS ? 1 << (letter - FIRST) : 0)

const signs = new Map(
  Object.entries(SIGNS).map(([sign, letters]) => [
    sign.charCodeAt(0),
    [...letters].reduce((mask, letter) => mask | bitOf(letter.charCodeAt(0)), 0),
  ]),
)

/** Signs other than digits. At the edge of a word they may be no more than punctuation. */
export const SIGN_CODES: readonly number[] = [...signs.keys()].filter((code) => kindOf(code) !== Kind.digit)

const disguises = disguiseAll()

function disguiseAll(): Uint32Array {
  const bits = new Uint32Array(Math.max(...signs.keys()) + 1)
  for (const [sign, letters] of signs) bits[sign] = letters
  // A `v` is carved for a `u`.
  bits[LETTER_V] = bitOf(LETTER_U)
  for (let code = 0; code < PLANES; code++) if (looks[code] === 0) looks[code] = bits[bare[code] ?? 0] ?? 0
  return looks
}

/** Of the letters that a sign or a letter of another script may stand for, a bit each. */
export const disguiseOf = (code: number): number => (code < PLANES ? (disguises[code] ?? 0) : 0)

/** Whether a character of a text may be meant for a letter of an expression. */
export const standsFor = (code: number, letter: number): boolean =>
  isLetter(code, letter) || (disguiseOf(code) & bitOf(letter)) !== 0

/** Whether it is that letter, dressed or not, and not a disguise of it. */
export const isLetter = (code: number, letter: number): boolean =>
  isSame(code, letter) || bareOf(code) === letter

/** Whether it is that letter, apart from case, width and style. */
export const isSame = (code: number, letter: number): boolean => code === letter || foldedOf(code) === letter

/**
 * One code for all that may be meant for one another: coarser than `standsFor`, so that a search by classes misses
 * nothing.
 */
export function classOf(code: number): number {
  const plain = bareOf(code)
  const mask = bitOf(plain) || disguiseOf(code)
  if (mask === 0) return voiceless[plain - FIRST_KANA] ?? plain
  const first = FIRST + 31 - Math.clz32(mask & -mask)
  return first === LETTER_L ? LETTER_I : first === LETTER_V ? LETTER_U : first
}

const SYLLABLES = 0xac00
const LAST_SYLLABLE = 0xd7a3
const JAMO = 0x3131
const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const VOWELS = [
  'ㅏ',
  'ㅐ',
  'ㅑ',
  'ㅒ',
  'ㅓ',
  'ㅔ',
  'ㅕ',
  'ㅖ',
  'ㅗ',
  'ㅗㅏ',
  'ㅗㅐ',
  'ㅗㅣ',
  'ㅛ',
  'ㅜ',
].concat(['ㅜㅓ', 'ㅜㅔ', 'ㅜㅣ', 'ㅠ', 'ㅡ', 'ㅡㅣ', 'ㅣ'])
const FINALS = [
  '',
  'ㄱ',
  'ㄲ',
  'ㄱㅅ',
  'ㄴ',
  'ㄴㅈ',
  'ㄴㅎ',
  'ㄷ',
  'ㄹ',
  'ㄹㄱ',
  'ㄹㅁ',
  'ㄹㅂ',
  'ㄹㅅ',
  'ㄹㅌ',
  'ㄹㅍ',
].concat(['ㄹㅎ', 'ㅁ', 'ㅂ', 'ㅂㅅ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'])

/** The letters that each Hangul syllable and each compound letter is written with. */
const COMPOUNDS = new Map(
  [
    ['ㄳ', 'ㄱㅅ'],
    ['ㄵ', 'ㄴㅈ'],
    ['ㄶ', 'ㄴㅎ'],
    ['ㄺ', 'ㄹㄱ'],
    ['ㄻ', 'ㄹㅁ'],
    ['ㄼ', 'ㄹㅂ'],
    ['ㄽ', 'ㄹㅅ'],
    ['ㄾ', 'ㄹㅌ'],
    ['ㄿ', 'ㄹㅍ'],
    ['ㅀ', 'ㄹㅎ'],
    ['ㅄ', 'ㅂㅅ'],
    ['ㅘ', 'ㅗㅏ'],
    ['ㅙ', 'ㅗㅐ'],
    ['ㅚ', 'ㅗㅣ'],
    ['ㅝ', 'ㅜㅓ'],
    ['ㅞ', 'ㅜㅔ'],
    ['ㅟ', 'ㅜㅣ'],
    ['ㅢ', 'ㅡㅣ'],
  ].map(([compound = '', parts = '']) => [compound.charCodeAt(0), parts]),
)

const syllableLetters = Array.from({ length: LAST_SYLLABLE - SYLLABLES + 1 }, (_, index) => {
  const vowel = VOWELS[Math.floor((index % 588) / 28)] ?? ''
  return (INITIALS[Math.floor(index / 588)] ?? '') + vowel + (FINALS[index % 28] ?? '')
})

/** The simple letters of a Hangul syllable or letter, folded; of anything else, itself. */
export const jamoOf = (code: number): string =>
  syllableLetters[code - SYLLABLES] ?? COMPOUNDS.get(code) ?? String.fromCodePoint(code)

const SILENT_INITIAL = INITIALS.indexOf('ㅇ')
export const isSyllable = (code: number) => code >= SYLLABLES && code <= LAST_SYLLABLE
const initialOf = (syllable: number) => ((syllable - SYLLABLES) / 588) | 0
const vowelOf = (syllable: number) => (((syllable - SYLLABLES) % 588) / 28) | 0
const isOpen = (syllable: number) => (syllable - SYLLABLES) % 28 === 0

/** Whether what stands before a Hangul character may change how it is read. */
export const isLoose = (code: number): boolean => !isSyllable(code) || initialOf(code) === SILENT_INITIAL

/** Whether a letter by itself only repeats the end of the syllable before it. */
export const isEcho = (code: number, before: number): boolean =>
  isJamo(code) && isSyllable(before) && jamoOf(before).endsWith(jamoOf(code))

/** Whether a syllable only draws out the vowel before it: `올` in `조올`. */
export const isStretch = (code: number, before: number): boolean =>
  isSyllable(code) &&
  isSyllable(before) &&
  initialOf(code) === SILENT_INITIAL &&
  isOpen(before) &&
  vowelOf(code) === vowelOf(before)

/** What such a syllable adds: its last consonant, if it has one. */
export const stretchOf = (code: number): string => FINALS[(code - SYLLABLES) % 28] ?? ''

export const isJamo = (code: number) => code >= JAMO && code <= 0x3163
