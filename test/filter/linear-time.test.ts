import { expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import { ADVERSARIAL_TEXTS } from './adversarial-texts.ts'

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
/** 32 times the text takes about 32 times as long; quadratic time would take a thousand times as long. */
const MAX_RATIO = 10 * FACTOR
/** Milliseconds. Shorter times are below the resolution of the clock. */
const MIN_TIME = 0.05

/** Milliseconds of CPU time of the fastest run, so that other load on the machine does not count. */
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

test.each(Object.entries(ADVERSARIAL_TEXTS))('filters in linear time: %s', (_, piece) => {
  for (const language of ['en', 'ko']) {
    let ratio = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS && ratio > MAX_RATIO; attempt++)
      ratio =
        time(piece, FACTOR * SHORT, language, 1 + attempt) /
        Math.max(MIN_TIME, time(piece, SHORT, language, 5))
    expect(ratio).toBeLessThan(MAX_RATIO)
  }
})
