import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { flatten, type SpeedTexts } from './speed-texts.ts'
import { compileSubject, type List, type Subject } from './subject.ts'

const FILE = path.join(import.meta.dir, 'worst-texts.json')
const MAX_BYTES = 1000
const SPENT_NANOS = 40e6
const MIN_RUNS = 10
const MIN_CPU_MICROS = 500

/** The size of the lists. */
export type Size = 'small' | 'large'

/** A text that takes long: the unit, repeated to 1,000 bytes, in a message of the language. */
export interface WorstText {
  readonly size: Size
  readonly language: string
  readonly unit: string
}

/** The slowest texts that any search has found. */
export const readWorstTexts = (): WorstText[] => JSON.parse(readFileSync(FILE, 'utf8'))

export const writeWorstTexts = (texts: readonly WorstText[]) =>
  writeFileSync(FILE, `${JSON.stringify(texts, null, 2)}\n`)

/** Repeats a unit as often as it fits, then a part of it. Whole characters only. */
export function fillMessage(unit: string): string {
  const bytes = Buffer.byteLength(unit)
  if (bytes === 0) return ''
  let text = unit.repeat(Math.floor(MAX_BYTES / bytes))
  let left = MAX_BYTES - Buffer.byteLength(text)
  for (const character of unit) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    text += character
  }
  return flatten(text)
}

/** Measures the time of `clean` for one size of lists. */
export class WorstTimer {
  readonly lists: readonly List[]
  readonly #filter: Subject

  constructor(texts: SpeedTexts, size: Size) {
    this.lists = texts[size]
    this.#filter = compileSubject(this.lists)
  }

  /** Microseconds of the fastest of so many runs: others were interrupted or not yet optimized. */
  time(unit: string, language: string, runs: number): number {
    const text = fillMessage(unit)
    let fastest = Number.POSITIVE_INFINITY
    for (let run = 0; run < runs; run++) fastest = Math.min(fastest, this.#timeOnce(text, language))
    return fastest
  }

  timeWell(unit: string, language: string): number {
    const text = fillMessage(unit)
    const end = Bun.nanoseconds() + SPENT_NANOS
    let fastest = Number.POSITIVE_INFINITY
    for (let run = 0; run < MIN_RUNS || Bun.nanoseconds() < end; run++)
      fastest = Math.min(fastest, this.#timeOnce(text, language))
    return fastest
  }

  #timeOnce(text: string, language: string): number {
    const cpu = process.cpuUsage()
    const start = Bun.nanoseconds()
    const { hits } = this.#filter.clean(text, language)
    const micros = (Bun.nanoseconds() - start) / 1000
    if (hits.length < 0) throw new Error('The filter returned no hits.')
    // A long run is interrupted on a busy machine; the resolution of the processor time is too low for a short one.
    const { user, system } = process.cpuUsage(cpu)
    return micros < MIN_CPU_MICROS ? micros : Math.min(micros, user + system)
  }
}
