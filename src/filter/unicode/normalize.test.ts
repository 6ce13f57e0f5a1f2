import { describe, expect, test } from 'bun:test'
import { isNormalized, normalize } from './normalize.ts'

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
    ['e\u033e\u0301', 'é'],
    ['a\u0301\u0302', 'á'],
    ['á\u0323', 'ạ'],
    ['á\u0336', 'á'],
    ['ｶ\u20e3゛', 'ガ'],
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
    ['к\u0489', 'к'],
    ['e\u030b\u0301', 'e'],
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
  test('composes only what composes', () => {
    expect(read('\u{80391}\u0301\u{10061}\u0301')).toBe('\u{80391}\u{10061}')
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
    expect(read(`${RLO}q${'\u0dd9\u0301'.repeat(250_000)}${`b${RLO}${PDF}`.repeat(250_000)}`)).toMatch(
      /^b{250000}q$/,
    )
    expect(performance.now() - start).toBeLessThan(5_000)
  })
  test('keep graphemes whole', () => {
    expect(read(`${RLO}e\u0301a👍🏽ﬁ`)).toBe('fi👍🏽aé')
  })
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
