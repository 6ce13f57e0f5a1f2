/** Canonical composition, from the normalization of the runtime. */

/** A mark of each combining class, in order. */
const MARKS_BY_CLASS = (
  '334 16ff0 93c 3099 94d 5b0 5b1 5b2 5b3 5b4 5b5 5b6 5b7 5b8 5b9 5bb 5bc 5bd 5bf 5c1 5c2 fb1e 64b 64c 64d 618 619 61a 651 652 ' +
  '670 711 c55 c56 e38 e48 eb8 ec8 f71 f72 f74 321 1dce 31b 1dfa 316 59a 302e 1d16d 5ae 300 315 35c 35d 345'
)
  .split(' ')
  .map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
const [FIRST_CLASS = '', LAST_CLASS = ''] = [MARKS_BY_CLASS[0], MARKS_BY_CLASS.at(-1)]

/** The rank of the class by which marks on one letter are sorted; 0 for what is not sorted. */
export function combiningRank(character: string): number {
  if (!/\p{M}/u.test(character) || character.normalize('NFD') !== character) return 0
  const isSorted = isReordered(LAST_CLASS, character) || isReordered(character, FIRST_CLASS)
  return isSorted || character === FIRST_CLASS
    ? 2 + MARKS_BY_CLASS.findLastIndex((mark) => isReordered(character, mark))
    : 0
}

const isReordered = (first: string, second: string) =>
  first !== second && `x${first}${second}`.normalize('NFD') === `x${second}${first}`

/** The two characters that a character is composed of; undefined for Hangul and for what composition excludes. */
export function partsOf(character: string): [first: string, second: string] | undefined {
  const parts = [...character.normalize('NFD')]
  const second = parts.pop() ?? ''
  const isComposed = parts.length > 0 && character.normalize('NFC') === character
  return isComposed && !/[가-힣]/.test(character) ? [parts.join('').normalize('NFC'), second] : undefined
}
