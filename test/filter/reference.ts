import { isInnocentWord, knownLanguage } from '../../src/filter/words/known-language.ts'
import type { Language } from '../../src/filter/words/languages.ts'
import { ownsForm } from '../../src/filter/words/lemmas.ts'
import { isLetter, readGlyphs, standsFor, type VisibleGlyph } from './glyphs.ts'

const MIN_DISGUISED = 4

/** A listed word of four letters or more. */
interface Word {
  readonly letters: string
  readonly isOpenBefore: boolean
  readonly isOpenAfter: boolean
  readonly isExact: boolean
  /** Inflected forms that no other word owns. */
  readonly forms: readonly string[]
  /** No innocent word contains it, so every word that does is built on it. */
  readonly isStem: boolean
}

/** What the rules need to know of a language. */
export interface Knowledge {
  readonly language: Language | undefined
  /** The innocent words, each followed by a newline. */
  readonly dictionary: string
  /** Hashed, as in the filter: one word in thirty thousand collides with another. */
  isInnocent(word: string): boolean
}

export function learn(code: string): Knowledge {
  const known = knownLanguage(code)
  return known === undefined
    ? { language: undefined, dictionary: '', isInnocent: () => false }
    : { language: known.language, dictionary: known.text, isInnocent: (word) => isInnocentWord(known, word) }
}

/**
 * What a list means for a single word of a text, by brute force: no automaton, no classes, no further passes. The rules
 * are those of docs/filter.md.
 */
export class Reference {
  readonly #words: readonly Word[]
  readonly #knowledge: Knowledge

  constructor(expressions: readonly string[], knowledge: Knowledge) {
    this.#words = expressions.map((each) => read(each, knowledge))
    this.#knowledge = knowledge
  }

  /** The rules that may find a word of the list in a word of a text; empty if none does. */
  rulesFor(text: string): Set<string> {
    return new Set(this.#words.flatMap((word) => this.#rulesOf(word, text)))
  }

  /**
   * Whether the rules define a result: not for a digit at an edge, which may belong to the word or not, for look-alikes
   * alone, for a styled or accented word that is marked as exact, nor for an innocent word with
   * accents or invisible characters.
   */
  isDefined(text: string): boolean {
    const glyphs = readGlyphs(text)
    if (glyphs.at(0)?.kind === 'digit' || glyphs.at(-1)?.kind === 'digit') return false
    const bare = text
      .normalize('NFKD')
      .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
      .toLowerCase()
    if (bare !== text.toLowerCase() && this.#knowledge.isInnocent(bare)) return false
    if (!this.#words.every(({ letters }) => hasGenuine(glyphs, letters))) return false
    const isStyled = text.toLowerCase() !== glyphs.map(({ letter }) => letter).join('')
    return !(isStyled && this.#words.some(({ isExact, letters }) => isExact && isSameWord(glyphs, letters)))
  }

  #rulesOf(word: Word, text: string): string[] {
    const { letters, forms } = word
    const lower = text.toLowerCase()
    if (lower === letters) return ['word']
    const glyphs = readGlyphs(text)
    if (word.isExact) return []
    if (isSameWord(glyphs, letters)) return ['word', 'disguise']
    const isExcused = this.#knowledge.isInnocent(lower) && !forms.includes(lower)
    if (isOpenMatch(word, glyphs) && !(isExcused && !lower.includes(letters))) return ['open', 'disguise']
    if (isExcused) return []
    const isDisguised = [letters, ...forms].some((form) => isDisguise(glyphs, form))
    const isBuilt = word.isStem && isInside(glyphs, letters)
    return [
      ...(forms.includes(lower) ? ['inflection'] : []),
      ...(isDisguised ? ['inflection', 'disguise'] : []),
      ...(isBuilt ? ['inflection', 'compound', 'disguise'] : []),
    ]
  }
}

function read(expression: string, { language, dictionary, isInnocent }: Knowledge): Word {
  const letters = expression.replaceAll(/^\*|[*!]$/g, '')
  const [isOpenBefore, isOpenAfter] = [expression.startsWith('*'), expression.endsWith('*')]
  const isClosed = !isOpenBefore && !isOpenAfter
  const inflected = isClosed && language !== undefined ? formsOf(letters, language, isInnocent) : []
  const isStem = isClosed && language !== undefined && !dictionary.includes(letters)
  return { letters, isOpenBefore, isOpenAfter, isExact: expression.endsWith('!'), forms: inflected, isStem }
}

function formsOf(letters: string, language: Language, isInnocent: Knowledge['isInnocent']): string[] {
  const isKnown = isInnocent(letters) || language.vulgarWords.includes(letters)
  return language.endings.flatMap(({ strip, add, doubles, isDerivation }) => {
    if (!letters.endsWith(strip)) return []
    const stem = letters.slice(0, letters.length - strip.length)
    const forms = [stem + add, ...(doubles && strip === '' ? [stem + stem.slice(-1) + add] : [])]
    return forms.filter(
      (form) =>
        !isInnocent(form) || (isKnown && !isDerivation && !ownsForm(form, letters, isInnocent, language)),
    )
  })
}

/** Whether it differs at most in case, style, accents and invisible characters. */
const isSameWord = (glyphs: readonly VisibleGlyph[], letters: string) =>
  glyphs.length === letters.length && glyphs.every(({ bare }, at) => bare === letters[at])

const isDisguise = (glyphs: readonly VisibleGlyph[], letters: string) =>
  letters.length >= MIN_DISGUISED &&
  endsOf(glyphs, 0, letters).includes(glyphs.length) &&
  hasGenuine(glyphs, letters)

/** Look-alikes alone could be a number or a word of another script, unless all of them are letters. */
const hasGenuine = (glyphs: readonly VisibleGlyph[], letters: string) =>
  glyphs.every(({ kind }) => kind === 'letter') ||
  glyphs.some((each) => Array.from(letters).some((letter) => isLetter(each, letter)))

/** Whether the word stands inside, at the start or at the end, as its open sides allow. */
const isOpenMatch = ({ letters, isOpenBefore, isOpenAfter }: Word, glyphs: readonly VisibleGlyph[]) =>
  (isOpenBefore || isOpenAfter) && isInside(glyphs, letters, isOpenBefore, isOpenAfter)

const isInside = (
  glyphs: readonly VisibleGlyph[],
  letters: string,
  isOpenBefore = true,
  isOpenAfter = true,
): boolean =>
  glyphs.some(
    (_, from) =>
      (from === 0 || isOpenBefore) &&
      endsOf(glyphs, from, letters).some(
        (end) => (end === glyphs.length || isOpenAfter) && hasGenuine(glyphs.slice(from, end), letters),
      ),
  )

/** Every place where the letters can end if each may be repeated and replaced by a look-alike. */
function endsOf(glyphs: readonly VisibleGlyph[], from: number, letters: string): number[] {
  const [letter = ''] = letters
  const ends: number[] = []
  for (let at = from; at < glyphs.length && standsFor(glyphs[at]!, letter); at++)
    ends.push(...(letters.length === 1 ? [at + 1] : endsOf(glyphs, at + 1, letters.slice(1))))
  return [...new Set(ends)]
}
