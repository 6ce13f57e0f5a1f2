import { BASES, CASES, KINDS, LOOK_ALIKES, PLAIN } from './character-data.ts'
import { letterScript, Script } from './scripts.ts'
import { composeMaps, decodeMap, decodeRuns, forEachRun, TABLE_SIZE } from './tables.ts'

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

const PLANE_14 = 0xe_0000

const kinds = decodeRuns(KINDS, new Uint8Array(TABLE_SIZE))
const plain = decodeMap(PLAIN)
const folded = composeMaps(plain, decodeMap(CASES))
const bases = composeMaps(folded, decodeMap(BASES))
const [toPlain, toFolded, toBase] = [plain.distances, folded.distances, bases.distances]

/** The characters of planes 0 and 1 that are not plain. */
export const STYLED: readonly number[] = plain.changed

export const kindOf = (code: number): number =>
  code < TABLE_SIZE ? (kinds[code] ?? 0) : code < PLANE_14 ? Kind.unspaced : Kind.ignorable

/** The script of a character, one of `Script`. */
export function scriptOf(code: number): number {
  const kind = kindOf(code)
  return kind === Kind.separator || kind === Kind.digit || kind === Kind.ignorable
    ? Script.none
    : letterScript(code)
}

/** The same letter in normal width and plain style. */
export const plainOf = (code: number): number => code + (toPlain[code] ?? 0)

/** The same letter in lower case, normal width and plain style. */
export const foldedOf = (code: number): number => code + (toFolded[code] ?? 0)

const [FIRST_KANA, LAST_KANA] = [0x3041, 0x30fe]
const unvoiced = Uint16Array.from({ length: LAST_KANA - FIRST_KANA + 1 }, (_, index) =>
  String.fromCharCode(FIRST_KANA + index)
    .normalize('NFD')
    .charCodeAt(0),
)

/** The folded letter without accents. */
export const baseOf = (code: number): number => code + (toBase[code] ?? 0)

/** Leetspeak: the letters that digits and ASCII punctuation stand for. */
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
  '+': 't',
  '(': 'c',
  '<': 'c',
  '{': 'c',
}

const FIRST = 0x61
const CAPITAL_I = 0x49
const DIGIT_4 = 0x34
const [LETTER_A, LETTER_I, LETTER_L, LETTER_U, LETTER_V, DOTLESS_I] = [0x61, 0x69, 0x6c, 0x75, 0x76, 0x131]
const LETTERS = 26
/** The shape that the digit four shares with letters, none of which is Latin. */
const FOUR = 1 << LETTERS

const bitOf = (letter: number) => (letter >= FIRST && letter < FIRST + LETTERS ? 1 << (letter - FIRST) : 0)

const lookAlikes = addLeet(decodeRuns(LOOK_ALIKES, new Int32Array(TABLE_SIZE)))

function addLeet(shapes: Int32Array): Int32Array {
  for (const [character, letters] of Object.entries(LEET))
    shapes[character.charCodeAt(0)] = [...letters].reduce((bits, each) => bits | bitOf(each.charCodeAt(0)), 0)
  shapes[DIGIT_4] = bitOf(LETTER_A) | FOUR
  // As in Roman inscriptions, `v` can stand for `u`.
  shapes[LETTER_V] = bitOf(LETTER_U)
  for (const code of bases.changed) shapes[code] = shapes[foldedOf(code)] || (shapes[baseOf(code)] ?? 0)
  shapes[CAPITAL_I] = bitOf(LETTER_L)
  return shapes
}

/** The Latin letters that a character can stand for (leetspeak and homoglyphs), as a bit mask. */
export const lookAlikesOf = (code: number): number => lookAlikes[code] ?? 0

/** Leetspeak characters other than digits. At the edge of a word they may be ordinary punctuation. */
export const LEET_PUNCTUATION: readonly number[] = findLeetPunctuation()

function findLeetPunctuation(): number[] {
  const codes = Object.keys(LEET).map((character) => character.charCodeAt(0))
  forEachRun(LOOK_ALIKES, (_, start, end) => {
    for (let code = start; code < end; code++) codes.push(code)
  })
  return codes.filter((code) => kindOf(code) === Kind.separator).sort((a, b) => a - b)
}

/** The Latin letters that a character is, or looks like. */
const shapesOf = (code: number) => lookAlikesOf(code) | bitOf(baseOf(code))

/**
 * Whether a character of a text can stand for a letter of an expression. Two genuine letters of one script never do,
 * except `v` for `u` and the capital `I` for `l` and `ı`.
 */
export const standsFor = (code: number, letter: number): boolean =>
  isLetterIgnoringAccents(code, letter) ||
  (lookAlikesOf(code) & bitOf(letter)) !== 0 ||
  (code === CAPITAL_I && letter === DOTLESS_I) ||
  looksLikeForeign(code, letter)

/** Whether a character looks like a letter of another script. */
function looksLikeForeign(code: number, letter: number): boolean {
  if ((shapesOf(code) & shapesOf(letter)) === 0) return false
  const script = scriptOf(letter)
  return script !== Script.none && script !== scriptOf(code)
}

/** Whether a character is the letter itself, with or without accents, rather than a look-alike. */
const isLetterIgnoringAccents = (code: number, letter: number): boolean =>
  equalsFolded(code, letter) || baseOf(code) === letter

/** Whether a character is the letter itself, ignoring case, width and style. */
export const equalsFolded = (code: number, letter: number): boolean =>
  code === letter || foldedOf(code) === letter

/** Classes with a character in common: `1` stands for i and l, `v` for u, `4` for a and ч. */
const MERGED_CLASSES = new Map([
  [LETTER_L, LETTER_I],
  [LETTER_V, LETTER_U],
  [FIRST + LETTERS, LETTER_A],
])

function findClass(code: number): number {
  const base = baseOf(code)
  const shapes = bitOf(base) || lookAlikesOf(code)
  if (shapes === 0) return unvoiced[base - FIRST_KANA] ?? base
  const first = FIRST + 31 - Math.clz32(shapes & -shapes)
  return MERGED_CLASSES.get(first) ?? first
}

const UNITS = 0x1_0000
const classes = tableOfClasses()

/** Most characters are a class of their own. */
function tableOfClasses(): Uint32Array {
  const table = new Uint32Array(UNITS)
  for (let code = 0; code < UNITS; code++) table[code] = code
  const set = (code: number) => {
    if (code < UNITS) table[code] = findClass(code)
  }
  for (const character of Object.keys(LEET)) set(character.charCodeAt(0))
  for (const code of bases.changed) set(code)
  for (let code = FIRST; code < FIRST + LETTERS; code++) set(code)
  for (let code = FIRST_KANA; code <= LAST_KANA; code++) set(code)
  forEachRun(LOOK_ALIKES, (_, start, end) => {
    for (let code = start; code < end; code++) set(code)
  })
  return table
}

/**
 * One code for all characters that can stand for one another. Coarser than `standsFor`, so a search by class misses
 * nothing.
 */
export const classOf = (code: number): number => (code < UNITS ? (classes[code] ?? 0) : findClass(code))
