/** How a word of a language is inflected: `strip` is removed from its end, `add` appended. */
export interface Ending {
  readonly strip: string
  readonly add: string
  /**
   * Makes a word of its own rather than a form (butt, butter): a form in the dictionary is then never taken for one of
   * the listed word.
   */
  readonly isDerivation: boolean
  /** May follow a doubled last consonant: shitting. */
  readonly doubles: boolean
  /** The correct spelling takes this ending only after one of these letters; players take it after any. */
  readonly after?: string
}

export interface Language {
  readonly code: string
  /** Innocent words with their inflected forms, in lower case, sorted, each followed by a newline. Decoded on every call. */
  innocentWords(): string
  /** Innocent words that the dictionary lacks: very short ones and abbreviations of chat. */
  readonly chatWords: readonly string[]
  /** Reviewed by hand; never innocent. */
  readonly vulgarWords: readonly string[]
  /** At most 31 distinct `add`s. */
  readonly endings: readonly Ending[]
}

type EndingOptions = Partial<Omit<Ending, 'add'>>

/** Endings with the same properties, separated by spaces. */
export const endings = (adds: string, options: EndingOptions = {}): Ending[] =>
  adds.split(' ').map((add) => ({ strip: '', isDerivation: false, doubles: false, ...options, add }))
