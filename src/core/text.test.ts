import { describe, expect, test } from 'bun:test'
import { isLanguageCode, isMessageText, isName, normalizeName, readName } from './text.ts'

describe('names', () => {
  test.each([
    ['a plain word', 'Mina'],
    ['inner spaces', 'Mina the Great'],
    ['Hangul', '민아'],
    ['Devanagari with vowel signs', 'हिन्दी'],
    ['an emoji with a variation selector', '❤️'],
    ['a flag', '🇰🇷'],
    ['a skin tone', '👍🏽'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['a character newer than our Unicode data', '\u0378'],
    ['punctuation', '<b>&"\\'],
  ])('accepts %s', (_, name) => {
    expect(isName(name)).toBe(true)
  })

  test.each([
    ['an empty name', ''],
    ['a space', ' '],
    ['an ideographic space', '\u3000'],
    ['a zero-width space', '\u200b'],
    ['a word joiner', '\u2060'],
    ['a soft hyphen', '\u00ad'],
    ['a Hangul filler', '\u3164'],
    ['a Hangul choseong filler', '\u115f\u1160'],
    ['a halfwidth Hangul filler', '\uffa0'],
    ['a braille blank', '\u2800'],
    ['a combining grapheme joiner', '\u034f'],
    ['combining marks alone', '\u0301\u0302'],
    ['a combining grapheme joiner inside', 'ad\u034fmin'],
    ['a variation selector without effect', 'admin\ufe0f'],
    ['a Hangul filler inside', 'ad\u3164min'],
    ['a private-use character', 'a\ue000'],
    ['a noncharacter', 'a\uffff'],
    ['more stacked marks than any language uses', `a${'\u0345'.repeat(31)}`],
    ['a zero-width space inside', 'ad\u200bmin'],
    ['a right-to-left override', 'a\u202egnp.exe'],
    ['a bidi isolate', 'a\u2066b'],
    ['a tag character', 'a\u{e0041}'],
    ['a byte order mark', '\ufeffa'],
    ['a control character', 'a\u0007b'],
    ['a line break', 'a\nb'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
    ['a lone surrogate', 'a\ud800'],
    ['a leading space', ' a'],
    ['a trailing no-break space', 'a\u00a0'],
  ])('rejects %s', (_, name) => {
    expect(isName(name)).toBe(false)
  })

  test('are normalized to NFC before their length is checked', () => {
    expect(readName('cafe\u0301', 5)).toBe('caf\u00e9')
    expect(readName('\u1112\u1161\u11ab', 3)).toBe('한')
    expect(readName('cafe\u0301', 4)).toBeUndefined()
  })

  test('with stacked marks are rejected without being normalized', () => {
    const marks = `a${'\u0345'.repeat(1000)}${'\u0301'.repeat(1000)}${'\u0323'.repeat(1000)}`
    expect(normalizeName(marks, 1024)).toBe(marks)
    expect(readName(marks, 4096)).toBeUndefined()
  })

  test('of any length are validated quickly', () => {
    // Marks in the wrong order: sorting them by insertion takes quadratic time.
    const marks = '\u0301\u0316'.repeat(4_000_000)
    const before = process.cpuUsage()
    expect(normalizeName(marks, 128)).toBe(marks)
    expect(readName(marks, 128)).toBeUndefined()
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })
})

test('language codes have two or three letters and up to three subtags', () => {
  for (const code of ['ko', 'fil', 'ko-KR', 'ko_kr', 'zh-Hant-TW', 'en-GB-oxendict', 'all'])
    expect(isLanguageCode(code)).toBe(true)
  for (const code of ['', 'k', 'kore', 'ko-', 'ko-K', 'not a language!!', 'a-b', 'en-us-x1-x2-x3', 'ko\n'])
    expect(isLanguageCode(code)).toBe(false)
  expect(isLanguageCode(`en${'-aa'.repeat(8000)}`)).toBe(false)
})

test('messages may contain line breaks and format characters, but no control characters', () => {
  expect(isMessageText('a\r\nb 👨‍👩‍👧')).toBe(true)
  for (const text of ['a\0', '\u001b[31m', 'a\tb', '\ud800', '\u0085'])
    expect(isMessageText(text)).toBe(false)
})
