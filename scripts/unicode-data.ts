/**
 * Generates `src/filter/unicode/character-data.ts`: the kind, case folding, base letter and look-alikes of each character.
 * Prints the file, or writes it with `--write`. Deterministic for the pinned runtime.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const HERE = import.meta.dir
const TARGET = path.join(HERE, '../src/filter/unicode/character-data.ts')
const LAST = 0x1_ffff

/** Letters with a stroke and ligatures, which have no decomposition. */
const STROKED = 'øo łl đd ħh ŧt ıi ɨi ƀb ɇe ŋn æa œo ðd ƒf ɱm ʠq ɍr ɏy ƶz'
/** Look-alikes that the confusables miss: small capitals, and letters that match as capitals or in handwriting. */
const ALIKE =
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ĸk ɑa ɡg ɩi ʋv вb кk мm нh тt ηn ωw κk βb μu яr шw єe'

const ALIKE_SCRIPTS =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u
const ACCENTED_SCRIPTS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}々〆ー]/u
/** Decorative marks. Marks of other scripts are vowels. */
const DECORATIVE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each mark is matched on its own
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Me}\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe2f\uff9e\uff9f]/u
const WORD = /[\p{L}\p{M}]/u
const DIGIT = /\p{Nd}/u

const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const FINALS = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'

/** A sigma that looks like a Latin c. */
const LUNATE = /[ϲϹ]/

const pairs = (text: string) => new Map(text.split(' ').map((pair) => [pair[0] ?? '', pair.slice(1)]))
const stroked = pairs(STROKED)

/** Folds width, style, enclosure and case. */
function fold(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x1f150 && code <= 0x1f189) return letterOf((code - 0x1f150) % 32)
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return character
  if (LUNATE.test(character)) return 'ϲ'
  const plain = character.normalize('NFKC').replace(/^\((.)\)$/u, '$1')
  const lower = plain.toLowerCase().normalize('NFC')
  const [only = '', ...more] = lower
  return more.length > 0 || only === '' ? character : foldSigma(foldJamo(foldKana(foldArabic(only))))
}

const letterOf = (index: number) => (index < 26 ? String.fromCharCode(0x61 + index) : '')

function foldKana(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : character
}

const ARABIC = pairs('أا إا آا ٱا ىي یي ئي کك ةه ؤو')
const foldArabic = (character: string) => ARABIC.get(character) ?? character
/** Sigma has a separate form at the end of a word. */
const foldSigma = (character: string) => (character === 'ς' ? 'σ' : character)

function foldJamo(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x1100 && code <= 0x1112) return INITIALS[code - 0x1100] ?? character
  if (code >= 0x1161 && code <= 0x1175) return VOWELS[code - 0x1161] ?? character
  if (code >= 0x11a8 && code <= 0x11c2) return FINALS[code - 0x11a8] ?? character
  return character
}

/** Removes accents and strokes. */
function bare(character: string): string {
  const folded = fold(character)
  const [base = '', ...marks] = folded.normalize('NFD')
  const hasAccents =
    marks.length > 0 && ACCENTED_SCRIPTS.test(base) && marks.every((mark) => /\p{M}/u.test(mark))
  const plain = hasAccents ? base : folded
  return stroked.get(plain) ?? plain
}

function readConfusables(): Map<string, string> {
  const rows = readFileSync(path.join(HERE, 'unicode/confusables.txt'), 'utf8').split('\n')
  const alike = new Map<string, string>()
  for (const row of rows) {
    const [from, to] = row.replace(/^\ufeff/, '').split(';')
    if (from === undefined || to === undefined || !/^[0-9A-F]+ *$/.test(from)) continue
    alike.set(fromHex(from), to.trim().split(' ').map(fromHex).join(''))
  }
  return alike
}

const fromHex = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))

const confusables = readConfusables()
const alikes = pairs(ALIKE)

/** Latin letters that a character looks like, the same for upper and lower case. */
function looks(character: string): string {
  const folded = fold(character)
  const plain = bare(character)
  if (!ALIKE_SCRIPTS.test(folded) || /^[a-z]$/.test(plain)) return ''
  const given = alikes.get(folded) ?? alikes.get(plain)
  const cases = [folded, plain, folded.toUpperCase(), plain.toUpperCase()]
  const alike =
    given ?? cases.map((each) => confusables.get(each) ?? '').find((each) => /^[A-Za-z]$/.test(each))
  return alike === 'l' ? 'il' : (alike ?? '').toLowerCase()
}

const KINDS = { separator: 0, letter: 1, unspaced: 2, syllable: 3, jamo: 4, digit: 5, ignorable: 6 }

function kind(character: string): number {
  const code = character.codePointAt(0) ?? 0
  const folded = fold(character)
  if (code >= 0xac00 && code <= 0xd7a3) return KINDS.syllable
  if (DECORATIVE.test(character)) return KINDS.ignorable
  if (folded >= '\u3131' && folded <= '\u3163') return KINDS.jamo
  if (DIGIT.test(folded)) return KINDS.digit
  if (UNSPACED.test(folded)) return KINDS.unspaced
  return WORD.test(folded) ? KINDS.letter : KINDS.separator
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

const isHalf = (code: number) => code >= 0xd800 && code <= 0xdfff
const distance = (code: number, folded: string) => (folded.codePointAt(0) ?? code) - code

/** Encodes distances rather than targets, so that alphabets become runs. */
const encodeTargets = (target: (character: string) => string) =>
  encodeRuns((code) => (isHalf(code) ? 0 : zigzag(distance(code, target(String.fromCodePoint(code))))))

const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2)

const maskOf = (letters: string) =>
  [...letters].reduce((mask, l) => mask | (1 << (l.charCodeAt(0) - 0x61)), 0)

const wrap = (text: string) => (text.match(/.{1,240}/g) ?? []).map((line) => `  '${line}'`).join(' +\n')

const text = `// Generated by scripts/unicode-data.ts from Unicode 17.0 and UTS #39 confusables 14.0.0. Do not edit.
// biome-ignore format: data
export const KINDS =
${wrap(encodeRuns((code) => (isHalf(code) ? 0 : kind(String.fromCodePoint(code)))))}
// biome-ignore format: data
export const FOLDED =
${wrap(encodeTargets(fold))}
// biome-ignore format: data
export const BASES =
${wrap(encodeTargets(bare))}
// biome-ignore format: data
export const LOOK_ALIKES =
${wrap(encodeRuns((code) => (isHalf(code) ? 0 : maskOf(looks(String.fromCodePoint(code))))))}
`

if (process.argv.includes('--write')) writeFileSync(TARGET, text)
else process.stdout.write(text)
