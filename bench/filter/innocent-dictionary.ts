import type { Ending, Language } from '../../src/filter/words/languages.ts'
import { DERIVED_WORDS } from './derived-words.ts'

/** Why a word of the dictionary is not innocent. */
export type Exclusion = 'listed' | 'inflection' | 'derived' | 'vulgar'

export interface InnocentWords {
  readonly innocent: readonly string[]
  readonly excluded: ReadonlyMap<string, Exclusion>
}

/** Doubles its last consonant before a vowel: rap, rapping. */
const DOUBLING = /^[^aeiou]*[aeiou][^aeiouwxy]$/
const VOWEL = /^[aeiouy]/

/**
 * The dictionary without the listed words, their inflections and derivatives, and the vulgar words. Decides on its own
 * which inflection belongs to which word, so that a mistake of the engine is not repeated here.
 */
export class InnocentDictionary {
  readonly #words: readonly string[]
  readonly #known: ReadonlySet<string>
  readonly #vulgar: ReadonlySet<string>
  readonly #inflections: readonly Ending[]

  constructor(words: readonly string[], { vulgarWords, endings }: Language) {
    this.#words = words
    this.#known = new Set(words.map((word) => word.toLowerCase()))
    this.#vulgar = new Set(vulgarWords)
    this.#inflections = endings.filter(({ isDerivation }) => !isDerivation)
  }

  without(expressions: readonly string[]): InnocentWords {
    const listed = new Set(expressions.map((each) => each.toLowerCase()))
    const derived = new Set([...listed].flatMap((word) => DERIVED_WORDS[word]?.split(' ') ?? []))
    const excluded = new Map<string, Exclusion>()
    const innocent = this.#words.filter((word) => {
      const reason = this.#reasonToExclude(word.toLowerCase(), listed, derived)
      if (reason !== undefined) excluded.set(word, reason)
      return reason === undefined
    })
    return { innocent, excluded }
  }

  #reasonToExclude(
    word: string,
    listed: ReadonlySet<string>,
    derived: ReadonlySet<string>,
  ): Exclusion | undefined {
    if (listed.has(word)) return 'listed'
    if (this.#vulgar.has(word)) return 'vulgar'
    if (this.#isInflection(word, listed)) return 'inflection'
    return derived.has(word) ? 'derived' : undefined
  }

  /** Whether it is a form of a listed word and of no other: `spiced` belongs to `spice`. */
  #isInflection(word: string, listed: ReadonlySet<string>): boolean {
    const lemmas = this.#lemmasOf(word)
    return (
      lemmas.some((lemma) => listed.has(lemma)) &&
      lemmas.every((lemma) => listed.has(lemma) || this.#vulgar.has(lemma))
    )
  }

  #lemmasOf(form: string): string[] {
    return this.#inflections.flatMap((ending) => {
      if (!form.endsWith(ending.add)) return []
      const stem = form.slice(0, form.length - ending.add.length)
      const undoubled = ending.doubles && stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : []
      return [stem + ending.strip, ...undoubled].filter(
        (lemma) => lemma !== form && this.#known.has(lemma) && formOf(lemma, ending) === form,
      )
    })
  }
}

/** The regular form: hope, hoping; rap, rapping; rape, raping. */
function formOf(lemma: string, { strip, add, doubles, after }: Ending): string | undefined {
  if (!lemma.endsWith(strip) || after?.includes(lemma.slice(-1)) === false) return undefined
  if (strip === '' && VOWEL.test(add) && lemma.endsWith('e') && !lemma.endsWith('ee')) return undefined
  const doubled = doubles && strip === '' && DOUBLING.test(lemma) ? lemma.slice(-1) : ''
  return lemma.slice(0, lemma.length - strip.length) + doubled + add
}
