import { describe, expect, test } from 'bun:test'
import { compileFilter } from './compile/compile.ts'

const filter = compileFilter({
  lists: [
    {
      language: 'all',
      expressions: ['fuck', 'shit', 'ass', 'asshole', 'bitch', 'cock', 'cunt', 'dick', 'butt', 'sex'],
    },
    {
      language: 'ko',
      expressions: ['시발', '씨발', '병신', '개새끼', '존나', '지랄', '좆', '섹스', '미친 놈'],
    },
    { language: 'ja', expressions: ['ばか', 'チンコ', '死ね'] },
    { language: 'ru', expressions: ['хуй', 'сука'] },
    { language: 'ar', expressions: ['كلب'] },
    { language: 'he', expressions: ['זונה'] },
    { language: 'th', expressions: ['ควย'] },
    { language: 'zh', expressions: ['傻逼'] },
  ],
  allowed: [],
})

/** By technique: the text that a player writes and the text that others see. */
const OBFUSCATED: Record<string, [text: string, masked: string, language?: string][]> = {
  'no obfuscation': [
    ['fuck', '****'],
    ['what the fuck?!', 'what the ****?!'],
    ['(ass)', '(***)'],
    ['smart-ass', 'smart-***'],
    ['_ass_', '_***_'],
    ['ass1', '***1'],
    ['fuck.fuck', '****.****'],
    ['дрянь сука', 'дрянь ****', 'ru'],
    ['יא בן זונה', 'יא בן ****', 'he'],
    ['يا كلب', 'يا ***', 'ar'],
    ['ไอ้ควย', 'ไอ้***', 'th'],
    ['你是傻逼吗', '你是**吗', 'zh'],
    ['아 시발', '아 **', 'ko'],
    ['야시발아', '야**아', 'ko'],
  ],
  case: [
    ['FUCK', '****'],
    ['FuCk you', '**** you'],
    ['ХУЙ', '***', 'ru'],
  ],
  leetspeak: [
    ['5hit sh1t sh!t $hit', '**** **** **** ****'],
    ['a$$ @ss 4ss', '*** *** ***'],
    ['b1tch b!7ch 8itch bi+ch', '***** ***** ***** *****'],
    ['c0ck d1(k fU<k', '**** **** ****'],
  ],
  'repeated letters': [
    ['fuuuuck', '*******'],
    ['fffuuuccckkk', '************'],
    ['fuuck', '*****'],
    ['shiiiit', '*******'],
    ['assss', '*****'],
    ['суккка', '******', 'ru'],
  ],
  's p a c e d letters': [
    ['f u c k', '*******'],
    ['oh F  U  C  K you', 'oh ********** you'],
    ['a s s', '*****'],
    ['that is s h i t', 'that is *******'],
    ['с у к а', '*******', 'ru'],
  ],
  'd.o.t.t.e.d letters': [
    ['f.u.c.k', '*******'],
    ['f-u-c-k f_u_c_k f/u/c/k', '******* ******* *******'],
    ['f. u. c. k.', '**********.'],
    ['f*u*c*k', '*******'],
  ],
  'invisible characters': [
    ['f\u200Bu\u200Cc\u200Dk', '*****'],
    ['fu\u2060ck', '*****'],
    ['sh\u034Fit', '****'],
    ['fu\u3164ck', '*****'],
    ['\u200Efuck\u200F', '\u200E****\u200F'],
    ['\u202Efuck\u202C', '\u202E****\u202C'],
    ['시\u200B발', '***', 'ko'],
  ],
  'soft hyphens': [
    ['f\u00ADuck', '*****'],
    ['s\u00ADh\u00ADi\u00ADt', '*******'],
  ],
  'full-width letters': [
    ['ｆｕｃｋ', '****'],
    ['ＦuＣk', '****'],
  ],
  'mathematical letters': [
    ['𝐟𝐮𝐜𝐤', '****'],
    ['𝓯𝓾𝓬𝓴 𝔣𝔲𝔠𝔨 𝕗𝕦𝕔𝕜 𝚏𝚞𝚌𝚔', '**** **** **** ****'],
  ],
  'enclosed letters': [
    ['ⓕⓤⓒⓚ ⒻⓊⒸⓀ', '**** ****'],
    ['🅕🅤🅒🅚 🅵🆄🅲🅺 🄵🅄🄲🄺', '**** **** ****'],
    ['⒡⒰⒞⒦', '****'],
  ],
  'superscript, subscript and small capitals': [
    ['ᶠᵘᶜᵏ', '****'],
    ['fᵤcₖ', '****'],
    ['ꜰᴜᴄᴋ', '****'],
  ],
  'homoglyphs of other scripts': [
    ['ѕhіt', '****'],
    ['ѕһіт', '****'],
    ['сосk ϲοϲκ', '**** ****'],
    ['аss αss', '*** ***'],
    ['fvck', '****'],
  ],
  'combining accents': [
    ['fúck fück', '**** ****'],
    ['f\u0336u\u0336c\u0336k\u0336', '****'],
    ['fu\u0308\u0301ck', '****'],
    ['ášš', '***'],
    ['ƒuck shıt', '**** ****'],
    ['كَلْب', '***', 'ar'],
    ['זוֹנָה', '****', 'he'],
  ],
  'self-censored words': [
    ['f*ck F*CK', '**** ****'],
    ['f**k', '****'],
    ['sh#t', '****'],
    ['b**ch', '*****'],
  ],
  'Hangul decomposed into jamo': [
    ['ㅅㅣㅂㅏㄹ', '*****', 'ko'],
    ['시ㅂㅏㄹ', '****', 'ko'],
    ['시바ㄹ', '***', 'ko'],
    ['병ㅅㅣㄴ', '****', 'ko'],
    ['ㄱㅐㅅㅐㄲㅣ', '******', 'ko'],
    ['시발'.normalize('NFD'), '**', 'ko'],
  ],
  'Hangul with something between syllables': [
    ['시ㅣ발', '***', 'ko'],
    ['시1발', '***', 'ko'],
    ['시@발 시~발 시.발', '*** *** ***', 'ko'],
    ['시 발', '***', 'ko'],
    ['그래서 시 1 발', '그래서 *****', 'ko'],
    ['개 새 끼', '*****', 'ko'],
  ],
  'Hangul with prolonged vowels': [
    ['시이발', '***', 'ko'],
    ['시이이발', '****', 'ko'],
    ['조온나', '***', 'ko'],
  ],
  'Hangul abbreviated to initial consonants': [
    ['ㅅㅂ ㅆㅂ', '** **', 'ko'],
    ['ㅂㅅ ㅄ', '** *', 'ko'],
    ['ㅈㄴ ㅈㄹ', '** **', 'ko'],
  ],
  'hiragana and katakana of either width': [
    ['バカ', '**', 'ja'],
    ['ﾊﾞカ', '**', 'ja'],
    ['ﾁﾝｺ ちんこ', '*** ***', 'ja'],
  ],
  'combined techniques': [
    ['Ｆ.Ｕ.Ｃ.Ｋ', '*******'],
    ['F\u200BÜ\u00ADCＫ', '******'],
    ['5h!!!1t', '*******'],
    ['ѕ\u200Bһ1t', '*****'],
    ['fuuu\u0301uck', '*******'],
    ['𝐅uuu𝓬к', '******'],
  ],
}

