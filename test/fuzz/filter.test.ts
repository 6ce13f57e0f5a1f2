import { expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import { isUnambiguousHangul, makeHangulExpressions, makeHangulText } from '../filter/hangul.ts'
import { findHangulByBruteForce } from '../filter/hangul-reference.ts'
import { Random } from '../filter/random.ts'
import { isUnambiguous, makeExpressions, makeText } from '../filter/random-texts.ts'
import { findByBruteForce, type Span } from '../filter/reference.ts'
import { chooseSeed, fuzzCases, NO_LIMIT } from './support.ts'

const seed = chooseSeed('filter')

/** Each list has its own language, so that one compilation covers them all. */
const LISTS = 100
const TEXTS = 200

interface Sublanguage {
  readonly makeExpressions: (random: Random) => string[]
  readonly makeText: (random: Random, expressions: readonly string[]) => string
  readonly isUnambiguous: (text: string) => boolean
  readonly findByBruteForce: (expressions: readonly string[], text: string) => Span[]
}

function compare(cases: number, kind: Sublanguage): void {
  const { makeExpressions, makeText, findByBruteForce } = kind
  const random = new Random(seed)
  for (let done = 0; done < cases; done += LISTS * TEXTS) {
    const lists = Array.from({ length: LISTS }, (_, index) => ({
      language: `x${index}`,
      expressions: makeExpressions(random),
    }))
    const filter = compileFilter({ lists, allowed: [] })
    for (const { language, expressions } of lists) {
      for (let n = 0; n < TEXTS; n++) {
        const text = makeText(random, expressions)
        const found = filter.find(text, language).map(({ start, end }) => ({ start, end }))
        const expected = findByBruteForce(expressions, text)
        if (!Bun.deepEquals(found, expected)) fail(expressions, text, kind)
      }
    }
  }
}

/** Shrinks the list and the text, then fails. */
function fail(expressions: readonly string[], text: string, kind: Sublanguage): never {
  const { findByBruteForce, isUnambiguous } = kind
  const differs = (list: readonly string[], some: string) => {
    return isUnambiguous(some) && !Bun.deepEquals(findAll(list, some), findByBruteForce(list, some))
  }
  const only = expressions.filter((each) => differs([each], text)).slice(0, 1)
  const list = only.length === 1 ? only : expressions
  let least = text
  for (let at = 0; at < [...least].length; ) {
    const shorter = [...least].toSpliced(at, 1).join('')
    if (differs(list, shorter)) [least, at] = [shorter, 0]
    else at++
  }
  const expected = findByBruteForce(list, least)
  expect({ seed, list, text: least, found: findAll(list, least) }).toEqual({
    seed,
    list,
    text: least,
    found: expected,
  })
  throw new Error(`Fails only with the whole list: ${JSON.stringify({ expressions, text })}`)
}

const findAll = (expressions: readonly string[], text: string) =>
  compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
    .find(text, 'en')
    .map(({ start, end }) => ({ start, end }))

test(
  'finds the same hits as brute force in Latin text',
  () => compare(Math.max(40_000, fuzzCases), { makeExpressions, makeText, isUnambiguous, findByBruteForce }),
  NO_LIMIT,
)

test(
  'finds the same hits as brute force in Hangul text',
  () =>
    compare(Math.max(20_000, fuzzCases), {
      makeExpressions: makeHangulExpressions,
      makeText: makeHangulText,
      isUnambiguous: isUnambiguousHangul,
      findByBruteForce: findHangulByBruteForce,
    }),
  NO_LIMIT,
)
