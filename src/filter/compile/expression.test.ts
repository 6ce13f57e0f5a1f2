import { describe, expect, test } from 'bun:test'
import { compileFilter } from './compile.ts'

/** Each row is a list of its own: its expressions, and texts with their masked form. */
type Row = readonly [expressions: readonly string[], masked: Readonly<Record<string, string>>]

const RULES: Record<string, Row[]> = {
  'a word matches whole words': [
    [
      ['cat'],
      { cat: '***', 'a cat!': 'a ***!', cats: '****', concat: 'concat', cat5: '***5', '5cat': '5cat' },
    ],
    [['go'], { go: '**', GO: '**', g0: 'g0', goo: 'goo', gooo: 'gooo', ego: 'ego', 'g o': 'g o' }],
    [['x'], { x: '*', 'X!': '*!', xx: 'xx', 'x\u200b': '*\u200b' }],
    [['né'], { né: '**', NÉ: '**', ne: 'ne' }],
  ],
  'a leading or trailing star opens that side': [
    [['cat*'], { cat: '***', cats: '***s', catalogue: '***alogue', concat: 'concat' }],
    [['*cat'], { cat: '***', concat: 'con***', cats: 'cats' }],
    [['*cat*'], { concatenate: 'con***enate', CATS: '***S' }],
    [['*go*'], { ego: 'e**', goat: '**at', eg0: 'eg0' }],
    [['시발*'], { 시발놈: '**놈' }],
  ],
  'a star is literal if fewer than two letters remain': [
    [['x*'], { x: 'x', 'x*': '**', xy: 'xy' }],
    [['*x'], { '*x': '**', yx: 'yx' }],
    [['*'], { a: 'a', '2 * 3': '2 * 3' }],
    [['**'], { a: 'a', '**': '**', abc: 'abc' }],
    [['*!*'], { hi: 'hi', 'hi!': 'hi!' }],
  ],
  'an inner star is literal': [
    [['f*ck'], { 'f*ck': '****', fuck: 'fuck', fck: 'fck' }],
    [['a*b*c'], { 'a*b*c': '*****', abc: 'abc', axbxc: 'axbxc' }],
  ],
  'regular expression syntax is literal': [
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
  'any separators may stand between the words of a phrase': [
    [['dumb ass'], { 'dumb ass': '********', 'dumb-ass': '********', 'dumb, ass!': '*********!' }],
    [['dumb ass'], { 'dumb \n  ass': '***********', dumbass: 'dumbass', 'dumb big ass': 'dumb big ass' }],
    [['a  b c'], { 'a b c': '*****', 'a.b.c': '*****', abc: 'abc' }],
    [['미친 놈'], { '미친 놈': '****', '미친.놈': '****', 미친놈: '미친놈' }],
  ],
  'leading and trailing spaces are ignored': [
    [[' cat '], { cat: '***', 'a cat': 'a ***', concat: 'concat' }],
  ],
  'punctuation is literal': [
    [['s&m'], { 's&m': '***', 'S&M!': '***!', '5m': '5m', sm: 'sm', 's & m': 's & m', 's+m': 's+m' }],
    [['a$$'], { a$$: '***', ass: 'ass', a$: 'a$' }],
    [['c++'], { 'c++': '***', c: 'c', 'c+': 'c+', ctt: 'ctt' }],
    [['병신??'], { '병신??': '****', 병신: '병신' }],
    [['@everyone'], { '@everyone': '*********', everyone: 'everyone' }],
    [['hello, world'], { 'hello, world!': '************!', 'hello world': 'hello world' }],
    [['a - b'], { 'a - b': '*****', 'a b': 'a b' }],
    [['!!!'], { '!!!': '***', '!!': '!!', 'no!!!': 'no***' }],
  ],
  'digits are literal': [
    [['a55'], { a55: '***', A55: '***', ass: 'ass', a5: 'a5', a555: 'a555' }],
    [['18놈'], { '18놈': '***', 놈: '놈', '18 놈': '18 놈', '118놈': '118놈', '1놈': '1놈' }],
    [['씨8'], { 씨8: '**', 씨: '씨', 씨발: '씨발', 씨88: '씨88' }],
    [['88'], { '88': '**', '188': '188', '8:8': '8:8', bb: 'bb' }],
  ],
  'standalone jamo match only standalone jamo': [
    [['ㄷㅓㄴ'], { ㄷㅓㄴ: '***', 던: '던', 던전: '던전' }],
    [['ㅂㅓ'], { 버: '버', ㅂㅓ: '**' }],
    [['ㅗ'], { ㅗ: '*', ㅗㅗ: '**', 고: '고', 오: '오', '엿 ㅗ': '엿 *' }],
  ],
  'Hangul syllables also match standalone jamo, aligned to syllables': [
    [['씹'], { 씹: '*', ㅆㅣㅂ: '***', 씨발: '씨발', 씨바: '씨바' }],
    [['시발'], { ㅅㅣㅂㅏㄹ: '*****', 십알: '십알', 시바라: '시바라' }],
  ],
  'a single syllable or ideograph matches only at the start of a word': [
    [['좆'], { 좆: '*', 좆같네: '*같네', 해좆: '해*' }],
    [['妈'], { 妈: '*', 妈妈: '妈妈', 姨妈: '姨妈' }],
  ],
  'enclosed characters match only themselves': [
    [['ⓐ'], { 'ⓐ': '*', a: 'a', A: 'A' }],
    [['㉻'], { '㉻': '*', 감: '감' }],
  ],
  'expressions do not interfere with each other': [
    [['ass', '$$$'], { a$$: '***', $$$: '***' }],
    [['fuck', '**'], { 'f*ck': '****', 'a ** b': 'a ** b' }],
    [['shit', '!!'], { 'sh!t!!': '******' }],
  ],
  'supplementary-plane characters match': [
    [['🖕'], { 'x🖕y': 'x*y', '👍': '👍' }],
    [['𨳒'], { 𨳒: '*' }],
    [['𠮷野'], { 𠮷野家: '**家', 野: '野' }],
    [['𞤀𞤁𞤂'], { 𞤀𞤁𞤂: '***', 𞤀𞤁: '𞤀𞤁' }],
  ],
  'scripts without spaces match anywhere': [
    [['傻逼'], { 你是傻逼吗: '你是**吗' }],
    [['ควย'], { ไอ้ควย: 'ไอ้***' }],
  ],
  'an invisible expression matches nothing': [
    [['\u200b'], { 'a\u200bb': 'a\u200bb', '\u200b': '\u200b' }],
    [['\u00ad\u2060\u3164'], { abc: 'abc' }],
    [['\u0301'], { 'e\u0301': 'e\u0301' }],
    [[''], { abc: 'abc', '': '' }],
    [[' '], { 'a b': 'a b' }],
  ],
  'right-to-left text matches': [
    [['זבל'], { זבל: '***', 'איזה זבל': 'איזה ***' }],
    [['בן זונה'], { 'יא בן זונה!': 'יא *******!' }],
    [['\u202eabc\u202c'], { abc: 'abc', '\u202eabc\u202c': '\u202e***\u202c', cba: '***' }],
  ],
  'lone surrogates match': [
    [['a\ud83d'], { 'a\ud83d': '**', a: 'a', 'a😀': 'a😀' }],
    [['\udc00abc'], { '\udc00abc': '****', abc: 'abc' }],
  ],
}

for (const [rule, rows] of Object.entries(RULES))
  describe(rule, () => {
    for (const [expressions, masked] of rows) {
      const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
      test(JSON.stringify(expressions), () => {
        const found = Object.keys(masked).map((text) => [text, filter.clean(text, 'en').text])
        expect(Object.fromEntries(found)).toEqual(masked)
      })
    }
  })

describe('an expression of maximum length that repeats one character', () => {
  test.each(['a', 'l', '1', '!', '(', '\\', '*', '한', 'ㅋ', '漢', 'ひ', 'ж', '𝐚'])('%s', (character) => {
    const expression = character.repeat(128)
    const filter = compileFilter({ lists: [{ language: 'all', expressions: [expression] }], allowed: [] })
    expect(filter.clean(expression, 'en').text).toBe('*'.repeat(128))
    for (const text of [character, character.repeat(64), 'zq zq zq'])
      expect(filter.find(text, 'en')).toEqual([])
  })
})
