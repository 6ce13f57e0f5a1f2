import type { Random } from './random.ts'

const [INITIALS, VOWELS, FINALS] = ['ㄱㄴㅅ', 'ㅏㅣ', ' ㄱㄴ']
const ALL_INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'
const ALL_VOWELS = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'
const ALL_FINALS = ' ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'
export const INVISIBLE = '\u200b'
const FILLERS = [' ', ' ', '.', '~', '1', '8', '@', '!', ' . ', '--', INVISIBLE]

const compose = (initial: string, vowel: string, final: string) =>
  String.fromCharCode(
    0xac00 +
      (ALL_INITIALS.indexOf(initial) * 21 + ALL_VOWELS.indexOf(vowel)) * 28 +
      ALL_FINALS.indexOf(final || ' '),
  )

/** The jamo of a syllable. */
export function decompose(syllable: string): string {
  const index = syllable.charCodeAt(0) - 0xac00
  if (index < 0 || index > 11_171) return syllable
  const [initial, vowel, final] = [Math.floor(index / 588), Math.floor((index % 588) / 28), index % 28]
  return (ALL_INITIALS.charAt(initial) + ALL_VOWELS.charAt(vowel) + ALL_FINALS.charAt(final)).trim()
}

const makeSyllable = (random: Random, initials = INITIALS) =>
  compose(random.pick(initials), random.pick(VOWELS), random.pick(FINALS).trim())

/** Words of one to three syllables, and phrases. */
export function makeHangulExpressions(random: Random): string[] {
  const word = (below: number) => random.many(1, below, () => makeSyllable(random)).join('')
  return random.many(1, 4, () => (random.oneIn(6) ? `${word(3)} ${word(3)}` : word(4)))
}

/** Noise that contains the expressions, obfuscated in every way. */
export function makeHangulText(random: Random, expressions: readonly string[]): string {
  for (;;) {
    const pieces = random.many(1, 4, () =>
      random.oneIn(3) ? makeNoise(random) : obfuscate(random, random.pick(expressions)),
    )
    const text = pieces.join(random.pick(['', ' ', ' ', '.', '1']))
    if (isUnambiguousHangul(text)) return text
  }
}

const makeNoise = (random: Random) =>
  random
    .many(0, 5, () => {
      const kind = random.below(4)
      if (kind === 0) return random.pick(FILLERS)
      return kind === 1 ? random.pick(`${INITIALS}${VOWELS}ㅇ`) : makeSyllable(random, `${INITIALS}ㅇ`)
    })
    .join('')

function obfuscate(random: Random, expression: string): string {
  const filler = random.oneIn(3) ? random.pick(FILLERS) : ''
  return Array.from(expression, (syllable) => obfuscateSyllable(random, syllable)).join(filler)
}

function obfuscateSyllable(random: Random, syllable: string): string {
  const letters = decompose(syllable)
  if (letters.length === 1) return random.oneIn(5) ? syllable.repeat(2) : syllable
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

/** Whether the rules define a result for a text. They do not for a time of day that contains an invisible character. */
export const isUnambiguousHangul = (text: string) =>
  !(text.includes(INVISIBLE) && /[18]\u200b?[ㄱ-ㅣ가-힣]/.test(text))
