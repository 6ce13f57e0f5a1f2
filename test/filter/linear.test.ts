import { expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile.ts'

/** Texts that give an engine as much to do as they can, by the people who look for that. */
const BAIT = {
  a: 'a',
  as: 'as',
  ass: 'ass',
  'f and its end': 'fuc',
  'a word without end': 'fuck',
  'a word that is doubled': 'aabcd',
  'single letters': 'a ',
  'single letters with dots': 'a.',
  'letters and stars': 'a*',
  'starred words': 'f*ck ',
  separators: ' .-_',
  stars: '*',
  signs: '@$!',
  시: '시',
  '시 발': '시 발 ',
  시1발: '시1발',
  'loose jamo': 'ㅅㅣ',
  'drawn out': '시이',
  'spaced word': 'f u c k ',
  'dotted word': 'f.u.c.k.',
  'word with zero widths': 'f\u200Bu\u200Cc\u200Dk\u2060',
  'zero widths': '\u200B',
  accents: 'a\u0301\u0308',
  'full width': 'ａｓ',
  'maths bold': '𝐚𝐬',
  digits: '4515',
  listed: 'ass ',
  emoji: '👨‍👩‍👧',
  'lone halves': '\ud83d',
}

const words = [
  'fuck',
  'fucker',
  'motherfucker',
  'fuckface',
  'ass',
  'asshole',
  'shit',
  'aaaa',
  'as as',
  '*abcd*',
  '!!!',
]
const filter = compileFilter({
  lists: [
    { language: 'all', expressions: words },
    { language: 'ko', expressions: ['시발', '씨발', 'ㅅㅂ', '시 발 놈', 'ㅗ', '18놈'] },
  ],
  allowed: [{ language: 'all', expressions: ['kick ass'] }],
})

const [SHORT, LONG] = [4096, 16_384]
const RUNS = 7
const ATTEMPTS = 5
/** Four times as much text takes about four times as long; sixteen times would be a quadratic. */
const MOST = 10
/** Below this a clock tells nothing, in milliseconds. */
const LEAST = 0.2

/** Still quadratic; a test that begins to pass belongs above. */
const SLOW: Record<string, string> = {
  'the first letter of a word': 'f ',
  'signs behind nothing': '@\u200ba',
}
const [VERY_SHORT, MIDDLING] = [1024, 8192]
const MOST_OF_EIGHT = 24

/** The shortest of several runs, in milliseconds: the others are the machine's. */
function time(piece: string, length: number, language: string): number {
  const text = Buffer.from(
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
    'utf16le',
  ).toString('utf16le')
  const times = Array.from({ length: RUNS }, () => {
    const start = Bun.nanoseconds()
    filter.clean(text, language)
    return (Bun.nanoseconds() - start) / 1e6
  })
  return Math.min(...times)
}

test.each(Object.entries(BAIT))('four times as much text does not take ten times as long: %s', (_, piece) => {
  for (const language of ['en', 'ko']) {
    let ratio = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && ratio > MOST; attempt++)
      ratio = time(piece, LONG, language) / Math.max(LEAST, time(piece, SHORT, language))
    expect(ratio).toBeLessThan(MOST)
  }
})

test.failing.each(Object.entries(SLOW))('eight times as much text: %s', (_, piece) => {
  const ratio = time(piece, MIDDLING, 'en') / Math.max(LEAST, time(piece, VERY_SHORT, 'en'))
  expect(ratio).toBeLessThan(MOST_OF_EIGHT)
})
