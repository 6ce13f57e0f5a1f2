import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Ending } from '../../src/filter/words/language.ts'
import { type Entry, readHunspell } from './hunspell.ts'

/** How the words of a language are made from their sources. */
export interface Dictionary {
  /** The folder in src/filter/words/. */
  readonly name: string
  /** Name, version and copyright of the source. */
  readonly origin: string
  /** Texts are in src/filter/words/licenses/. */
  readonly license: string
  readonly code: string
  readonly endings: readonly Ending[]
  readonly vulgarWords: readonly string[]
  /** Entries of these stems are vulgar in all their forms. */
  readonly vulgarStems?: RegExp
  readonly maxWords: number
  /** Longer entries are left out unless they contain a vulgar word. */
  readonly maxLetters: number
  readonly alphabet: RegExp
  read(source: Source): Entry[]
}

/** The folder of the sources. */
export class Source {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  lines(file: string): string[] {
    const text = readFileSync(path.join(this.#folder, file), 'utf8')
    return text
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
  }

  /** One word per line. */
  words(file: string): Entry[] {
    return this.lines(file).map(plainEntry)
  }

  hunspell(file: string): Entry[] {
    return readHunspell(this.lines(`${file}.aff`), this.lines(`${file}.dic`))
  }
}

export const plainEntry = (word: string): Entry => ({ word, forms: new Map([[word, '']]) })
