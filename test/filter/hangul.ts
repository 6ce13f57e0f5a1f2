import type { Random } from './random.ts'

const [INITIALS, VOWELS, FINALS] = ['ㄱㄴㅅ', 'ㅏㅣ', ' ㄱㄴ']
const ALL_INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const ALL_VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const ALL_FINALS = ' ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'
export const INVISIBLE = '\u200b'
const BETWEEN = [' ', ' ', '.', '~', '1', '8', '@', '!', ' . ', '--', INVISIBLE]

const compose = (initial: string, vowel: string, final: string) =>
  String.fromCharCode(
    0xac00 +
      (ALL_INITIALS.indexOf(initial) * 21 + ALL_VOWELS.indexOf(vowel)) * 28 +
      ALL_FINALS.indexOf(final || ' '),
  )

/** The letters of a syllable of these few. */
export function spell(syllable: string): string {
  const index = syllable.charCodeAt(0) - 0xac00
  if (index < 0 || index > 11_171) return syllable
  const [initial, vowel, final] = [Math.floor(index / 588), Math.floor((index % 588) / 28), index % 28]
  return (ALL_INITIALS.charAt(initial) + ALL_VOWELS.charAt(vowel) + ALL_FINALS.charAt(final)).trim()
}

const makeSyllable = (random: Random, initials = INITIALS) =>
  compose(random.one(initials), random.one(VOWELS), random.one(FINALS).trim())

/** Words of one to three syllables, phrases, and words of loose letters. */
export function makeHangulExpressions(random: Random): string[] {
  const word = (below: number) => random.many(1, below, () => makeSyllable(random)).join('')
  return random.many(1, 4, () => {
    const loose = random.many(1, 4, () => random.one(INITIALS + VOWELS)).join('')
    if (random.once(4) && !isOneVowel(loose)) return loose
    return random.once(6) ? `${word(3)} ${word(3)}` : word(4)
  })
}

/** Several times the same vowel, which may also draw out the syllable before. */
const isOneVowel = (letters: string) => /^([ㅏㅣ])\1+$/.test(letters)

/** Noise with the expressions in it, written in all ways. */
export function makeHangulText(random: Random, expressions: readonly string[]): string {
  for (;;) {
    const pieces = random.many(1, 4, () =>
      random.once(3) ? makeNoise(random) : disguise(random, random.one(expressions)),
    )
    const text = pieces.join(random.one(['', ' ', ' ', '.', '1']))
    if (isDecidedHangul(text)) return text
  }
}

const makeNoise = (random: Random) =>
  random
    .many(0, 5, () => {
      const kind = random.below(4)
      if (kind === 0) return random.one(BETWEEN)
      return kind === 1 ? random.one(`${INITIALS}${VOWELS}ㅇ`) : makeSyllable(random, `${INITIALS}ㅇ`)
    })
    .join('')

function disguise(random: Random, expression: string): string {
  const between = random.once(3) ? random.one(BETWEEN) : ''
  return Array.from(expression, (syllable) => rewrite(random, syllable)).join(between)
}

function rewrite(random: Random, syllable: string): string {
  const letters = spell(syllable)
  if (letters.length === 1) return random.once(5) ? syllable.repeat(2) : syllable
  const [initial = '', vowel = '', final = ''] = letters
  switch (random.below(8)) {
    case 0:
      return letters
    case 1:
      return compose(initial, vowel, '') + final
    case 2:
      return syllable + letters.slice(-1)
    case 3:
      return compose(initial, vowel, '') + compose('ㅇ', vowel, final)
    default:
      return syllable
  }
}

/** Whether the rules say what to make of a text. They do not of an hour with something in it that nobody sees. */
export const isDecidedHangul = (text: string) =>
  !(text.includes(INVISIBLE) && /[18]\u200b?[ㄱ-ㅣ가-힣]/.test(text))
