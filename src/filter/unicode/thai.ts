/** Thai is written without spaces. Its spelling shows where syllables certainly do not end. */

const LEADING_VOWELS = 'เแโใไ'
/** Vowels that never end a syllable. */
const CLOSED_VOWELS = 'ัื'
const OPEN_VOWELS = 'าิีึุู'
const NEVER_FINAL = 'ฉผฝฌหฮอ'
/** Consonants that rarely begin a syllable without a vowel sign. */
const USUAL_FINALS = 'กงดนบมยล'
const CLUSTER_STARTS = 'กดบ'
/** Consonants that are vowels after another one. */
const VOWEL_CONSONANTS = 'อว'
const MAX_TONES = 4
const SILENCER = '์'
const SHORTENER = '็'
const FIRST_CONSONANT = 0xe01
const LAST_CONSONANT = 0xe2e

const isThai = (character: string) => character >= 'ก' && character <= '๛'
const isTone = (character: string) => character >= '่' && character <= '๋'

/** False at the ends of a text, where there is no character. */
const isOneOf = (characters: string, character: string) => character !== '' && characters.includes(character)

/** Vowels and signs that continue the syllable before them. The repetition sign and digits do not. */
const isAttached = (character: string) =>
  (character >= 'ะ' && character <= 'ฺ') || character === 'ๅ' || (character >= '็' && character <= '๎')

function isConsonant(character: string): boolean {
  const code = character.charCodeAt(0)
  return code >= FIRST_CONSONANT && code <= LAST_CONSONANT
}

/** Whether a Thai syllable certainly continues across an index. */
export function splitsSyllable(text: string, index: number): boolean {
  const before = text.charAt(index - 1)
  const after = text.charAt(index)
  if (!isThai(before) || !isThai(after)) return false
  if (isAttached(after) || isOneOf(LEADING_VOWELS, before)) return true
  if (!isConsonant(after)) return false
  const vowel = endOfVowel(text, index)
  if (isOneOf(CLOSED_VOWELS, text.charAt(vowel))) return true
  return isOpenSyllable(text, vowel) && isFinal(text, index)
}

/** The index of the last character before an index that is no tone mark. */
function endOfVowel(text: string, index: number): number {
  let at = index - 1
  while (isTone(text.charAt(at)) && index - at < MAX_TONES) at--
  return at
}

/** Vowels of two characters that can take a final consonant. */
const COMPOUND_VOWELS: readonly string[] = ['ีย', 'ือ', 'ัว']

/** Whether the syllable whose last vowel or consonant is at an index can still take a final consonant. */
function isOpenSyllable(text: string, at: number): boolean {
  const last = text.charAt(at)
  if (isOneOf(OPEN_VOWELS, last)) return true
  if (last === SHORTENER) return isOneOf(LEADING_VOWELS, text.charAt(at - 2))
  if (COMPOUND_VOWELS.includes(text.charAt(endOfVowel(text, at)) + last)) return true
  return isConsonant(last) && isOneOf('เแโ', text.charAt(at - 1))
}

/** Whether the consonant at an index closes the syllable before it, since it cannot begin one. */
function isFinal(text: string, index: number): boolean {
  const [consonant, next] = [text.charAt(index), text.charAt(index + 1)]
  if (next === SILENCER) return true
  if (isOneOf(NEVER_FINAL, consonant)) return false
  if (!isConsonant(next)) return !isAttached(next)
  if (text.charAt(index + 2) === SILENCER) return true
  return isOneOf(USUAL_FINALS, consonant) && !beginsCluster(text, index)
}

/** Whether the consonant at an index and the one after it begin a syllable, or are one with a vowel between them. */
function beginsCluster(text: string, index: number): boolean {
  const next = text.charAt(index + 1)
  if (next === 'ร' && text.charAt(index + 2) === 'ร') return true
  return (
    isOneOf(VOWEL_CONSONANTS, next) || (isOneOf(CLUSTER_STARTS, text.charAt(index)) && isOneOf('รล', next))
  )
}
