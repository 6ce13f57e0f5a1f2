import { describe, expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile/compile.ts'

type Row = readonly [expressions: readonly string[], text: string, masked: string]

const han = Array.from({ length: 200 }, (_, index) => String.fromCharCode(0x4e00 + index))
const ROWS: Record<string, Row[]> = {
  'expression that ends in several punctuation characters': [
    [['no?!.'], 'no?!.', '*****'],
    [['a!!'], 'a!!!', '***!'],
    [['병신?'], '병신??', '***?'],
  ],
  'expression with punctuation matches itself': [
    [['wtf?! no'], 'wtf?! no', '********'],
    [['<b>a</b>'], '<b>a</b>', '********'],
    [['시!발'], '시!발', '***'],
  ],
  'spelled-out word in supplementary-plane letters': [
    [['fuck'], '𝐟 𝐮 𝐜 𝐤', '*******'],
    [['fuck'], 'f 𝐱 u c k', 'f 𝐱 u c k'],
  ],
  'half-width kana and decomposed voicing marks': [
    [['バカ'], 'ﾊﾞｶ', '**'],
    [['ババア'], 'ﾊﾞﾊﾞｱ', '***'],
    [['バカ'], 'は\u3099か', '**'],
    [['ﾊﾞｶ'], 'バカ', '**'],
    [['はか'], 'ﾊﾞｶ', 'ﾊﾞｶ'],
    [['ばか'], 'ばか\u3099', 'ばか\u3099'],
  ],
  'emoji between letters': [[['fuck'], 'f😀u😀c😀k', '*******']],
  'list with many ideographs': [
    [han.map((each) => `我${each}${each}你`), `我${han[150]}${han[150]}你`, '****'],
    [han.map((each, index) => each + han[(index + 1) % 200]), `${han[193]}${han[194]}`, '**'],
  ],
  'other Unicode normalization forms': [
    [['enculé'], 'encule\u0301', '******'],
    [['хуй'], 'хуи\u0306', '***'],
    [['lồn'], 'lo\u0302\u0300n', '***'],
  ],
  'short word with a combining vowel': [[['หี'], 'หี', '*']],
  'look-alikes at the end of an expression': [
    [['li'], 'li', '**'],
    [['*oil*'], 'foiled', 'f***ed'],
    [['a|i'], 'a|i', '***'],
    [['각ㄱ'], '각ㄱ', '**'],
  ],
  'final sigma': [[['μαλάκας'], 'ΜΑΛΆΚΑΣ', '*******']],
  'expression that is a single letter without its marks': [
    [['x\u0336'], 'x marks the spot', 'x marks the spot'],
    [['a\u20dd'], 'a cat', 'a cat'],
  ],
  'leetspeak punctuation between two words or between single letters': [
    [['fuck'], 'hey!fuck you', 'hey!**** you'],
    [['fuck'], 'lol(fuck)', 'lol(****)'],
    [['fuck'], 'fuck@fuck', '****@****'],
    [['fuck'], 'f|u|c|k', '*******'],
    [['fuck'], 'f!u!c!k', '*******'],
  ],
  'punctuation or digit next to a short word': [
    [['ass'], '@ass', '@***'],
    [['cum'], '(cum)', '(***)'],
    [['tit'], 'tit+', '***+'],
    [['fag'], 'fag9', '***9'],
  ],
  'punctuation at both edges of a word': [
    [['ass'], '(a$$)', '(***)'],
    [['shit'], '($hit)', '(****)'],
    [['cunt'], 'cun+ @you', 'cun+ @you'],
  ],
  'invisible characters': [
    [['shit'], 'sh!\u200bt', '*****'],
    [['ass'], '@\u200bss', '****'],
    [['fuck'], 'f\u{e0061}uck', '****'],
    [['fuck'], 'f\u{e0100}uck', '****'],
  ],
  'open side': [
    [['*tit*'], 'attitude', 'at***ude'],
    [['fu*'], 'fuuuck', '**uuck'],
    [['*ab*'], 'abba', '**ba'],
    [['*fuck*'], 'f u c k', '*******'],
  ],
  'standalone jamo that complete a syllable': [
    [['병신'], '벼ㅇ신', '***'],
    [['시발'], '시ㅣㅣ발', '****'],
  ],
  'time of day, and words that join across punctuation': [
    [['시발'], '11시 발 열차', '11시 발 열차'],
    [['시발'], '12시,발표', '12시,발표'],
    [['시발'], '다시(발표)', '다시(발표)'],
    [['시발'], '시abc발 ㅋ', '시abc발 ㅋ'],
  ],
  'space before punctuation': [[[' !!'], 'no!!', 'no**']],
  'short expression with a combining mark': [[['x\u0336'], 'x\u0336', '*']],
  'overlapping hits': [[['!!!'], '!!!!', '****']],
  'adjacent look-alikes': [
    [['*il*'], 'lil', 'l**'],
    [['lil'], 'lil', '***'],
    [['iil'], 'iil', '***'],
    [['vuv'], 'vuv', '***'],
    [['pedofili'], 'pedofili', '********'],
    [['kulli'], 'kulli', '*****'],
    [['basivuv'], 'basivuv', '*******'],
  ],
  'listed expression with a prolonged vowel': [
    [['아아'], '아아', '**'],
    [['씨이'], '씨이', '**'],
    [['쉬이이'], '쉬이이', '***'],
    [['오오미'], '오오미', '***'],
    [['ㅗㅗ'], '오오ㅗㅗ', '오오**'],
  ],
  'expression that an innocent word contains': [[['켜보지'], '켜보지', '***']],
  'gap before leetspeak': [[['dumb ass now'], 'dumb a$$ now', '************']],
  'open side after a doubled letter': [
    [['*shit*'], 'shitting', '****ting'],
    [['*shit*'], 'shittiest', '****tiest'],
    [['*shit*'], 'bullshitter', 'bull****ter'],
  ],
  'censored word surrounded by stars': [[['fuck'], '**f*ck**', '********']],
  'invisible character after an inflected form': [[['slut'], 'sluts\u200b', '*****\u200b']],
  'invisible character instead of a gap': [[['x x'], 'x X\u00adx', 'x X\u00adx']],
  'emoji sequences': [[['family 👨‍👩‍👧'], 'a family 👨‍👩‍👧!', 'a ********!']],
  'decomposed vowel signs': [
    [['కొజ్జా'], 'కొజ్జా'.normalize('NFD'), '*'.repeat(2)],
    [['മൈര്'], 'മൈര്'.normalize('NFD'), '**'],
    [['හුකෝ'], 'හුකෝ'.normalize('NFD'), '**'],
  ],
  'pairs of ideographs that share a character': [
    [['狂操', '操你', '赌棍', '棍棍'], '狂操', '**'],
    [['狂操', '操你', '赌棍', '棍棍'], '赌棍', '**'],
    [['狂操', '操你', '赌棍', '棍棍'], '操你', '**'],
  ],
  'invisible separators': [[['fuck'], 'f\u2800u\u2800c\u2800k', '*******']],
  'letters of other blocks': [
    [['fuck'], 'ғυcκ', '****'],
    [['fuck'], '₣ʉ₵₭', '****'],
  ],
  'text reversed by a bidi override': [[['fuck'], 'a \u202ekcuf\u202c b', 'a \u202e****\u202c b']],
  'keycaps around a word': [[['fuck'], '1️⃣fuck1️⃣', '1️⃣****1️⃣']],
  'emoji inside a word': [[['fuck'], 'fu🔥ck', '*****']],
  'several words in one text': [
    [['fuck', 'shit'], 'fuck shit fuck', '**** **** ****'],
    [['좆'], '좆'.repeat(10), '*'.repeat(10)],
    [['시발'], '시발시발시발', '******'],
  ],
  'expressions that differ in leading punctuation': [
    [['!word', 'word'], '!word', '*****'],
    [['word', '!word'], '!word', '*****'],
  ],
}

for (const [topic, rows] of Object.entries(ROWS))
  describe(topic, () => {
    for (const [expressions, text, masked] of rows)
      test(`${JSON.stringify(text)} is masked as ${masked}`, () => {
        const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
        expect(filter.clean(text, 'en').text).toBe(masked)
      })
  })

describe('masking is idempotent', () => {
  test.each([
    [['foo bar', 'baz'], 'foo baz bar'],
    [['lol', 'bad'], 'lol@bad'],
    [['fuck', '*butt*'], 'f*ck*butt*'],
    [['fuck', 'shit'], 'fuck$hit'],
    [['좆'], '좆'.repeat(10)],
    [['아이', 'ㅗ'], '아이 ㅗ8ㅗ'],
    [['시발'], '다시.시발.발표'],
    [['shit'], 's-h-i-t-s-h-i-t'],
  ])('%j: %j', (expressions, text) => {
    const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
    const once = filter.clean(text, 'en').text
    expect(filter.clean(once, 'en').text).toBe(once)
  })
})
