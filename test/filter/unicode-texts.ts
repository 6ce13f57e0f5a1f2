import fc from 'fast-check'

/** Units that mean trouble: jamo, accents, joiners, marks of direction, halves of pairs, what the filter writes itself. */
const TROUBLE = [
  ...'aſßİıǅﬁµ5$@!*#()[]\\|/.,_-\'"`~ \n\r\t\u0000',
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u202a\u202e\u2060\u2066\u2069',
  ...'\u3164\ufe0f\ufeff\uffa0\ufff9\uffff',
  ...'\u0300\u0301\u0308\u0327\u0336\u0345\u0600\u20dd\u0e33\u0e49\u0f71\u3099\u093f\u094d',
  ...'ㄱㅄㅏㅘㅣㅗ가값시발아이우각ﾡￂｶﾞかカ漢々〆ー',
  ...'ғаѕіαωςΣאبกक',
  ...'𝐟𝓾🅲🇵🇸👩👍🏽𠮷𞤀\u{e0061}\u{e0100}\u{10ffff}',
  ...['\ud83d', '\ude00', '👨‍👩‍👧', '각'.normalize('NFD'), 'f*ck', 's h i t', '시1발', 'f\u200buck'],
]

const units = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TROUBLE) },
  { weight: 2, arbitrary: fc.constantFrom(...'fuckshitasbdoe ') },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) },
)

/** Up to so many pieces of anything, well formed or not; now and then a storm of the same few. */
export const unicodeTexts = (pieces: number): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(units, { maxLength: pieces, size: 'max' }).map((each) => each.join('')),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.array(units, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: pieces }))
        .map(([few, times]) => few.join('').repeat(Math.ceil(times / few.length))),
    },
  )
