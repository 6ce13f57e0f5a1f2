import { foldedOf, Kind, kindOf, LEET_PUNCTUATION, lookAlikesOf } from '../unicode/characters.ts'

/** Greek to Armenian, where each Latin letter has a homoglyph. */
const [FIRST_HOMOGLYPH, LAST_HOMOGLYPH] = [0x370, 0x58f]
/** Looks like both i and l. */
const DIGIT_ONE = 0x31

/**
 * The character that takes the place of a sign which is read as a letter: a homoglyph that can stand for the same
 * letters. It never makes a word innocent, and it is no genuine letter.
 */
export const SIGN_LETTERS: ReadonlyMap<number, string> = new Map(
  LEET_PUNCTUATION.flatMap((sign) => {
    const homoglyph = homoglyphOf(lookAlikesOf(sign))
    return homoglyph === undefined ? [] : [[sign, String.fromCharCode(homoglyph)] as const]
  }),
)

function homoglyphOf(shapes: number): number | undefined {
  if ((lookAlikesOf(DIGIT_ONE) & shapes) === shapes) return DIGIT_ONE
  for (let code = FIRST_HOMOGLYPH; code <= LAST_HOMOGLYPH; code++)
    if (kindOf(code) === Kind.letter && foldedOf(code) === code && (lookAlikesOf(code) & shapes) !== 0)
      return code
  return undefined
}

/** Signs that end or open a sentence more often than they stand for a letter. */
const EDGE_PUNCTUATION: ReadonlySet<number> = new Set(Array.from('!|+(<{', (each) => each.charCodeAt(0)))

export const isEdgePunctuation = (sign: number) => EDGE_PUNCTUATION.has(sign)

/** Whether a sign stands for a letter even at the edge of a word: `$hit`, but not `hi!`. */
export const isLetterAtEdge = (sign: number) => SIGN_LETTERS.has(sign) && !EDGE_PUNCTUATION.has(sign)
