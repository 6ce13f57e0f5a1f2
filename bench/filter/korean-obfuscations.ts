import type { Obfuscation } from './obfuscations.ts'

const [FIRST_SYLLABLE, VOWEL_COUNT, FINAL_COUNT] = [0xac00, 21, 28]
const LEADS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const FINALS = ' ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'
const SYMBOLS = '@.!~-*'
const ZERO_WIDTHS = '\u200B\u200C\u200D\u2060\uFEFF'

interface Parts {
  readonly lead: string
  readonly vowel: string
  readonly final: string
}

function partsOf(syllable: string): Parts {
  const index = syllable.charCodeAt(0) - FIRST_SYLLABLE
  return {
    lead: LEADS.charAt(Math.floor(index / VOWEL_COUNT / FINAL_COUNT)),
    vowel: VOWELS.charAt(Math.floor(index / FINAL_COUNT) % VOWEL_COUNT),
    final: FINALS.charAt(index % FINAL_COUNT).trim(),
  }
}

const splitJamo: Obfuscation = (word) =>
  Array.from(word, (syllable) => {
    const { lead, vowel, final } = partsOf(syllable)
    return lead + vowel + final
  }).join('')

/** After a syllable that ends in that vowel. */
const repeatVowel: Obfuscation = (word, random) => {
  const open = Array.from(word, partsOf).flatMap(({ final }, position) =>
    final === '' && position < word.length - 1 ? [position] : [],
  )
  if (open.length === 0) return undefined
  const position = random.pick(open)
  return insert(word, position + 1, partsOf(word.charAt(position)).vowel)
}

const insertOneOf =
  (choices: string): Obfuscation =>
  (word, random) =>
    insert(word, 1 + random.below(word.length - 1), random.pick(choices))

/** For words of two or more syllables. */
export const KOREAN_OBFUSCATIONS: Record<string, Obfuscation> = {
  plain: (word) => word,
  'split into jamo': splitJamo,
  'inserted vowel': repeatVowel,
  'inserted digit': insertOneOf('0123456789'),
  'inserted symbol': insertOneOf(SYMBOLS),
  spaces: (word) => [...word].join(' '),
  'zero width': (word, random) =>
    [...word].reduce((obfuscated, syllable) => obfuscated + random.pick(ZERO_WIDTHS) + syllable),
}

const insert = (word: string, position: number, inserted: string) =>
  word.slice(0, position) + inserted + word.slice(position)
