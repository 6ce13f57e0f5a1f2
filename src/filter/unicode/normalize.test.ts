import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { graphemeSegments } from 'unicode-segmenter/grapheme'
import { Kind, kindOf } from './characters.ts'
import { isNormalized, needsNormalization, normalize } from './normalize.ts'

const RLO = '\u202e'
const PDF = '\u202c'

const read = (text: string) => normalize(text).text
/** What each code unit of the reading was in the source. */
const sources = (text: string) => {
  const { starts, ends } = normalize(text)
  return Array.from(starts, (start, at) => text.slice(start, ends[at]))
}

describe('invisible characters', () => {
  test.each([
    '\u200b',
    '\u00ad',
    '\u2060',
    '\ufeff',
    '\u3164',
    '\u115f',
    '\u2066',
    '\u200e',
    '\u{e0001}',
    '\u180e',
  ])('drops %j', (invisible) => {
    expect(read(`${invisible}wo${invisible}rd${invisible}`)).toBe('word')
    expect(sources(`${invisible}wo${invisible}rd${invisible}`)).toEqual(['w', 'o', 'r', 'd'])
  })
  test('keeps selectors and joiners in the span of their character', () => {
    expect(sources('f\u200du\ufe0fn')).toEqual(['f\u200d', 'u\ufe0f', 'n'])
    expect(sources('❤\ufe0f!')).toEqual(['❤\ufe0f', '!'])
    expect(sources('a\u200b\ufe0fb')).toEqual(['a', 'b'])
    expect(sources('𠮷\u{e0100}')).toEqual(['𠮷\u{e0100}', '𠮷\u{e0100}'])
  })
  test('reads an emoji sequence as its emoji', () => {
    expect(read('👨‍👩‍👧 🏳️‍🌈 👍🏽 🇰🇷')).toBe('👨👩👧 🏳🌈 👍🏽 🇰🇷')
    expect(read('🏴\u{e0067}\u{e0062}\u{e007f}')).toBe('🏴')
  })
  test('reads a Braille blank as a space', () => {
    expect(read('a\u2800b\u00a0c\u2009d')).toBe('a b c d')
  })
})

describe('marks', () => {
  test.each([
    ['e\u0301', 'é'],
    ['a\u0302\u0323', 'ậ'],
    ['I\u0307', 'İ'],
    ['и\u0306', 'й'],
    ['α\u0301', 'ά'],
    ['\u0c46\u0c56', '\u0c48'],
    ['\u0d46\u0d3e', '\u0d4a'],
    ['\u0dd9\u0dcf', '\u0ddc'],
    ['\u0dd9\u0301\u0dcf', '\u0ddc'],
    ['\u1025\u102e', '\u1026'],
    ['\u1112\u1161\u11ab', '한'],
    ['하\u11ab', '한'],
    ['か\u3099ハ\u309a', 'がパ'],
    ['か゛は゜', 'がぱ'],
    ['ｶﾞﾊﾟｱ', 'ガパア'],
    ['ห\u0e4d\u0e32', 'ห\u0e33'],
    ['น\u0e4d\u0e49\u0e32', 'น\u0e49\u0e33'],
    ['\u0958', '\u0915\u093c'],
  ])('composes %j to %j', (decomposed, composed) => {
    expect(read(decomposed)).toBe(composed)
    expect([...new Set(sources(decomposed))].join('')).toBe(decomposed)
    expect(read(composed)).toBe(composed)
  })
  test('gives each unit of a decomposed am the whole letter', () => {
    const whole = 'น\u0e4d\u0e49\u0e32'
    expect(sources(whole)).toEqual([whole, whole, whole])
  })
  test('composes across invisible characters', () => {
    expect(normalize('ke\u200b\u0301k')).toEqual({
      text: 'kék',
      starts: Int32Array.of(0, 1, 4),
      ends: Int32Array.of(1, 4, 5),
    })
  })
  test.each([
    ['f\u0336u\u0336', 'fu'],
    ['e\u033e\u0301', 'e'],
    ['к\u0489', 'к'],
    ['ζ\u033e', 'ζ'],
    ['שָׁלוֹם', 'שלום'],
    ['كَلْب', 'كلب'],
    ['كـــلب', 'كلب'],
    ['f\u0e47u\u0e47', 'fu'],
  ])('drops the decoration of %j', (decorated, plain) => {
    expect(read(decorated)).toBe(plain)
    expect(sources(decorated).join('')).toBe(decorated)
  })
  test.each(['ที่นี่', 'हिन्दी', 'தமிழ்', 'မြန်မာ', 'ខ្មែរ', 'བོད'])('keeps the vowels of %s', (word) => {
    expect(read(word)).toBe(word)
    expect(sources(word)).toEqual(word.split(''))
  })
  test('reads jamo that form no syllable as standalone jamo', () => {
    expect(read('\u1109\u1107 각\u11a8')).toBe('ㅅㅂ 각ㄱ')
    expect(sources('\u1109\u1161\u1161')).toEqual(['\u1109\u1161\u1161', '\u1109\u1161\u1161'])
  })
  test.each([
    '\u0301',
    '\u0316\u0301',
    '\u0e38\u0e48',
    '\u0dd9\u0301\u0dcf',
    '\u0e4d\u0e32',
    '\u1161',
    '\u200d',
  ])('reads a megabyte of %j in linear time', (mark) => {
    const long = `q${mark.repeat(1_000_000 / mark.length)}b`
    const start = performance.now()
    const { text, ends } = normalize(long)
    expect(performance.now() - start).toBeLessThan(5_000)
    expect([text.at(0), text.at(-1), ends.at(-1)]).toEqual(['q', 'b', long.length])
  })
})

