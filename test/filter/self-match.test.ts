import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import { chooseSeed, fuzzCases } from '../fuzz/support.ts'
import { expressionsIn, SCRIPTS } from './scripts.ts'
import { findMismatches } from './self-match.ts'

const STARTERS = path.join(import.meta.dir, '../../starters')
const LISTED_AT_ONCE = 40
const seed = chooseSeed('self-match')
const numRuns = Math.ceil(fuzzCases / 1000)

const compileList = (language: string, expressions: readonly string[]) =>
  compileFilter({ lists: [{ language, expressions }], allowed: [] })

describe('an expression of a starter matches itself', () => {
  const files = readdirSync(STARTERS).filter((name) => name.endsWith('.txt'))
  test.each(files)('%s', (file) => {
    const language = path.basename(file, '.txt')
    const expressions = readFileSync(path.join(STARTERS, file), 'utf8').trim().split('\n')
    for (const listedAs of [language, 'all'])
      expect(findMismatches(compileList(listedAs, expressions), { language, expressions }, language)).toEqual(
        [],
      )
  })
})

/** Where nonsense does not respect syllables or words, it does not match inside other text. */
const UNSPACED = ['zh', 'ko']

describe('any expression matches itself', () => {
  test.each(Object.entries(SCRIPTS))('%s', (_, script) => {
    const { language } = script
    const lists = fc.array(expressionsIn(script), { minLength: 1, maxLength: LISTED_AT_ONCE, size: 'max' })
    fc.assert(
      fc.property(lists, fc.constantFrom(language, 'all'), (expressions, listedAs) => {
        const filter = compileList(listedAs, expressions)
        const mismatches = findMismatches(filter, { language, expressions }, language)
        const relevant = mismatches.filter(
          ({ variant }) => variant !== 'other text' || UNSPACED.includes(language),
        )
        expect(relevant).toEqual([])
      }),
      { seed, numRuns },
    )
  })
})
