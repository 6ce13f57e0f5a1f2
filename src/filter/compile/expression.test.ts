import { describe, expect, test } from 'bun:test'
import { compileFilter } from './compile.ts'

/** Each row is a list of its own: what it holds, and what becomes of texts. */
type Row = readonly [expressions: readonly string[], seen: Readonly<Record<string, string>>]

const MEANINGS: Record<string, Row[]> = {
  'a word is a whole word': [
    [
      ['cat'],
      { cat: '***', 'a cat!': 'a ***!', cats: 'cats', concat: 'concat', cat5: '***5', '5cat': '5cat' },
    ],
    [['go'], { go: '**', GO: '**', g0: 'g0', goo: 'goo', gooo: 'gooo', ego: 'ego', 'g o': 'g o' }],
    [['x'], { x: '*', 'X!': '*!', xx: 'xx', 'x\u200b': '*\u200b' }],
    [['né'], { né: '**', NÉ: '**', ne: 'ne' }],
  ],
  'a star at an end opens that side': [
    [['cat*'], { cat: '***', cats: '***s', catalogue: '***alogue', concat: 'concat' }],
    [['*cat'], { cat: '***', concat: 'con***', cats: 'cats' }],
    [['*cat*'], { concatenate: 'con***enate', CATS: '***S' }],
    [['*go*'], { ego: 'e**', goat: '**at', eg0: 'eg0' }],
    [['시발*'], { 시발놈: '**놈' }],
  ],
  'a star opens nothing where fewer than two letters remain': [
    [['x*'], { x: 'x', 'x*': '**', xy: 'xy' }],
    [['*x'], { '*x': '**', yx: 'yx' }],
    [['*'], { a: 'a', '2 * 3': '2 * 3' }],
    [['**'], { a: 'a', '**': '**', abc: 'abc' }],
    [['*!*'], { hi: 'hi', 'hi!': 'hi!' }],
  ],
  'a star within is a star': [
    [['f*ck'], { 'f*ck': '****', fuck: 'fuck', fck: 'fck' }],
    [['a*b*c'], { 'a*b*c': '*****', abc: 'abc', axbxc: 'axbxc' }],
  ],
  'what looks like a pattern is none': [
    [['.*'], { abc: 'abc', 'a.b': 'a.b', '.*': '**' }],
    [['[a-z]+'], { abc: 'abc', '[a-z]+': '******' }],
    [['(a|b)'], { ab: 'ab', 'a b': 'a b', '(a|b)': '*****' }],
    [['a\\b'], { 'a\\b': '***', ab: 'ab' }],
    [['\\d\\w'], { '5a': '5a', '\\d\\w': '****' }],
    [['a{2}'], { aa: 'aa', 'a{2}': '****' }],
    [['^hi$'], { hi: 'hi', '^hi$': '****' }],
    [['$&'], { a: 'a', '$&': '**' }],
    [['%s'], { '%s': '**', s: 's' }],
  ],
  'a phrase may have anything between its words': [
    [['dumb ass'], { 'dumb ass': '********', 'dumb-ass': '********', 'dumb, ass!': '*********!' }],
    [['dumb ass'], { 'dumb \n  ass': '***********', dumbass: 'dumbass', 'dumb big ass': 'dumb big ass' }],
    [['a  b c'], { 'a b c': '*****', 'a.b.c': '*****', abc: 'abc' }],
    [['미친 놈'], { '미친 놈': '****', '미친.놈': '****', 미친놈: '미친놈' }],
  ],
  'spaces around it mean nothing': [[[' cat '], { cat: '***', 'a cat': 'a ***', concat: 'concat' }]],
  'signs are exactly those': [
    [['s&m'], { 's&m': '***', 'S&M!': '***!', '5m': '5m', sm: 'sm', 's & m': 's & m', 's+m': 's+m' }],
    [['a$$'], { a$$: '***', ass: 'ass', a$: 'a$' }],
    [['c++'], { 'c++': '***', c: 'c', 'c+': 'c+', ctt: 'ctt' }],
    [['병신??'], { '병신??': '****', 병신: '병신' }],
    [['@everyone'], { '@everyone': '*********', everyone: 'everyone' }],
    [['hello, world'], { 'hello, world!': '************!', 'hello world': 'hello world' }],
    [['a - b'], { 'a - b': '*****', 'a b': 'a b' }],
    [['!!!'], { '!!!': '***', '!!': '!!', 'no!!!': 'no***' }],
  ],
  'digits are exactly those': [
    [['a55'], { a55: '***', A55: '***', ass: 'ass', a5: 'a5', a555: 'a555' }],
    [['18놈'], { '18놈': '***', 놈: '놈', '18 놈': '18 놈', '118놈': '118놈', '1놈': '1놈' }],
    [['씨8'], { 씨8: '**', 씨: '씨', 씨발: '씨발', 씨88: '씨88' }],
    [['88'], { '88': '**', '188': '188', '8:8': '8:8', bb: 'bb' }],
  ],
  'loose Hangul letters match only such letters': [
    [['ㄷㅓㄴ'], { ㄷㅓㄴ: '***', 던: '던', 던전: '던전' }],
    [['ㅂㅓ'], { 버: '버', ㅂㅓ: '**' }],
    [['ㅗ'], { ㅗ: '*', ㅗㅗ: '**', 고: '고', 오: '오', '엿 ㅗ': '엿 *' }],
  ],
  'Hangul syllables match loose letters too, from syllable to syllable': [
    [['씹'], { 씹: '*', ㅆㅣㅂ: '***', 씨발: '씨발', 씨바: '씨바' }],
    [['시발'], { ㅅㅣㅂㅏㄹ: '*****', 십알: '십알', 시바라: '시바라' }],
  ],
  'one syllable or ideograph counts only where a word begins': [
    [['좆'], { 좆: '*', 좆같네: '*같네', 해좆: '해좆' }],
    [['妈'], { 妈: '*', 妈妈: '妈妈', 姨妈: '姨妈' }],
  ],
  'signs of another style are those signs': [
    [['ⓐ'], { 'ⓐ': '*', a: 'a', A: 'A' }],
    [['㉻'], { '㉻': '*', 감: '감' }],
  ],
  'an expression takes nothing away from another': [
    [['ass', '$$$'], { a$$: '***', $$$: '***' }],
    [['fuck', '**'], { 'f*ck': '****', 'a ** b': 'a ** b' }],
    [['shit', '!!'], { 'sh!t!!': '******' }],
  ],
  'beyond the first plane': [
    [['🖕'], { 'x🖕y': 'x*y', '👍': '👍' }],
    [['𨳒'], { 𨳒: '*' }],
    [['𠮷野'], { 𠮷野家: '**家', 野: '野' }],
    [['𞤀𞤁𞤂'], { 𞤀𞤁𞤂: '***', 𞤀𞤁: '𞤀𞤁' }],
  ],
  'scripts without spaces match within words': [
    [['傻逼'], { 你是傻逼吗: '你是**吗' }],
    [['ควย'], { ไอ้ควย: 'ไอ้***' }],
  ],
  'nothing that could be seen is nothing': [
    [['\u200b'], { 'a\u200bb': 'a\u200bb', '\u200b': '\u200b' }],
    [['\u00ad\u2060\u3164'], { abc: 'abc' }],
    [['\u0301'], { 'e\u0301': 'e\u0301' }],
    [[''], { abc: 'abc', '': '' }],
    [[' '], { 'a b': 'a b' }],
  ],
  'right-to-left text': [
    [['זבל'], { זבל: '***', 'איזה זבל': 'איזה ***' }],
    [['בן זונה'], { 'יא בן זונה!': 'יא *******!' }],
    [['\u202eabc\u202c'], { abc: '***', '\u202eabc\u202c': '\u202e***\u202c', cba: 'cba' }],
  ],
  'lone surrogates': [
    [['a\ud83d'], { 'a\ud83d': '**', a: 'a', 'a😀': 'a😀' }],
    [['\udc00abc'], { '\udc00abc': '****', abc: 'abc' }],
  ],
}

for (const [meaning, rows] of Object.entries(MEANINGS))
  describe(meaning, () => {
    for (const [expressions, seen] of rows) {
      const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
      test(JSON.stringify(expressions), () => {
        const found = Object.keys(seen).map((text) => [text, filter.clean(text, 'en').text])
        expect(Object.fromEntries(found)).toEqual(seen)
      })
    }
  })

describe('as long as an expression may be, of one symbol', () => {
  test.each(['a', 'l', '1', '!', '(', '\\', '*', '한', 'ㅋ', '漢', 'ひ', 'ж', '𝐚'])('%s', (symbol) => {
    const expression = symbol.repeat(128)
    const filter = compileFilter({ lists: [{ language: 'all', expressions: [expression] }], allowed: [] })
    expect(filter.clean(expression, 'en').text).toBe('*'.repeat(128))
    for (const text of [symbol, symbol.repeat(64), 'zq zq zq']) expect(filter.find(text, 'en')).toEqual([])
  })
})
