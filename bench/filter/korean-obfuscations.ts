import {
  dotted,
  insertedEmoji,
  type Obfuscation,
  type Obfuscations,
  reversed,
  softHyphens,
  spaced,
  splice,
  zeroWidth,
} from './obfuscations.ts'

const [FIRST_SYLLABLE, VOWEL_COUNT, FINAL_COUNT] = [0xac00, 21, 28]
const LEADS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const FINALS = ' ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'
const SYMBOLS = '@.!~-*'

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
  return splice(word, position + 1, 0, partsOf(word.charAt(position)).vowel)
}

const insertOneOf =
  (choices: string): Obfuscation =>
  (word, random) =>
    splice(word, 1 + random.below(word.length - 1), 0, random.pick(choices))

/** For words of two or more syllables. */
export const KOREAN_OBFUSCATIONS: Obfuscations = {
  plain: (word) => word,
  'split into jamo': splitJamo,
  'inserted vowel': repeatVowel,
  'inserted digit': insertOneOf('0123456789'),
  'inserted symbol': insertOneOf(SYMBOLS),
  'inserted emoji': insertedEmoji,
  's p a c e d': spaced,
  'd.o.t.t.e.d': dotted,
  'zero-width characters': zeroWidth,
  'soft hyphens': softHyphens,
  'decomposed (NFD)': (word) => word.normalize('NFD'),
  'reversed by RLO': reversed,
}