describe('styled letters', () => {
  test.each([
    ['Ｆｕｃｋ', 'Fuck'],
    ['𝐅𝓾𝖼𝚔', 'Fuck'],
    ['Ⓕⓤ🅒🅺🄺', 'FuCKK'],
    ['ᶠᵘᶜᵏ ₓₐ', 'fuck xa'],
    ['ꜰᴜᴄᴋ ɪʟ', 'fuck il'],
    ['⒜㉮㈀ﾡ', 'a가ㄱㄱ'],
    ['①²₃４𝟓', '12345'],
    ['𝛂ϑ', 'αθ'],
    ['ﻛﻠﺐ', 'كلب'],
    ['ﾊﾞｶ㋐', 'バカア'],
    ['⼈豈丽', '人豈丽'],
  ])('reads %s as %s', (styled, plain) => {
    expect(read(styled)).toBe(plain)
  })
  test.each([
    ['ß', 'ss'],
    ['ẞ', 'SS'],
    ['ﬁ', 'fi'],
    ['ﬀ', 'ff'],
    ['Ĳ', 'IJ'],
    ['ǆ', 'dž'],
    ['㎏', 'kg'],
    ['⑽', '10'],
    ['ﻼ', 'لا'],
  ])('expands %s to %s', (character, letters) => {
    expect(read(`a${character}b`)).toBe(`a${letters}b`)
    expect(sources(`a${character}b`)).toEqual(['a', ...Array.from(letters, () => character), 'b'])
  })
  test('reads the final sigma as a sigma', () => {
    expect(read('πούτσος ΠΟΎΤΣΟΣ')).toBe('πούτσοσ ΠΟΎΤΣΟΣ')
  })
  test('gives both halves of a surrogate pair the whole character', () => {
    expect(sources('a😀😀ß')).toEqual(['a', '😀', '😀', '😀', '😀', 'ß', 'ß'])
  })
  test('reads a keycap as a sign', () => {
    expect(read('1️⃣2⃣#️⃣f⃣')).toBe('□□□f')
    expect(sources('1️⃣')).toEqual(['1️⃣'])
  })
  test.each([
    '™',
    '©',
    '½',
    'ำ',
    '🇺🇸',
    'é',
    'I',
    'İ',
    'ı',
    '！',
    '。',
    '　',
    '傻',
    'ア',
    '가',
    'ㄱ',
    '🖕',
    '𠮷',
  ])('leaves %s as it is', (character) => expect(read(character)).toBe(character))
})

describe('right-to-left overrides', () => {
  test('reads what they reverse', () => {
    expect(normalize(`a${RLO}kcuf${PDF}b`)).toEqual({
      text: 'afuckb',
      starts: Int32Array.of(0, 5, 4, 3, 2, 7),
      ends: Int32Array.of(1, 6, 5, 4, 3, 8),
    })
  })
  test('end at the end of the line or of the text', () => {
    expect(read(`${RLO}ba\nab`)).toBe('ab\nab')
    expect(read(`ab${RLO}ba`)).toBe('abab')
  })
  test('contain embedded directions', () => {
    expect(read(`${RLO}c\u202bb${PDF}a${PDF}de`)).toBe('abcde')
  })
  test('are read in linear time', () => {
    const start = performance.now()
    expect(read(`${RLO}a${'\u0dd9\u0301'.repeat(250_000)}${`b${RLO}${PDF}`.repeat(250_000)}`)).toMatch(
      /^b{250000}a$/,
    )
    expect(performance.now() - start).toBeLessThan(5_000)
  })
  test('keep graphemes whole', () => {
    expect(read(`${RLO}e\u0301a👍🏽ﬁ`)).toBe('fi👍🏽aé')
  })
})

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
    'aeoậωか\u0301\u0302\u0308\u0323\u031b\u033e\u0345\u3099\u0dd9\u0dcf\u0dca\u0928\u093c\u094d\u1100\u1161\u11a8',
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

test.each([
  'Привет, как дела? 안녕하세요 傻逼',
  'อยู่ที่นี่ครับ น้ำ',
  'हिन्दी में लिखो',
  'தமிழ் மொழி பாடம்',
  'မြန်မာ ភាសាខ្មែរ ລາວ',
  'なにこれ！ ガンダム　です。 👍🖕🎉🤣 𠮷',
  'déjà vu, ¿qué?',
])('knows that %s is normalized', (text) => expect(isNormalized(text)).toBe(true))

test.each([
  'f\u0e47uck',
  'กุ่'.split('').toReversed().join(''),
  '\u0bc6\u0bbe',
  'ß',
  'e\u0301',
  `${RLO}a`,
  'ก\u0e4d\u0e32',
  '\u0c46\u0c4d\u0c56',
  `ก${'ิ'.repeat(40)}`,
])('knows that %j is not normalized', (text) => expect(isNormalized(`ab ${text} cd`)).toBe(false))

test('leaves ASCII as it is', () => {
  const ascii = String.fromCharCode(...Array(0x80).keys())
  expect(normalize(ascii)).toEqual({
    text: ascii,
    starts: Int32Array.from(ascii, (_, at) => at),
    ends: Int32Array.from(ascii, (_, at) => at + 1),
  })
  expect(Array.from(ascii).some((character) => needsNormalization(character.charCodeAt(0)))).toBe(false)
})
