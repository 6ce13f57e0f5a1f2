import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { List } from './subject.ts'

/** A text labeled by people. */
export interface Labeled {
  readonly text: string
  readonly isProfane: boolean
}

export class MissingCorpusError extends Error {
  constructor(file: string) {
    super(`${file} does not exist; set the data folder with --data`)
  }
}

/** Word lists and labeled chat in a folder next to the repository: not all of it may be redistributed. */
export class Corpora {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  english(): List {
    return { language: 'en', expressions: this.#lines('ldnoobw/en') }
  }

  /** The public list of a language, or of several as one. */
  listed(language: string, ...files: readonly string[]): List {
    return { language, expressions: [...new Set(files.flatMap((file) => this.#lines(file)))] }
  }

  /** The list that belongs to the evasive phrases. A leading space means a word of its own, as every word does here. */
  evasionList(): List {
    const [, ...rows] = this.#lines('rustrict/profanity.csv')
    return { language: 'en', expressions: rows.map((row) => row.split(',', 1)[0]!.trim()) }
  }

  korean(): List {
    return { language: 'ko', expressions: this.#lines('korean_bad_words/korean-bad-words.md') }
  }

  /** About 61,000 expressions in 75 languages. */
  everyLanguage(): List[] {
    const files = readdirSync(this.#find('ldnoobw_v2')).filter((name) => /^\w+\.txt$/.test(name))
    return files
      .filter((name) => name !== 'SOURCE.txt')
      .map((name) => {
        const language = path.basename(name, '.txt')
        const expressions = this.#lines(`ldnoobw_v2/${name}`)
        return {
          language,
          expressions: language === 'ko' ? [...expressions, ...this.korean().expressions] : expressions,
        }
      })
  }

  /** Every list at hand, one for each language and source. */
  allLists(): List[] {
    const files = readdirSync(this.#find('ldnoobw')).filter((name) => /^[a-z]{2,3}(?:-\w+)*$/.test(name))
    const listed = files.map((language) => this.listed(language, `ldnoobw/${language}`))
    return [...listed, ...this.everyLanguage(), this.evasionList()]
  }

  /** Without possessive forms. */
  dictionary(): string[] {
    return this.#lines('english_dictionary/american-english-large').filter((word) => !word.includes("'"))
  }

  /** Game chat. Consecutive lines of a player form one row, which is profane if any word is labeled toxic. */
  gameChat(): (Labeled & { readonly isHarmless: boolean })[] {
    const [header, ...rows] = parseCsv(this.#read('conda/CONDA_train.csv').replaceAll('\r\n', '\n'))
    const column = (name: string) => header!.indexOf(name)
    const [text, intent, slots] = [column('utterance'), column('intentClass'), column('slotClasses')]
    return rows.map((row) => {
      const isProfane = row[slots]!.split(' ').includes('T')
      return {
        text: row[text]!.replaceAll(' [SEPA] ', '\n'),
        isProfane,
        isHarmless: !isProfane && (row[intent] === 'O' || row[intent] === 'A'),
      }
    })
  }

  koreanComments(): Labeled[] {
    return this.#lines('curse_detection_ko/dataset.txt').map((line) => {
      const bar = line.lastIndexOf('|')
      return { text: line.slice(0, bar), isProfane: line.slice(bar + 1) === '1' }
    })
  }

  evasions(): string[] {
    return this.#lines('rustrict/test_positive.even.txt')
  }

  innocents(): string[] {
    return this.#lines('rustrict/test_negative.even.txt')
  }

  fragments(): string[] {
    return this.#lines('rustrict/false_positives.txt')
  }

  #lines(file: string): string[] {
    return this.#read(file)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
  }

  #find(file: string): string {
    const found = path.join(this.#folder, file)
    if (!existsSync(found)) throw new MissingCorpusError(found)
    return found
  }

  #read(file: string): string {
    return readFileSync(this.#find(file), 'utf8')
  }
}

const CELL = /(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/y

function parseCsv(source: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < source.length) {
    const match = CELL.exec(source)
    if (match === null) throw new Error(`Cannot parse row ${rows.length + 1} of the table.`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
