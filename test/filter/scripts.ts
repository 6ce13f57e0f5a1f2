import fc from 'fast-check'

const LAST_CODE = 0x1ffff
const assigned = Array.from({ length: LAST_CODE + 1 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .join('')
const charactersOf = (pattern: RegExp) => assigned.match(pattern) ?? []

interface Script {
  /** Of a list in that script. */
  readonly language: string
  readonly letters: readonly string[]
  /** Vowel signs and the like, which follow a letter. */
  readonly marks?: readonly string[]
}

/** The letters of a block, and its vowel signs and other marks. */
const block = (language: string, range: string): Script => {
  const letters = charactersOf(new RegExp(`[[${range}]&&\\p{L}]`, 'gv'))
  const marks = charactersOf(new RegExp(`[[${range}]&&\\p{M}]`, 'gv'))
  return { language, letters, ...(marks.length > 0 && { marks }) }
}

/** Letters whose capital is one letter as well. */
const cased = (language: string, range: string): Script => ({
  language,
  letters: charactersOf(new RegExp(`[[${range}]&&\\p{L}]`, 'gv')).filter(
    (letter) => letter.toUpperCase().toLowerCase() === letter.toLowerCase(),
  ),
})

const letters = (language: string, some: string): Script => ({ language, letters: [...some] })

/** Han characters beyond the first plane, which take two code units. */
const astralHan = Array.from({ length: 0xa6df }, (_, index) => String.fromCodePoint(0x20000 + index))

export const SCRIPTS: Readonly<Record<string, Script>> = {
  Latin: cased('en', 'A-Za-z\u00c0-\u024f\u1e00-\u1eff'),
  'accented Latin': letters('fr', 'aeiouàâæçéèêëîïôœùûüÿñäöß'),
  Turkish: letters('tr', 'abcçdefgğhıijklmnoöprsştuüvyz'),
  Greek: cased('el', 'Ά-ώ'),
  Cyrillic: cased('ru', '\u0400-\u052f'),
  // Without the ligature և, which has two capital forms.
  Armenian: block('hy', '\u0530-\u0586\u0589-\u058f'),
  Georgian: block('ka', '\u10d0-\u10ff'),
  Hebrew: block('he', '\u05b0-\u05bc\u05d0-\u05ea'),
  Arabic: block('ar', '\u0620-\u063f\u0641-\u0652\u0671-\u06d3'),
  Devanagari: block('hi', '\u0900-\u0950\u0958-\u097f'),
  Bengali: block('bn', '\u0980-\u09ff'),
  Tamil: block('ta', '\u0b80-\u0bff'),
  Telugu: block('te', '\u0c00-\u0c7f'),
  Malayalam: block('ml', '\u0d00-\u0d7f'),
  Sinhala: block('si', '\u0d80-\u0dff'),
  Thai: block('th', '\u0e01-\u0e4e'),
  Lao: block('lo', '\u0e80-\u0eff'),
  Khmer: block('km', '\u1780-\u17d1'),
  Burmese: block('my', '\u1000-\u103f'),
  Tibetan: block('bo', '\u0f40-\u0fbc'),
  'Hangul syllables': block('ko', '가-힣'),
  'Hangul jamo': letters('ko', 'ㄱㄲㄴㄷㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅓㅔㅕㅗㅘㅛㅜㅝㅠㅡㅢㅣㄳㄺㅄ'),
  'Hangul syllables and jamo': letters('ko', '시발이으아오씹쉬ㅅㅂㅣㅏㅡㄹㅄ'),
  Hiragana: block('ja', 'ぁ-ゖ'),
  Katakana: block('ja', 'ァ-ヺー'),
  'half-width kana': block('ja', 'ｦ-ﾝ'),
  Han: block('zh', '\u4e00-\u9fff'),
  'a few Han characters': letters('zh', '一丁七万丈三上下'),
  'supplementary Han': { language: 'zh', letters: astralHan },
  emoji: { language: 'en', letters: ['🖕', '🍆', '🏳️‍🌈', '👨‍👩‍👧', '👍🏽', '🇰🇷', '❤️', '☠', '🤷🏻‍♀️', '💩'] },
}

const INNER = ['', '', '', ' ', ' ', '  ', '-', "'", '.', '&', '_', '1', '8', '0', '$', '@', '!', '*']

/** Words, phrases, and words with digits and punctuation, some open on a side. */
export function expressionsIn({ letters, marks }: Script): fc.Arbitrary<string> {
  const letter = fc.constantFrom(...letters)
  const unit =
    marks === undefined
      ? letter
      : fc.tuple(letter, fc.option(fc.constantFrom(...marks), { nil: '' })).map(([base, mark]) => base + mark)
  const word = fc.array(unit, { minLength: 1, maxLength: 7, size: 'max' }).map((units) => units.join(''))
  const inner = fc.oneof(
    { weight: 2, arbitrary: word },
    { weight: 1, arbitrary: fc.tuple(word, fc.constantFrom(...INNER), word).map((parts) => parts.join('')) },
  )
  const side = fc.constantFrom('', '', '', '', '*')
  return fc.tuple(side, inner, side).map((parts) => parts.join(''))
}
