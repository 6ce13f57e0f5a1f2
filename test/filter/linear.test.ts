import { expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile.ts'
import { BAITS } from './baits.ts'

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

test.each(Object.entries(BAITS))(
  'four times as much text does not take ten times as long: %s',
  (_, piece) => {
    for (const language of ['en', 'ko']) {
      let ratio = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < ATTEMPTS && ratio > MOST; attempt++)
        ratio = time(piece, LONG, language) / Math.max(LEAST, time(piece, SHORT, language))
      expect(ratio).toBeLessThan(MOST)
    }
  },
)
