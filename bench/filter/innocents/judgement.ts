import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Hit } from '../../../src/filter/filter.ts'
import { languageOf } from '../../../src/filter/words/languages.ts'

const VULGAR = path.join(import.meta.dir, 'vulgar')

/** Why a hit is none on an innocent word: the list names the word itself, or a reviewer found the word vulgar. */
export type Reason = 'listed' | 'vulgar'

/** Decides which hits are false alarms. Dictionaries contain vulgar words as well: those are excluded, and counted. */
export class Judgement {
  readonly #listed: ReadonlySet<string>
  readonly #vulgar: ReadonlySet<string>
  readonly #vulgarPattern: RegExp
  readonly #segmenter: Intl.Segmenter

  constructor(language: string, expressions: readonly string[]) {
    this.#listed = new Set(expressions.map((expression) => keyOf(expression.replace(/(?<=.)!.*$/, ''))))
    this.#vulgar = new Set(languageOf(language)?.vulgarWords)
    this.#vulgarPattern = readVulgarWords(language)
    this.#segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  }

  countWords(text: string): number {
    if (!BREAKS.test(text)) return 1
    let words = 0
    for (const { isWordLike } of this.#segmenter.segment(text)) if (isWordLike) words++
    return words
  }

  /** Undefined for a false alarm. */
  reasonToExclude(text: string, hit: Hit): Reason | undefined {
    const word = keyOf(this.wordAround(text, hit))
    if (this.#listed.has(word)) return 'listed'
    return this.#vulgar.has(word) || this.#vulgarPattern.test(word) ? 'vulgar' : undefined
  }

  /** The words that a hit touches, whole. */
  wordAround(text: string, { start, end }: Pick<Hit, 'start' | 'end'>): string {
    if (!BREAKS.test(text)) return text
    const segments = this.#segmenter.segment(text)
    const first = segments.containing(start)?.index ?? start
    const last = segments.containing(end - 1)
    return text.slice(first, last === undefined ? end : last.index + last.segment.length)
  }
}

/** A text is one word, even of a script without spaces, unless it contains white space or is very long. */
const BREAKS = /[\s\p{Sentence_Terminal}、，]|^.{25}/u

const keyOf = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/['’]s?$/, '')
    .trim()

/**
 * vulgar/LANGUAGE.txt, reviewed by hand: words that the starter list does not name but that are its words' forms, their
 * compounds, or otherwise vulgar. `*` stands for any letters, `?` for one; lines that start with `#` are comments.
 */
function readVulgarWords(language: string): RegExp {
  const file = path.join(VULGAR, `${language}.txt`)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const words = lines.map((line) => line.replace(/#.*$/, '').trim()).filter((line) => line !== '')
  const patterns = words.map((word) =>
    keyOf(word)
      .replaceAll(/[.+()[\]{}|\\^$]/g, '\\$&')
      .replaceAll('?', '.')
      .replaceAll('*', '.*'),
  )
  return patterns.length === 0 ? /(?!)/ : new RegExp(`^(?:${patterns.join('|')})$`, 'u')
}
