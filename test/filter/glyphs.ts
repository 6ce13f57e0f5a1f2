/** A few characters of each sort, with what they are and may stand for, written down by hand. */
export interface Glyph {
  readonly kind: 'letter' | 'digit' | 'sign' | 'separator' | 'star' | 'nothing'
  /** The letter that it is, apart from case, width and style. */
  readonly letter: string
  /** The same without accents. */
  readonly bare: string
  /** The letters that it may stand for besides. */
  readonly looks: string
}

const glyph = (kind: Glyph['kind'], rest: Partial<Glyph> = {}): Glyph => ({
  kind,
  letter: '',
  bare: '',
  looks: '',
  ...rest,
})

/** None of these begins an ending of a word, so that words end where they end. */
export const LETTERS = 'abcotuvilqx'

const letters = Array.from(LETTERS, (letter): [string, Glyph] => [
  letter,
  glyph('letter', { letter, bare: letter, looks: letter === 'v' ? 'u' : '' }),
])
const capitals = letters.map(([letter, each]): [string, Glyph] => [letter.toUpperCase(), each])
const styled = Object.entries({ ａ: 'a', ｏ: 'o', 'ⓒ': 'c', 𝐛: 'b', 𝒕: 't' }).map(
  ([styled, letter]): [string, Glyph] => [styled, glyph('letter', { letter, bare: letter })],
)
const accented = Object.entries({ á: 'a', ü: 'u', ç: 'c' }).map(([letter, bare]): [string, Glyph] => [
  letter,
  glyph('letter', { letter, bare }),
])
const foreign = Object.entries({ а: 'a', о: 'o', с: 'c', т: 't', в: 'b' }).map(
  ([letter, looks]): [string, Glyph] => [letter, glyph('letter', { letter, bare: letter, looks })],
)
const digits = Object.entries({ '0': 'o', '1': 'il', '4': 'a', '7': 't', '8': 'b', '3': '' }).map(
  ([digit, looks]): [string, Glyph] => [digit, glyph('digit', { looks })],
)
const signs = Object.entries({ '@': 'a', '!': 'il', '|': 'il', '(': 'c', '+': 't' }).map(
  ([sign, looks]): [string, Glyph] => [sign, glyph('sign', { looks })],
)
const plain = (characters: string, kind: Glyph['kind']) =>
  Array.from(characters, (each): [string, Glyph] => [each, glyph(kind)])

export const GLYPHS: ReadonlyMap<string, Glyph> = new Map([
  ...[letters, capitals, styled, accented, foreign, digits, signs].flat(),
  ...plain(' .-,', 'separator'),
  // What a mask is made of separates no words.
  ['*', glyph('star', { looks: '*' })],
  ['#', glyph('star')],
  ...plain('\u200b\u00ad\u0301', 'nothing'),
])

export const isLetter = (each: Glyph, letter: string) => each.letter === letter || each.bare === letter
export const standsFor = (each: Glyph, letter: string) =>
  isLetter(each, letter) || each.looks.includes(letter)

/** A character that can be seen, and where it stands. */
export interface Seen extends Glyph {
  readonly start: number
  readonly end: number
}

export function look(text: string): Seen[] {
  let end = 0
  return Array.from(text, (character) => {
    const start = end
    end += character.length
    const found = GLYPHS.get(character)
    if (found === undefined) throw new Error(`Not of the sub-language: ${JSON.stringify(character)}`)
    return { ...found, start, end }
  }).filter(({ kind }) => kind !== 'nothing')
}
