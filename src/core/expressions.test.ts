import { describe, expect, test } from 'bun:test'
import { chunksOf, ExpressionIndex, packExpressions, unpackExpressions } from './expressions.ts'

const many = Array.from({ length: 30_000 }, (_, index) => `욕설 ${index}`)

describe.each([
  ['none', []],
  ['one', ['a']],
  ['some, with duplicates and spaces', ['a', ' b ', '"', '\\', 'a', '한 글', '👾']],
  ['many', many],
])('packing %s', (_, expressions) => {
  const packed = packExpressions(expressions)

  test('round-trips', () => {
    expect(packed.count).toBe(expressions.length)
    expect(unpackExpressions(packed)).toEqual(expressions)
  })

  test('yields chunks that cover the whole list', () => {
    expect([...chunksOf(packed)].flat()).toEqual(expressions)
  })

  test('supports lookup by index', () => {
    const index = new ExpressionIndex(packed)
    expect(expressions.map((_, position) => index.at(position))).toEqual(expressions)
    expect([index.at(expressions.length), index.at(-1)]).toEqual([undefined, undefined])
  })
})

test('chunks of a long list are bounded in size', () => {
  for (const chunk of chunksOf(packExpressions(many))) expect(chunk.join('').length).toBeLessThan(20_000)
})
