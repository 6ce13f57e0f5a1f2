import { BASES, FOLDED, KINDS, LOOK_ALIKES } from './character-data.ts'

/** How the filter treats a character. */
export const Kind = {
  separator: 0,
  /** In a script that separates words by spaces. */
  letter: 1,
  /** In a script that does not: Han, kana, Thai and others. */
  unspaced: 2,
  /** A precomposed Hangul syllable. */
  syllable: 3,
  /** A standalone Hangul letter. */
  jamo: 4,
  digit: 5,
  /** Invisible, or an accent on the letter before it. */
  ignorable: 6,
} as const

/** The place where a word starts, or anything that separates words. */
export const SEPARATOR = 0x20

export const isUnspaced = (kind: number) =>
  kind === Kind.unspaced || kind === Kind.syllable || kind === Kind.jamo
export const isSpaced = (kind: number) => kind === Kind.letter || kind === Kind.digit

/** Longest run of leetspeak punctuation that is read as letters inside a word. */
export const MAX_LEET_RUN = 3

const TABLE_SIZE = 0x2_0000
const PLANE_14 = 0xe_0000

const kinds = decode(KINDS, new Uint8Array(TABLE_SIZE))
const folded = decodeTargets(FOLDED)
const bases = decodeTargets(BASES)

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
  const targets = decode(runs, new Uint32Array(TABLE_SIZE))
  for (let code = 0; code < TABLE_SIZE; code++) {
    const zigzag = targets[code] ?? 0
    targets[code] = code + (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2)
  }
  return targets
}

/** The tables cover planes 0 and 1. The planes above contain Han, then invisible tags and variation selectors. */
export const kindOf = (code: number): number =>
  code < TABLE_SIZE ? (kinds[code] ?? 0) : code < PLANE_14 ? Kind.unspaced : Kind.ignorable

/** The same letter in lower case, normal width and plain style. */
export const foldedOf = (code: number): number => (code < TABLE_SIZE ? (folded[code] ?? code) : code)

/** The folded first letter of a text, composed with the accents that follow it. */
export const composedOf = (text: string): number => foldedOf(text.normalize('NFKC').codePointAt(0) ?? 0)

/** Marks that turn a kana into a different letter rather than accent it. */
export const isVoicingMark = (code: number): boolean =>
  code === 0x3099 || code === 0x309a || code === 0xff9e || code === 0xff9f

const [FIRST_KANA, LAST_KANA] = [0x3041, 0x30fe]
const unvoiced = Uint16Array.from({ length: LAST_KANA - FIRST_KANA + 1 }, (_, index) =>
  String.fromCharCode(FIRST_KANA + index)
    .normalize('NFD')
    .charCodeAt(0),
)

/** The folded letter without accents. */
export const baseOf = (code: number): number => (code < TABLE_SIZE ? (bases[code] ?? code) : code)

/** Leetspeak: the letters that digits and punctuation stand for. */
const LEET: Readonly<Record<string, string>> = {
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

const leet = new Map(
  Object.entries(LEET).map(([character, letters]) => [
    character.charCodeAt(0),
    [...letters].reduce((mask, letter) => mask | bitOf(letter.charCodeAt(0)), 0),
  ]),
)

/** Leetspeak characters other than digits. At the edge of a word they may be ordinary punctuation. */
export const LEET_PUNCTUATION: readonly number[] = [...leet.keys()].filter(
  (code) => kindOf(code) !== Kind.digit,
)

const lookAlikes = addLeet(decode(LOOK_ALIKES, new Uint32Array(TABLE_SIZE)))

function addLeet(masks: Uint32Array): Uint32Array {
  const bits = new Uint32Array(Math.max(...leet.keys()) + 1)
  for (const [character, letters] of leet) bits[character] = letters
  // As in Roman inscriptions, `v` can stand for `u`.
  bits[LETTER_V] = bitOf(LETTER_U)
  for (let code = 0; code < TABLE_SIZE; code++)
    if (masks[code] === 0) masks[code] = bits[bases[code] ?? 0] ?? 0
  return masks
}

/** The Latin letters that a character can stand for (leetspeak and homoglyphs), as a bit mask. */
export const lookAlikesOf = (code: number): number => (code < TABLE_SIZE ? (lookAlikes[code] ?? 0) : 0)

/** Whether a character of a text can stand for a letter of an expression. */
export const standsFor = (code: number, letter: number): boolean =>
  isLetterIgnoringAccents(code, letter) || (lookAlikesOf(code) & bitOf(letter)) !== 0

/** Whether a character is the letter itself, with or without accents, rather than a look-alike. */
export const isLetterIgnoringAccents = (code: number, letter: number): boolean =>
  equalsFolded(code, letter) || baseOf(code) === letter

/** Whether a character is the letter itself, ignoring case, width and style. */
export const equalsFolded = (code: number, letter: number): boolean =>
  code === letter || foldedOf(code) === letter

/**
 * One code for all characters that can stand for one another. Coarser than `standsFor`, so a search by class misses
 * nothing.
 */
export function classOf(code: number): number {
  const plain = baseOf(code)
  const mask = bitOf(plain) || lookAlikesOf(code)
  if (mask === 0) return unvoiced[plain - FIRST_KANA] ?? plain
  const first = FIRST + 31 - Math.clz32(mask & -mask)
  return first === LETTER_L ? LETTER_I : first === LETTER_V ? LETTER_U : first
}
