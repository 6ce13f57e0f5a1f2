import { Random } from '../../test/filter/random.ts'
import type { SpeedTexts } from './speed-texts.ts'
import { BuildingBlocks } from './worst-blocks.ts'
import { readWorstTexts, type Size, type WorstText, WorstTimer, writeWorstTexts } from './worst-texts.ts'

const POPULATION = 16
const KEPT = 5
const TOURNAMENT = 3
const [QUICK_RUNS, SURE_RUNS] = [3, 12]
const MAX_UNIT = 1000
const NANOS_PER_MINUTE = 60e9
const LANGUAGES: Readonly<Record<Size, readonly string[]>> = {
  small: ['en'],
  large: ['en', 'ko', 'pl', 'ru', 'zh', 'th', 'ja'],
}
/** The small list has only one language, but a goal of its own. */
const SHARES: Readonly<Record<Size, number>> = { small: 0.3, large: 0.7 }

interface Individual {
  readonly unit: string
  readonly micros: number
}

/** Searches for texts that take longer than those on file, and puts the slowest of all into the file. */
export function searchWorstTexts(texts: SpeedTexts, minutes: number): void {
  const seed = Math.floor(Math.random() * 0x7fff_ffff)
  console.error(`Searching for slow texts, seed ${seed}`)
  const random = new Random(seed)
  const known = readWorstTexts()
  const found = (Object.keys(LANGUAGES) as Size[]).flatMap((size) => {
    const timer = new WorstTimer(texts, size)
    const nanos = (minutes * NANOS_PER_MINUTE * SHARES[size]) / LANGUAGES[size].length
    return LANGUAGES[size].flatMap((language): WorstText[] => {
      const units = known.flatMap((each) =>
        each.size === size && each.language === language ? [each.unit] : [],
      )
      const slowest = new WorstSearch(timer, language, random).run(units, nanos)
      const [{ unit = '', micros = 0 } = {}] = slowest
      console.error(`${size} ${language}: ${micros.toFixed(0)} µs, ${JSON.stringify(unit)}`)
      return slowest.map(({ unit }) => ({ size, language, unit }))
    })
  })
  writeWorstTexts(found)
}

/** A steady-state genetic search: a child replaces the fastest text of the population if it is slower. */
class WorstSearch {
  readonly #language: string
  readonly #random: Random
  readonly #timer: WorstTimer
  readonly #blocks: BuildingBlocks
  #population: Individual[] = []

  constructor(timer: WorstTimer, language: string, random: Random) {
    this.#language = language
    this.#random = random
    this.#timer = timer
    const lists = timer.lists.filter((list) => list.language === language)
    this.#blocks = new BuildingBlocks(random, ['fuck', ...lists.flatMap((list) => list.expressions)])
  }

  /** The slowest first. */
  run(known: readonly string[], nanos: number): Individual[] {
    const end = Bun.nanoseconds() + nanos
    this.#population = known.map((unit) => this.#measure(unit))
    while (this.#population.length < POPULATION) this.#population.push(this.#measure(this.#blocks.make()))
    while (Bun.nanoseconds() < end) this.#evolve()
    return this.#slowest()
  }

  /** The slowest of each kind, measured again: a time that was too long by chance must not survive. */
  #slowest(): Individual[] {
    const slowest = this.#population
      .map(({ unit }) => ({ unit, micros: this.#timer.timeWell(unit, this.#language) }))
      .toSorted((a, b) => b.micros - a.micros)
    const kinds = slowest.map(({ unit }) => kindOf(unit))
    return slowest.filter((_, index) => kinds.indexOf(kinds[index]!) === index).slice(0, KEPT)
  }

  #evolve(): void {
    const parent = this.#choose()
    const child = this.#random.oneIn(4)
      ? this.#blocks.cross(parent.unit, this.#choose().unit)
      : this.#blocks.mutate(parent.unit)
    if (child === '' || child.length > MAX_UNIT) return
    if (this.#population.some(({ unit }) => unit === child)) return
    const least = this.#population.reduce((one, other) => (one.micros < other.micros ? one : other))
    if (this.#timer.time(child, this.#language, QUICK_RUNS) <= least.micros) return
    const measured = this.#measure(child)
    if (measured.micros > least.micros) this.#population[this.#population.indexOf(least)] = measured
  }

  #choose(): Individual {
    const some = Array.from({ length: TOURNAMENT }, () => this.#random.pick(this.#population))
    return some.reduce((one, other) => (one.micros > other.micros ? one : other))
  }

  #measure(unit: string): Individual {
    return { unit, micros: this.#timer.time(unit, this.#language, SURE_RUNS) }
  }
}

const KINDS = [/\s/u, /[@$!|(+<€]/u, /[*#]/u, /[._,/-]/u, /\d/u, /[\p{M}\p{Cf}]/u, /[가-힣]/u, /[ㄱ-ㅣ]/u]

/** Which kinds of characters a unit contains. Texts of the same kind are mostly copies of one another. */
const kindOf = (unit: string) => KINDS.map((pattern) => (pattern.test(unit) ? 1 : 0)).join('')
