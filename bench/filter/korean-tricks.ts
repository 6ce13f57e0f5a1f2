import type { Trick } from './tricks.ts'

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

const split: Trick = (word) =>
  Array.from(word, (syllable) => {
    const { lead, vowel, final } = partsOf(syllable)
    return lead + vowel + final
  }).join('')

/** After a syllable that ends in that vowel. */
const vowelAgain: Trick = (word, random) => {
  const open = Array.from(word, partsOf).flatMap(({ final }, place) =>
    final === '' && place < word.length - 1 ? [place] : [],
  )
  if (open.length === 0) return undefined
  const place = random.pick(open)
  return insert(word, place + 1, partsOf(word.charAt(place)).vowel)
}

const oneBetween =
  (choices: string): Trick =>
  (word, random) =>
    insert(word, 1 + random.below(word.length - 1), random.pick(choices))

/** How words of two syllables and more are hidden. */
export const KOREAN_TRICKS: Record<string, Trick> = {
  plain: (word) => word,
  'jamo split': split,
  'vowel put in': vowelAgain,
  'digit put between': oneBetween('0123456789'),
  'symbol put between': oneBetween(SYMBOLS),
  spaces: (word) => [...word].join(' '),
  'zero width': (word, random) =>
    [...word].reduce((hidden, syllable) => hidden + random.pick(ZERO_WIDTHS) + syllable),
}

const insert = (word: string, place: number, inserted: string) =>
  word.slice(0, place) + inserted + word.slice(place)
