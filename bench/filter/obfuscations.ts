import type { Random } from '../../test/filter/random.ts'
import type { Alphabet } from './alphabets.ts'

/** Obfuscates a lower-case word. Returns undefined if the technique does not apply to it. */
export type Obfuscation = (word: string, random: Random) => string | undefined
export type Obfuscations = Readonly<Record<string, Obfuscation>>
type IsWord = (text: string) => boolean

export const ZERO_WIDTHS = '\u200B\u200C\u200D\u2060\uFEFF'
const SOFT_HYPHEN = '\u00AD'
export const [REVERSED, END_OF_REVERSED] = ['\u202E', '\u202C']
/** Signs that resemble no letter. */
const SIGNS = '#%&^~?='
const EMOJI = ['🔥', '💀', '⭐', '❤️', '👍🏽']

const upper: Obfuscation = (word) => word.toUpperCase()
export const spaced: Obfuscation = (word) => [...word].join(' ')
export const dotted: Obfuscation = (word) => [...word].join('.')
export const softHyphens: Obfuscation = (word) => [...word].join(SOFT_HYPHEN)
export const zeroWidth: Obfuscation = (word, random) =>
  [...word].reduce((obfuscated, letter) => obfuscated + random.pick(ZERO_WIDTHS) + letter)
export const reversed: Obfuscation = (word) => REVERSED + [...word].toReversed().join('') + END_OF_REVERSED
export const insertedEmoji: Obfuscation = (word, random) =>
  splice(word, 1 + random.below(word.length - 1), 0, random.pick(EMOJI))

const repeated: Obfuscation = (word, random) => {
  const at = random.below(word.length)
  return splice(word, at, 1, word.charAt(at).repeat(3 + random.below(4)))
}

const replacedInner =
  (choices: ArrayLike<string>): Obfuscation =>
  (word, random) =>
    splice(word, random.pick(innerPositions(word)), 1, random.pick(choices))

/** Of words with an l. */
const capitalI: Obfuscation = (word) => (word.includes('l') ? word.replaceAll('l', 'I') : undefined)

const doubled =
  (isWord: IsWord): Obfuscation =>
  (word, random) => {
    const at = random.below(word.length)
    const longer = splice(word, at, 0, word.charAt(at))
    return isWord(longer) ? undefined : longer
  }

/** Into pieces of two letters or more, of which at least one is no word. A single letter is a word in chat: `u r`. */
const cutInTwo =
  (separator: string, isWord: IsWord): Obfuscation =>
  (word, random) => {
    const positions = Array.from({ length: word.length - 3 }, (_, index) => index + 2).filter(
      (at) => !isWord(word.slice(0, at)) || !isWord(word.slice(at)),
    )
    return positions.length === 0 ? undefined : splice(word, random.pick(positions), 0, separator)
  }

const withDigits =
  ({ digits }: Alphabet): Obfuscation =>
  (word, random) => {
    const obfuscated = swap(word, digits, random)
    if (obfuscated === undefined || /\p{L}/u.test(obfuscated)) return obfuscated
    return word.charAt(0) + obfuscated.slice(1)
  }

const withAccents =
  ({ accents }: Alphabet): Obfuscation =>
  (word, random) => {
    const obfuscated = Array.from(word, (letter) => letter + random.pick(accents)).join('')
    return random.below(2) === 0 ? obfuscated : obfuscated.normalize('NFC')
  }

const selfCensored =
  ({ vowels }: Alphabet): Obfuscation =>
  (word, random) => {
    const positions = innerPositions(word).filter((at) => vowels.includes(word.charAt(at)))
    return positions.length === 0 ? undefined : splice(word, random.pick(positions), 1, '*')
  }

const styled =
  ({ first }: Alphabet, blocks: readonly number[]): Obfuscation =>
  (word, random) => {
    const block = random.pick(blocks)
    const unaccented = word.normalize('NFD').replaceAll(/\p{M}/gu, '')
    if (unaccented !== word) return undefined
    return Array.from(word, (letter) => String.fromCodePoint(letter.charCodeAt(0) - first + block)).join('')
  }

/** Three tricks at most, each applied to the result of the one before. */
const mixtureOf =
  (mixtures: readonly (readonly Obfuscation[])[]): Obfuscation =>
  (word, random) =>
    random
      .pick(mixtures)
      .reduce<string | undefined>(
        (obfuscated, obfuscate) => obfuscated && obfuscate(obfuscated, random),
        word,
      )

/** The tricks that the filter should see through. */
export function obfuscationsOf(alphabet: Alphabet, isWord: IsWord): Obfuscations {
  const digits = withDigits(alphabet)
  const accents = withAccents(alphabet)
  const lookAlikes: Obfuscation = (word, random) => swap(word, alphabet.lookAlikes, random)
  return {
    plain: (word) => word,
    UPPER: upper,
    d1gits: digits,
    'repeated letter': repeated,
    'doubled letter': doubled(isWord),
    's p a c e d': spaced,
    'd.o.t.t.e.d': dotted,
    'zero-width characters': zeroWidth,
    'soft hyphens': softHyphens,
    ...Object.fromEntries(
      Object.entries(alphabet.styles).map(([name, blocks]) => [name, styled(alphabet, blocks)]),
    ),
    'look-alikes': lookAlikes,
    'capital I for l': capitalI,
    'combining accents': accents,
    'star for a vowel': selfCensored(alphabet),
    'sign for a letter': replacedInner(SIGNS),
    'emoji for a letter': replacedInner(EMOJI),
    'inserted emoji': insertedEmoji,
    'reversed by RLO': reversed,
    'one hyphen': cutInTwo('-', isWord),
    'split in two': cutInTwo(' ', isWord),
    mixed: mixtureOf([
      [digits, upper, zeroWidth],
      [repeated, accents],
      [upper, spaced],
      [lookAlikes, softHyphens],
      [upper, dotted],
    ]),
  }
}

const innerPositions = (word: string) => Array.from({ length: word.length - 2 }, (_, index) => index + 1)

export const splice = (word: string, at: number, removed: number, inserted: string) =>
  word.slice(0, at) + inserted + word.slice(at + removed)

function swap(word: string, table: Readonly<Record<string, string>>, random: Random): string | undefined {
  const swapped = Array.from(word, (letter) => random.pick(table[letter] ?? letter)).join('')
  return swapped === word ? undefined : swapped
}
