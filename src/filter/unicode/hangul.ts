/** The 11,172 precomposed syllables, and the jamo of the Hangul Compatibility Jamo block. */
export const SYLLABLES = 11_172
export const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = FIRST_SYLLABLE + SYLLABLES - 1
export const JAMO = 51
export const FIRST_JAMO = 0x3131
const LAST_JAMO = FIRST_JAMO + JAMO - 1

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

/** The simple jamo that each compound jamo is made of. */
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

const syllableLetters = spellSyllables()

function spellSyllables(): string[] {
  const spelled: string[] = []
  for (const initial of INITIALS)
    for (const vowel of VOWELS) {
      const open = initial + vowel
      for (const final of FINALS) spelled.push(open + final)
    }
  return spelled
}

/** The simple jamo of a folded Hangul syllable or jamo; any other character as it is. */
export const jamoOf = (code: number): string =>
  syllableLetters[code - FIRST_SYLLABLE] ?? COMPOUNDS.get(code) ?? String.fromCodePoint(code)

const SILENT_INITIAL = INITIALS.indexOf('ㅇ')
export const isSyllable = (code: number) => code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE
const initialOf = (syllable: number) => ((syllable - FIRST_SYLLABLE) / 588) | 0
const vowelOf = (syllable: number) => (((syllable - FIRST_SYLLABLE) % 588) / 28) | 0
const isOpen = (syllable: number) => (syllable - FIRST_SYLLABLE) % 28 === 0

/** Whether the preceding character can change how a Hangul character is read. */
export const dependsOnPrevious = (code: number): boolean =>
  !isSyllable(code) || initialOf(code) === SILENT_INITIAL

/** Whether a standalone jamo only repeats the last letter of the syllable before it. */
export const repeatsFinal = (code: number, before: number): boolean =>
  isJamo(code) && isSyllable(before) && jamoOf(before).endsWith(jamoOf(code))

/** Whether a syllable only prolongs the vowel before it: `올` in `조올`. */
export const prolongsVowel = (code: number, before: number): boolean =>
  isSyllable(code) &&
  isSyllable(before) &&
  initialOf(code) === SILENT_INITIAL &&
  isOpen(before) &&
  vowelOf(code) === vowelOf(before)

/** The final consonant of a syllable, or an empty string. */
export const finalOf = (code: number): string => FINALS[(code - FIRST_SYLLABLE) % 28] ?? ''

export const isJamo = (code: number) => code >= FIRST_JAMO && code <= LAST_JAMO
