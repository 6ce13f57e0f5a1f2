import { letterScript, Script } from './scripts.ts'

/** Japanese is written without spaces. Changes of script and particles show where words begin and end. */

const LONG_VOWEL = 'ー'
/** Particles that a word in hiragana may follow. */
const PARTICLES = 'はがをにでともやへのねよかな'
/** What may follow a word in hiragana: particles, forms of the copula, final particles, suffixes and exclamations. */
const ENDING = new RegExp(`^(?:[${PARTICLES}だじすさぞぜわけしめどっー]|ん[だでじすや]|みた)`)
const WORD_CHARACTER = /[\p{L}\p{N}]/u
const LONGEST_SHORT_WORD = 2

const scriptAt = (text: string, index: number) =>
  index >= 0 && index < text.length ? letterScript(text.charCodeAt(index)) : Script.none
const isLongVowel = (text: string, index: number) => text.charAt(index) === LONG_VOWEL
const isHiragana = (text: string, index: number) => scriptAt(text, index) === Script.hiragana
const isKatakana = (text: string, index: number) =>
  scriptAt(text, index) === Script.katakana && !isLongVowel(text, index)

/** Whether a span contains both hiragana and katakana. The long vowel sign belongs to either. */
export function mixesKana(text: string, start: number, end: number): boolean {
  let hasHiragana = false
  let hasKatakana = false
  for (let at = start; at < end; at++) {
    hasHiragana ||= isHiragana(text, at)
    hasKatakana ||= isKatakana(text, at)
  }
  return hasHiragana && hasKatakana
}

/**
 * Whether a span may be a word by itself, as far as its surroundings show. A span that is not all kana always may: its
 * other characters set it apart.
 */
export function isKanaWord(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++)
    if (!isHiragana(text, at) && scriptAt(text, at) !== Script.katakana) return true
  if (mixesKana(text, start, end)) return false
  return isHiragana(text, start)
    ? startsAfterParticle(text, start) && endsBeforeEnding(text, end)
    : !isInKatakanaWord(text, start, end)
}

/** A particle follows a word, so that a kana at the start of a text is none. */
function startsAfterParticle(text: string, start: number): boolean {
  if (!isHiragana(text, start - 1)) return true
  return PARTICLES.includes(text.charAt(start - 1)) && WORD_CHARACTER.test(text.charAt(start - 2))
}

function endsBeforeEnding(text: string, end: number): boolean {
  return !isHiragana(text, end) || ENDING.test(text.slice(end, end + 2))
}

function isInKatakanaWord(text: string, start: number, end: number): boolean {
  if (scriptAt(text, start - 1) === Script.katakana) return true
  if (end - start > LONGEST_SHORT_WORD) return false
  let after = end
  while (isLongVowel(text, after)) after++
  return isKatakana(text, after)
}
