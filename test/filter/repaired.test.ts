import { describe, expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile/compile.ts'

/** What the filter once got wrong. */
type Row = readonly [expressions: readonly string[], text: string, seen: string]

const han = Array.from({ length: 200 }, (_, index) => String.fromCharCode(0x4e00 + index))
const ROWS: Record<string, Row[]> = {
  'an expression that ends in several signs': [
    [['no?!.'], 'no?!.', '*****'],
    [['a!!'], 'a!!!', '***!'],
    [['병신?'], '병신??', '***?'],
  ],
  'an expression with signs matches itself': [
    [['wtf?! no'], 'wtf?! no', '********'],
    [['<b>a</b>'], '<b>a</b>', '********'],
    [['시!발'], '시!발', '***'],
  ],
  'a word of another plane is spelled out': [
    [['fuck'], '𝐟 𝐮 𝐜 𝐤', '*******'],
    [['fuck'], 'f 𝐱 u c k', 'f 𝐱 u c k'],
  ],
  'kana of half the width, and with marks apart': [
    [['バカ'], 'ﾊﾞｶ', '**'],
    [['ババア'], 'ﾊﾞﾊﾞｱ', '***'],
    [['バカ'], 'は\u3099か', '**'],
    [['ﾊﾞｶ'], 'バカ', '**'],
    [['はか'], 'ﾊﾞｶ', 'ﾊﾞｶ'],
    [['ばか'], 'ばか\u3099', 'ばか\u3099'],
  ],
  'letters with emoji between them': [[['fuck'], 'f😀u😀c😀k', '*******']],
  'a list with many ideographs': [
    [han.map((each) => `我${each}${each}你`), `我${han[150]}${han[150]}你`, '****'],
    [han.map((each, index) => each + han[(index + 1) % 200]), `${han[193]}${han[194]}`, '**'],
  ],
  'the same text in another normal form': [
    [['enculé'], 'encule\u0301', '******'],
    [['хуй'], 'хуи\u0306', '***'],
    [['lồn'], 'lo\u0302\u0300n', '***'],
  ],
  'a short word with a vowel that is a mark': [[['หี'], 'หี', '*']],
  'letters that look alike end an expression': [
    [['li'], 'li', '**'],
    [['*oil*'], 'foiled', 'f***ed'],
    [['a|i'], 'a|i', '***'],
    [['각ㄱ'], '각ㄱ', '**'],
  ],
  'the sigma at the end of a word': [[['μαλάκας'], 'ΜΑΛΆΚΑΣ', '*******']],
  'an expression that would be one letter without its accents': [
    [['x\u0336'], 'x marks the spot', 'x marks the spot'],
    [['a\u20dd'], 'a cat', 'a cat'],
  ],
  'a sign between two words, or between single letters': [
    [['fuck'], 'hey!fuck you', 'hey!**** you'],
    [['fuck'], 'lol(fuck)', 'lol(****)'],
    [['fuck'], 'fuck@fuck', '****@****'],
    [['fuck'], 'f|u|c|k', '*******'],
    [['fuck'], 'f!u!c!k', '*******'],
  ],
  'a sign or digit beside a short word': [
    [['ass'], '@ass', '@***'],
    [['cum'], '(cum)', '(***)'],
    [['tit'], 'tit+', '***+'],
    [['fag'], 'fag9', '***9'],
  ],
  'signs at both edges of a word': [
    [['ass'], '(a$$)', '(***)'],
    [['shit'], '($hit)', '(****)'],
    [['cunt'], 'cun+ @you', 'cun+ @you'],
  ],
  'something that nobody sees': [
    [['shit'], 'sh!\u200bt', '*****'],
    [['ass'], '@\u200bss', '****'],
    [['fuck'], 'f\u{e0061}uck', '****'],
    [['fuck'], 'f\u{e0100}uck', '****'],
  ],
  'an open side': [
    [['*tit*'], 'attitude', 'at***ude'],
    [['fu*'], 'fuuuck', '**uuck'],
    [['*ab*'], 'abba', '**ba'],
    [['*fuck*'], 'f u c k', '*******'],
  ],
  'Hangul letters that end a syllable': [
    [['병신'], '벼ㅇ신', '***'],
    [['시발'], '시ㅣㅣ발', '****'],
  ],
  'an hour, and words that join across a sign': [
    [['시발'], '11시 발 열차', '11시 발 열차'],
    [['시발'], '12시,발표', '12시,발표'],
    [['시발'], '다시(발표)', '다시(발표)'],
    [['시발'], '시abc발 ㅋ', '시abc발 ㅋ'],
  ],
  'expressions that differ in the signs before them': [
    [['!word', 'word'], '!word', '*****'],
    [['word', '!word'], '!word', '*****'],
  ],
}

for (const [what, rows] of Object.entries(ROWS))
  describe(what, () => {
    for (const [expressions, text, seen] of rows)
      test(`${JSON.stringify(text)} is seen as ${seen}`, () => {
        const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
        expect(filter.clean(text, 'en').text).toBe(seen)
      })
  })

describe('masking twice is masking once', () => {
  test.each([
    [['foo bar', 'baz'], 'foo baz bar'],
    [['lol', 'bad'], 'lol@bad'],
    [['fuck', '*butt*'], 'f*ck*butt*'],
    [['fuck', 'shit'], 'fuck$hit'],
    [['좆'], '좆'.repeat(10)],
  ])('of %j: %j', (expressions, text) => {
    const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
    const once = filter.clean(text, 'en').text
    expect(filter.clean(once, 'en').text).toBe(once)
  })
})
