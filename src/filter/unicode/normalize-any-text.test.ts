import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { graphemeSegments } from 'unicode-segmenter/grapheme'
import { Kind, kindOf } from './characters.ts'
import { isNormalized, needsNormalization, normalize } from './normalize.ts'

const RLO = '\u202e'
const PDF = '\u202c'
const read = (text: string) => normalize(text).text

/** Letters, marks and signs of every script that a list may be written in, and whatever else Unicode contains. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x250, 0x36f],
  [0x370, 0x52f],
  [0x531, 0x6ff],
  [0x900, 0xdff],
  [0xe00, 0xeff],
  [0xf00, 0x10ff],
  [0x1100, 0x11ff],
  [0x1780, 0x18ff],
  [0x1d00, 0x20ff],
  [0x2100, 0x27ff],
  [0x3000, 0x33ff],
  [0x4e00, 0x4eff],
  [0xac00, 0xacff],
  [0xd800, 0xdfff],
  [0xf900, 0xffff],
  [0x1_1000, 0x1_17ff],
  [0x1_d400, 0x1_d7ff],
  [0x1_f100, 0x1_f6ff],
  [0x2_0000, 0x2_fa1f],
  [0xe_0000, 0xe_01ff],
] as const
const TROUBLESOME = [
  ...'aIßςｶﾞ゛1#e',
  RLO,
  PDF,
  '\n',
  '\u0301',
  '\u0323',
  '\u20e3',
  '\ufe0f',
  '\u200d',
  '\u200b',
]
const characters = fc.oneof(
  fc.constantFrom(...TROUBLESOME),
  fc
    .constantFrom(...RANGES)
    .chain(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))),
  fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code)),
)
const texts = fc.oneof(
  fc.array(characters, { maxLength: 40, size: 'max' }).map((each) => each.join('')),
  fc
    .constantFrom(...RANGES)
    .chain(([min, max]) => fc.array(fc.integer({ min, max }), { maxLength: 30, size: 'max' }))
    .map((codes) => String.fromCodePoint(...codes)),
)

const isVisible = (text: string) =>
  Array.from(text).some((each) => kindOf(each.codePointAt(0) ?? 0) !== Kind.ignorable)

/** fast-check prints the seed of a failure. */
const always = (check: (text: string) => void) => fc.assert(fc.property(texts, check), { numRuns: 3_000 })

describe('any text', () => {
  test('has spans within the source, one for each code unit', () =>
    always((text) => {
      const { text: reading, starts, ends } = normalize(text)
      expect([starts.length, ends.length]).toEqual([reading.length, reading.length])
      starts.forEach((start, at) => {
        expect(start >= 0 && start < (ends[at] ?? 0) && (ends[at] ?? 0) <= text.length).toBe(true)
      })
    }))
  test('has a span for every visible grapheme', () =>
    always((text) => {
      const { starts, ends } = normalize(text)
      const covered = new Uint8Array(text.length)
      for (const [at, start] of starts.entries()) covered.fill(1, start, ends[at])
      for (const { segment, index } of graphemeSegments(text))
        if (isVisible(segment))
          expect([segment, covered.subarray(index, index + segment.length).includes(1)]).toEqual([
            segment,
            true,
          ])
    }))
  test('reads the same when normalized again', () =>
    always((text) => {
      // Dropping what is between two halves of surrogate pairs joins them.
      const once = normalize(text.toWellFormed()).text
      expect(normalize(once).text).toBe(once)
    }))
  test('reads as it is where it is normalized', () =>
    always((text) => {
      for (const each of [text, normalize(text).text])
        if (isNormalized(each)) {
          const { text: reading, starts } = normalize(each)
          expect([reading, starts.length]).toEqual([each, each.length])
        }
    }))
  test('reads as it is where no unit needs normalization', () =>
    always((text) => {
      const plain = text
        .split('')
        .filter((unit) => !needsNormalization(unit.charCodeAt(0)))
        .join('')
      expect(normalize(plain).text).toBe(plain)
    }))
})

test('every character reads the same when normalized again', () => {
  const unstable: string[] = []
  for (let code = 0; code <= 0x3_ffff; code++) {
    const once = read(String.fromCodePoint(code))
    if (read(once) !== once) unstable.push(code.toString(16))
  }
  expect(unstable).toEqual([])
})

test('marks read the same in any canonical form', () => {
  const parts = Array.from(
    'aeoáậῳか\u0301\u0302\u0308\u0323\u031b\u033e\u0345\u3099\u0dd9\u0dcf\u0dca\u0928\u093c\u094d\u1100\u1161\u11a8',
  )
  const marked = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((each) => each.join(''))
  fc.assert(
    fc.property(marked, (text) => {
      for (const form of ['NFC', 'NFD']) expect(read(text.normalize(form))).toBe(read(text))
    }),
    { numRuns: 5_000 },
  )
})

test('every character reads the same when decomposed', () => {
  const different: string[] = []
  for (let code = 0; code <= 0x2_ffff; code++) {
    const character = String.fromCodePoint(code)
    if (kindOf(code) !== Kind.separator && read(character.normalize('NFD')) !== read(character))
      different.push(code.toString(16))
  }
  expect(different).toEqual([])
})

test('leaves ASCII as it is', () => {
  const ascii = String.fromCharCode(...Array(0x80).keys())
  expect(normalize(ascii)).toEqual({
    text: ascii,
    starts: Int32Array.from(ascii, (_, at) => at),
    ends: Int32Array.from(ascii, (_, at) => at + 1),
  })
  expect(Array.from(ascii).some((character) => needsNormalization(character.charCodeAt(0)))).toBe(false)
})
