import type { Ending, Language } from './language.ts'

type Lookup = (word: string) => boolean

/** The word with an ending. */
export const inflect = (word: string, { strip, add }: Ending): string | undefined =>
  word.endsWith(strip) ? word.slice(0, word.length - strip.length) + add : undefined

/**
 * Whether another word than `word` owns `form`, a word of the dictionary that looks like an inflected `word`: `spiced`
 * belongs to `spice` and not to `spic`. The owner is a longer word that explains the form and has forms of its own, or the
 * form itself if it has such forms (`brass`, `brasses` beside `bras`).
 */
export function ownsForm(form: string, word: string, has: Lookup, language: Language): boolean {
  return new Ownership(word, has, language).isOwned(form)
}

class Ownership {
  readonly #word: string
  readonly #has: Lookup
  readonly #inflections: readonly Ending[]
  /** Correctly spelled forms of the word, whether the dictionary has them or not. */
  readonly #forms: ReadonlySet<string>

  constructor(word: string, has: Lookup, { endings }: Language) {
    this.#word = word
    this.#has = has
    this.#inflections = endings.filter(({ isDerivation }) => !isDerivation)
    this.#forms = new Set(this.#formsOf(word, endings))
  }

  isOwned(form: string): boolean {
    if (!this.#formsOf(this.#word, this.#inflections).includes(form) || this.#isLemma(form)) return true
    return this.#basesOf(form).some(
      (base) => base.length > this.#word.length && this.#has(base) && this.#isLemma(base),
    )
  }

  /** Whether a word has forms that are not forms of the listed word as well. `assessed` is no evidence for `asses`. */
  #isLemma(candidate: string): boolean {
    return this.#inflections.some((ending) => {
      const form = takes(candidate, ending) ? inflect(candidate, ending) : undefined
      return form !== undefined && form !== this.#word && this.#has(form) && !this.#forms.has(form)
    })
  }

  #formsOf(word: string, endings: readonly Ending[]): string[] {
    return endings.flatMap((ending) => (takes(word, ending) ? formsWith(word, ending) : []))
  }

  /** The words that may have this form. One whose last letter is doubled in it is never longer than the listed word. */
  #basesOf(form: string): string[] {
    return this.#inflections.flatMap((ending) => {
      const { strip, add } = ending
      if (!form.endsWith(add)) return []
      const base = form.slice(0, form.length - add.length) + strip
      return takes(base, ending) ? [base] : []
    })
  }
}

/** Whether the spelling of a word allows an ending. */
function takes(word: string, { strip, add, after }: Ending): boolean {
  const last = word.at(-1) ?? ''
  if (!word.endsWith(strip) || word.length <= strip.length) return false
  // `princess` is not the plural of `princes`.
  if (strip === '' && add.startsWith(last)) return false
  return after === undefined || after.includes(last)
}

function formsWith(word: string, ending: Ending): string[] {
  const form = inflect(word, ending)
  const forms = form === undefined ? [] : [form]
  return ending.doubles ? [...forms, word + word.at(-1) + ending.add] : forms
}
