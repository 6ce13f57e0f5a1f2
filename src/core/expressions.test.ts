import { describe, expect, test } from 'bun:test'
import { chunksOf, ExpressionIndex, packExpressions, unpackExpressions } from './expressions.ts'

const many = Array.from({ length: 30_000 }, (_, index) => `욕설 ${index}`)

describe.each([
  ['none', []],
  ['one', ['a']],
  ['some, with doubles and spaces', ['a', ' b ', '"', '\\', 'a', '한 글', '👾']],
  ['many', many],
])('a packed list of %s', (_, expressions) => {
  const packed = packExpressions(expressions)

  test('comes back as it was', () => {
    expect(packed.count).toBe(expressions.length)
    expect(unpackExpressions(packed)).toEqual(expressions)
  })

  test('comes in pieces that are all of it', () => {
    expect([...chunksOf(packed)].flat()).toEqual(expressions)
  })

  test('is found by place', () => {
    const index = new ExpressionIndex(packed)
    expect(expressions.map((_, place) => index.at(place))).toEqual(expressions)
    expect([index.at(expressions.length), index.at(-1)]).toEqual([undefined, undefined])
  })
})

test('no piece of a long list is long', () => {
  for (const piece of chunksOf(packExpressions(many))) expect(piece.join('').length).toBeLessThan(20_000)
})
