export interface Source {
  /** Lines of a file in the folder of the sources, by its path there. */
  readonly lines: (file: string) => string[]
}

/** How the words of a language are made from their sources. */
export interface Dictionary {
  /** The folder in src/filter/words/. */
  readonly name: string
  readonly vulgarWords: readonly string[]
  /** In lower case, in any order. */
  read(source: Source): string[]
  /** Other words are left out: abbreviations, words with an apostrophe or a hyphen, foreign letters. */
  readonly letters: RegExp
}

/** In lower case and without accents. */
export const plainLetters = (word: string) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export const isPlural = (word: string, known: ReadonlySet<string>) =>
  word.endsWith('s') && known.has(word.slice(0, -1))
