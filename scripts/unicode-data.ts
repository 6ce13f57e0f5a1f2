/**
 * Generates `src/filter/unicode/character-data.ts`: the kind, plain letters, case folding, base letter, look-alikes and
 * compositions of each character.
 * Prints the file, or writes it with `--write`. Deterministic for the pinned runtime.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { combiningRank, partsOf } from './unicode/composition.ts'
import { baseOf, foldedOf, isDecorative, plainOf } from './unicode/folding.ts'
import { lookAlikesOf } from './unicode/look-alikes.ts'

const TARGET = path.join(import.meta.dir, '../src/filter/unicode/character-data.ts')
const LAST = 0x1_ffff
const isHalf = (code: number) => code >= 0xd800 && code <= 0xdfff

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}々〆ー]/u
const WORD = /[\p{L}\p{M}]/u
const DIGIT = /\p{Nd}/u

const KINDS = { separator: 0, letter: 1, unspaced: 2, syllable: 3, jamo: 4, digit: 5, ignorable: 6 }

function kind(character: string): number {
  const code = character.codePointAt(0) ?? 0
  const folded = foldedOf(character)
  if (code >= 0xac00 && code <= 0xd7a3) return KINDS.syllable
  if (isDecorative(character)) return KINDS.ignorable
  if (folded >= '\u3131' && folded <= '\u3163') return KINDS.jamo
  if (DIGIT.test(folded)) return KINDS.digit
  if (UNSPACED.test(folded)) return KINDS.unspaced
  return WORD.test(folded) ? KINDS.letter : KINDS.separator
}

/** `Role` in `src/filter/unicode/normalize.ts`. */
const ROLES = { plain: 0, accent: 1, mark: 2, jamo: 3, extender: 4, invisible: 5, expanded: 6 }

const SPACING_VOICING_MARKS = /[\u309b\u309c]/
/** Marks, and the few letters that compose with a letter before them. */
const isMark = (character: string) => /[\p{M}\u{16d67}]/u.test(character)

function role(character: string): number {
  if (/[\u1100-\u11ff]/.test(character) && !isDecorative(character)) return ROLES.jamo
  if (SPACING_VOICING_MARKS.test(character)) return ROLES.accent
  if (isDecorative(character)) return roleOfDecoration(character)
  if (isMark(character)) return ROLES.mark
  return plainOf(character).length > character.length ? ROLES.expanded : ROLES.plain
}

function roleOfDecoration(character: string): number {
  if (/[\p{M}\u0640\uff9e\uff9f]/u.test(character) && !/\p{Variation_Selector}/u.test(character))
    return ROLES.accent
  return /[\p{Grapheme_Extend}\u200d]/u.test(character) ? ROLES.extender : ROLES.invisible
}

/** Run-length encoding as `length value`, in base 36. */
function encodeRuns(measure: (code: number) => number): string {
  const runs: [number, number][] = []
  for (let code = 0; code <= LAST; code++) {
    const value = measure(code)
    const last = runs.at(-1)
    if (last !== undefined && last[1] === value) last[0]++
    else runs.push([1, value])
  }
  return runs.map(([length, value]) => `${length.toString(36)} ${value.toString(36)}`).join(',')
}

const encode = (measure: (character: string) => number) =>
  encodeRuns((code) => (isHalf(code) ? 0 : measure(String.fromCodePoint(code))))

/** Encodes distances rather than targets, so that alphabets become runs. */
const encodeTargets = (target: (character: string) => string) =>
  encode((character) => zigzag(distance(character, target(character))))

function distance(character: string, target: string): number {
  const [only = character, ...more] = target
  return more.length > 0 ? 0 : (only.codePointAt(0) ?? 0) - (character.codePointAt(0) ?? 0)
}

const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2)

/** Case folding of plain characters. Styled ones are folded by way of their plain letter. */
const foldCase = (character: string) => (plainOf(character) === character ? foldedOf(character) : character)
/** The base of folded characters. */
const removeAccents = (character: string) =>
  foldedOf(character) === character ? baseOf(character) : character

const LETTERS = 'abcdefghijklmnopqrstuvwxyz4'
const maskOf = (letters: string) =>
  [...letters].reduce((mask, letter) => mask | (1 << LETTERS.indexOf(letter)), 0)
/** The look-alikes of folded characters. */
const looks = (character: string) => (foldedOf(character) === character ? maskOf(lookAlikesOf(character)) : 0)

const wrap = (text: string) => (text.match(/.{1,320}/g) ?? []).map((line) => `  '${line}'`).join(' +\n')
const constant = (name: string, runs: string) =>
  `// biome-ignore format: data\nexport const ${name} =\n${wrap(runs)}\n`

const characters = Array.from({ length: LAST + 1 }, (_, code) => code)
  .filter((code) => !isHalf(code))
  .map((code) => String.fromCodePoint(code))

/** Two characters and the one that they compose to, in base 36. */
const encodeCompositions = () =>
  characters
    .flatMap((character) => {
      const parts = partsOf(character)
      return parts === undefined ? [] : [encodeCodes(parts.join('') + character)]
    })
    .join(',')

/** Characters that stand for several, each followed by those. Marks only by canonical decomposition. */
const encodeExpansions = () =>
  characters
    .map(
      (character) =>
        [character, isMark(character) ? character.normalize('NFC') : plainOf(character)] as const,
    )
    .filter(([, letters]) => [...letters].length > 1)
    .map(([character, letters]) => encodeCodes(character + letters))
    .join(',')

const encodeCodes = (text: string) =>
  Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(36)).join(' ')

const DATA = {
  KINDS: encode(kind),
  ROLES: encode(role),
  COMBINING_RANKS: encode(combiningRank),
  PLAIN: encodeTargets(plainOf),
  CASES: encodeTargets(foldCase),
  BASES: encodeTargets(removeAccents),
  LOOK_ALIKES: encode(looks),
  COMPOSITIONS: encodeCompositions(),
  EXPANSIONS: encodeExpansions(),
}

const text = `// Generated by scripts/unicode-data.ts from Unicode 17.0 and UTS #39 confusables 14.0.0. Do not edit.
${Object.entries(DATA)
  .map(([name, data]) => constant(name, data))
  .join('')}`

if (process.argv.includes('--write')) writeFileSync(TARGET, text)
else process.stdout.write(text)
