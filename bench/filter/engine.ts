import type { Labeled } from './corpora.ts'
import { percentOf } from './rows.ts'
import { compileSubject, type List } from './subject.ts'

export interface Engine {
  readonly name: string
  /** Too slow to check a whole dictionary. */
  readonly isSlow: boolean
  has(text: string): boolean
}

/** The engine under evaluation, which also reports spans and expressions. */
export class Parley implements Engine {
  readonly name = 'Parley'
  readonly isSlow = false
  readonly #filter
  readonly #language: string

  constructor(list: List) {
    this.#filter = compileSubject([list])
    this.#language = list.language
  }

  has(text: string): boolean {
    return this.#filter.clean(text, this.#language).hits.length > 0
  }

  masksAll(text: string, start: number, end: number): boolean {
    const { hits } = this.#filter.clean(text, this.#language)
    return hits.some((hit) => hit.start <= start && hit.end >= end)
  }

  /** The text with what was found in it. */
  describe(text: string): string {
    const found = this.#filter
      .find(text, this.#language)
      .map((hit) => `${hit.expression} in ${JSON.stringify(text.slice(hit.start, hit.end))}`)
    return [JSON.stringify(text), ...(found.length > 0 ? [found.join('; ')] : [])].join(' <- ')
  }

  describeAll(texts: readonly string[]): string[] {
    return texts.map((text) => this.describe(text))
  }
}

/** Percentages. */
export interface Figures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly falsePositiveRate: number
}

export interface Score extends Figures {
  readonly falsePositives: readonly string[]
  readonly falseNegatives: readonly string[]
}

export function score(engine: Engine, rows: readonly Labeled[]): Score {
  const flagged = rows.filter(({ text }) => text.split('\n').some((line) => engine.has(line)))
  const isFlagged = new Set(flagged)
  const truePositives = flagged.filter((row) => row.isProfane).length
  const profane = rows.filter((row) => row.isProfane)
  const precision = percentOf(truePositives, flagged.length)
  const recall = percentOf(truePositives, profane.length)
  const falsePositives = flagged.filter((row) => !row.isProfane).map(({ text }) => text)
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    falsePositiveRate: percentOf(falsePositives.length, rows.length - profane.length),
    falsePositives,
    falseNegatives: profane.filter((row) => !isFlagged.has(row)).map(({ text }) => text),
  }
}

/** The percentage of texts flagged. Slow engines check every eighth text. */
export function shareFlagged(engine: Engine, texts: readonly string[]): number {
  const checked = engine.isSlow && texts.length > 10_000 ? texts.filter((_, index) => index % 8 === 0) : texts
  return percentOf(checked.filter((text) => engine.has(text)).length, checked.length)
}
