/** The scripts that the filter tells apart. */
export const Script = {
  /** Digits, punctuation, symbols and anything invisible. */
  none: 0,
  latin: 1,
  cyrillic: 2,
  greek: 3,
  hiragana: 4,
  katakana: 5,
  thai: 6,
  hangul: 7,
  han: 8,
  other: 9,
} as const

/** First and last code point of each range, in plane 0. */
const RANGES: readonly (readonly [script: number, first: number, last: number])[] = [
  [Script.latin, 0x41, 0x24f],
  [Script.latin, 0x250, 0x2b8],
  [Script.greek, 0x370, 0x3ff],
  [Script.cyrillic, 0x400, 0x52f],
  [Script.thai, 0xe01, 0xe5b],
  [Script.hangul, 0x1100, 0x11ff],
  [Script.cyrillic, 0x1c80, 0x1c8f],
  [Script.latin, 0x1d00, 0x1dbf],
  [Script.latin, 0x1e00, 0x1eff],
  [Script.greek, 0x1f00, 0x1fff],
  [Script.latin, 0x2071, 0x209c],
  [Script.latin, 0x2c60, 0x2c7f],
  [Script.cyrillic, 0x2de0, 0x2dff],
  [Script.han, 0x2e80, 0x3007],
  [Script.hiragana, 0x3041, 0x309f],
  [Script.katakana, 0x30a1, 0x30ff],
  [Script.hangul, 0x3131, 0x318e],
  [Script.katakana, 0x31f0, 0x31ff],
  [Script.han, 0x3400, 0x9fff],
  [Script.cyrillic, 0xa640, 0xa69f],
  [Script.latin, 0xa722, 0xa7ff],
  [Script.hangul, 0xa960, 0xa97f],
  [Script.latin, 0xab30, 0xab6f],
  [Script.hangul, 0xac00, 0xd7ff],
  [Script.han, 0xf900, 0xfaff],
  [Script.latin, 0xfb00, 0xfb06],
  [Script.latin, 0xff21, 0xff5a],
  [Script.katakana, 0xff66, 0xff9f],
  [Script.hangul, 0xffa0, 0xffdc],
]

const PLANE_SIZE = 0x1_0000
const [FIRST_HAN_PLANE, LAST_HAN] = [0x2_0000, 0x3_ffff]

const scripts = new Uint8Array(PLANE_SIZE).fill(Script.other)
for (const [script, first, last] of RANGES) scripts.fill(script, first, last + 1)

/** The script of a letter. Meaningless for any other character. */
export const letterScript = (code: number): number =>
  code < PLANE_SIZE
    ? (scripts[code] ?? Script.other)
    : code >= FIRST_HAN_PLANE && code <= LAST_HAN
      ? Script.han
      : Script.other
