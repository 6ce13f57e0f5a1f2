import fc from 'fast-check'

/** Characters that often cause trouble: jamo, accents, joiners, bidi controls, lone surrogates, and the mask itself. */
const TROUBLESOME = [
  ...'aſßİıǅﬁµ5$@!*#()[]\\|/.,_-\'"`~ \n\r\t\u0000',
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u202a\u202e\u2060\u2066\u2069',
  ...'\u3164\ufe0f\ufeff\uffa0\ufff9\uffff',
  ...'\u0300\u0301\u0308\u0327\u0336\u0345\u0600\u20dd\u0e33\u0e49\u0f71\u3099\u093f\u094d',
  ...'ㄱㅄㅏㅘㅣㅗ가값시발아이우각ﾡￂｶﾞかカ漢々〆ー',
  ...'ғаѕіαωςΣאبกक',
  ...'𝐟𝓾🅲🇵🇸👩👍🏽𠮷𞤀\u{e0061}\u{e0100}\u{10ffff}',
  ...['\ud83d', '\ude00', '👨‍👩‍👧', '각'.normalize('NFD'), 'f*ck', 's h i t', '시1발', 'f\u200buck'],
]

const codes = (last: number) => fc.integer({ min: 0, max: last })

/** Any character, one of the words, or one of their letters. */
const pieces = (words: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...TROUBLESOME) },
    { weight: 3, arbitrary: fc.constantFrom(' ', ...words) },
    { weight: 3, arbitrary: fc.constantFrom(' ', ...words.join('')) },
    { weight: 2, arbitrary: codes(0xffff).map((unit) => String.fromCharCode(unit)) },
    { weight: 1, arbitrary: codes(0x10ffff).map((code) => String.fromCodePoint(code)) },
  )

/** Up to `most` pieces, well formed or not; sometimes the same few repeated. */
export function unicodeTexts(most: number, words: readonly string[]): fc.Arbitrary<string> {
  const mixed = fc.array(pieces(words), { maxLength: most, size: 'max' }).map((each) => each.join(''))
  const few = fc.array(pieces(words), { minLength: 1, maxLength: 4 })
  const repeated = fc
    .tuple(few, fc.integer({ min: 1, max: most }))
    .map(([each, times]) => each.join('').repeat(Math.ceil(times / each.length)))
  return fc.oneof({ weight: 4, arbitrary: mixed }, { weight: 1, arbitrary: repeated })
}

/** Whether no character can stand for `z`, `q` or `2`. */
const isUnrelated = (text: string) => !/[zq2*#]|^\s*$/i.test(text.normalize('NFKD')) && !/[ᴢƶʐʑ]/u.test(text)

/** Up to 128 characters of anything but control characters, as the API accepts. */
export const wildExpressions: fc.Arbitrary<string> = unicodeTexts(8, ['word', '욕'])
  .map((text) =>
    Array.from(text.replaceAll(/\p{Cc}/gu, ''))
      .slice(0, 128)
      .join(''),
  )
  .filter(isUnrelated)
