import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { packWords } from '../../../scripts/dictionaries/pack.ts'
import { unpackWords } from './packed-words.ts'

const word = fc.string({ unit: fc.constantFrom(...'abcdeéжя'), minLength: 1, maxLength: 24 })

describe('packed words', () => {
  test('unpack to the same words', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 400 }), (words) => {
        const sorted = [...new Set(words)].sort()
        expect(unpackWords(packWords(sorted))).toBe(sorted.map((each) => `${each}\n`).join(''))
      }),
    )
  })

  test('replace frequent pairs', () => {
    const words = Array.from(
      { length: 60 },
      (_, index) => `${String.fromCharCode(97 + (index % 26))}${'inging'.slice(index % 5)}${index}`,
    ).map((each) => each.replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? ''))
    const sorted = [...new Set(words)].sort()
    const packed = packWords(sorted)
    expect(packed.pairs).not.toBe('')
    expect(unpackWords(packed).split('\n').slice(0, -1)).toEqual(sorted)
  })

  test('ignore line breaks between symbols', () => {
    const packed = packWords(['abandon', 'abandoned', 'abandons'])
    expect(unpackWords({ ...packed, symbols: [...packed.symbols].join('\n') })).toBe(
      'abandon\nabandoned\nabandons\n',
    )
  })
})