const INNOCENT: Record<string, [text: string, language?: string][]> = {
  'words that contain a listed one': [
    ['Scunthorpe'],
    ['cockney cocktail peacock'],
    ['class, grass, assassin'],
    ['Essex and Sussex'],
    ['butter, button'],
    ['shiitake'],
    ['сукачёв', 'ru'],
    ['동시발매', 'ko'],
    ['출시발표', 'ko'],
    ['시발점', 'ko'],
  ],
  'a time of day and the word after it': [
    ['11시발 기차', 'ko'],
    ['3시발 버스', 'ko'],
  ],
  'two words that join into one': [
    ['push it'],
    ['as she said'],
    ['this hit'],
    ["it's hit or miss"],
    ['다시 발표', 'ko'],
    ['세시 발', 'ko'],
  ],
  'numbers and coordinates': [
    ['142,460'],
    ['455'],
    ['4,55 5.5'],
    ['a 5 5'],
    ['same as 5 apples'],
    ['$5 or 100$'],
    ['x: 455, y: 5145'],
  ],
  'flags and emoji': [['🇵🇸🇵🇸'], ['🇫🇺🇨🇰'], ['😀😀 👨‍👩‍👧‍👦'], ['<3 :) ¯\\_(ツ)_/¯']],
  names: [['Harshit'], ['Dickens'], ['Hancock'], ['Matsushita']],
  'single letters that spell nothing': [['u.s.a'], ['a s d f'], ['i a s s'], ['f k u']],
  'similar Hangul syllables': [
    ['시하발', 'ko'],
    ['신병', 'ko'],
  ],
}

for (const [technique, rows] of Object.entries(OBFUSCATED))
  describe(`sees through ${technique}`, () => {
    for (const [text, masked, language = 'en'] of rows)
      test(`${JSON.stringify(text)} is masked as ${masked}`, () => {
        expect(filter.clean(text, language).text).toBe(masked)
      })
  })

for (const [reason, rows] of Object.entries(INNOCENT))
  describe(`does not flag ${reason}`, () => {
    for (const [text, language = 'en'] of rows)
      test(JSON.stringify(text), () => {
        expect(filter.clean(text, language)).toEqual({ text, hits: [] })
      })
  })
