import { expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile/compile.ts'
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

const SHORT = 1024
const FACTOR = 32
const ATTEMPTS = 5
/** 32 times as much text takes about 32 times as long; a quadratic would take a thousand times. Ten times off is neither. */
const MOST = 10 * FACTOR
/** Below this a clock tells nothing, in milliseconds. */
const LEAST = 0.05

/** The least work of several runs, in milliseconds of this process alone: what else the machine does is not counted. */
function time(piece: string, length: number, language: string, runs: number): number {
  const text = Buffer.from(
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
    'utf16le',
  ).toString('utf16le')
  const times = Array.from({ length: runs }, () => {
    const start = process.cpuUsage()
    filter.clean(text, language)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test.each(Object.entries(BAITS))(
  'the time grows with the length of the text, not with its square: %s',
  (_, piece) => {
    for (const language of ['en', 'ko']) {
      let ratio = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < ATTEMPTS && ratio > MOST; attempt++)
        ratio =
          time(piece, FACTOR * SHORT, language, 1 + attempt) /
          Math.max(LEAST, time(piece, SHORT, language, 5))
      expect(ratio).toBeLessThan(MOST)
    }
  },
)
