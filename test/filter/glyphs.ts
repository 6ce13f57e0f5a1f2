/** A hand-written description of a few characters of each kind. */
export interface Glyph {
  readonly kind: 'letter' | 'digit' | 'leet' | 'separator' | 'star' | 'ignorable'
  /** The letter itself, ignoring case, width and style. */
  readonly letter: string
  /** The letter without accents. */
  readonly bare: string
  /** Other letters that it can stand for. */
  readonly lookAlikes: string
}

const glyph = (kind: Glyph['kind'], rest: Partial<Glyph> = {}): Glyph => ({
  kind,
  letter: '',
  bare: '',
  lookAlikes: '',
  ...rest,
})

/** The letters of expressions. */
export const LETTERS = 'abcotuiqx'

const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter): [string, Glyph] => [
  letter,
  glyph('letter', { letter, bare: letter, lookAlikes: letter === 'v' ? 'u' : '' }),
])
const capitals = letters.map(([letter, each]): [string, Glyph] => [
  letter.toUpperCase(),
  letter === 'i' ? { ...each, lookAlikes: 'l' } : each,
])
const styled = Object.entries({ ａ: 'a', ｏ: 'o', 'ⓒ': 'c', 𝐛: 'b', 𝒕: 't' }).map(
  ([styled, letter]): [string, Glyph] => [styled, glyph('letter', { letter, bare: letter })],
)
const accented = Object.entries({ á: 'a', ü: 'u', ç: 'c' }).map(([letter, bare]): [string, Glyph] => [
  letter,
  glyph('letter', { letter, bare }),
])
const foreign = Object.entries({ а: 'a', о: 'o', с: 'c', т: 't', в: 'b' }).map(
  ([letter, lookAlikes]): [string, Glyph] => [letter, glyph('letter', { letter, bare: letter, lookAlikes })],
)
const digits = Object.entries({ '0': 'o', '1': 'il', '4': 'a', '7': 't', '8': 'b', '3': '' }).map(
  ([digit, lookAlikes]): [string, Glyph] => [digit, glyph('digit', { lookAlikes })],
)
const leet = Object.entries({ '@': 'a', '!': 'il', '|': 'il', '(': 'c', '+': 't' }).map(
  ([character, lookAlikes]): [string, Glyph] => [character, glyph('leet', { lookAlikes })],
)
const plain = (characters: string, kind: Glyph['kind']) =>
  Array.from(characters, (each): [string, Glyph] => [each, glyph(kind)])

export const GLYPHS: ReadonlyMap<string, Glyph> = new Map([
  ...[letters, capitals, styled, accented, foreign, digits, leet].flat(),
  ...plain(' .-,', 'separator'),
  // A mask does not separate words.
  ['*', glyph('star', { lookAlikes: '*' })],
  ['#', glyph('star')],
  ...plain('\u200b\u00ad\u0301', 'ignorable'),
])

export const isLetter = (each: Glyph, letter: string) => each.letter === letter || each.bare === letter
export const standsFor = (each: Glyph, letter: string) =>
  isLetter(each, letter) || each.lookAlikes.includes(letter)

export interface VisibleGlyph extends Glyph {
  readonly start: number
  readonly end: number
}

export function readGlyphs(text: string): VisibleGlyph[] {
  let end = 0
  return Array.from(text, (character) => {
    const start = end
    end += character.length
    const found = GLYPHS.get(character)
    if (found === undefined) throw new Error(`Not in the test alphabet: ${JSON.stringify(character)}`)
    return { ...found, start, end }
  }).filter(({ kind }) => kind !== 'ignorable')
}
