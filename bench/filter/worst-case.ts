import { ADVERSARIAL_TEXTS } from '../../test/filter/adversarial-texts.ts'
import { type Measurement, median } from '../support.ts'
import { toMeasurement } from './rows.ts'
import { flatten, type SpeedTexts } from './speed-texts.ts'
import { compileSubject } from './subject.ts'
import { readWorstTexts, type Size, WorstTimer } from './worst-texts.ts'

const LENGTH = 4096
const GOAL_MICROS = 200
const SPENT_MS = 200
const SHOWN = 4
const NAME_LENGTH = 16

/** Texts without hits that resemble listed words, all of one kind. */
const PLAIN = ['a', 'as', 'separators', '시']

interface Time {
  readonly name: string
  readonly language: string
  readonly micros: number
}

/** Long adversarial texts. */
export function measureWorstCase({ large }: SpeedTexts): Measurement[] {
  const filter = compileSubject(large)
  const times = Object.entries(ADVERSARIAL_TEXTS).flatMap(([name, piece]) =>
    ['en', 'ko'].map((language): Time => {
      const text = flatten(piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH))
      return { name, language, micros: timeClean(() => filter.clean(text, language).hits.length) }
    }),
  )
  const plain = times.filter(({ name }) => PLAIN.includes(name))
  return [
    describeWorst(`Worst of ${PLAIN.join(', ')} repeated to 4,096 characters`, plain),
    describeWorst(`Worst of ${times.length} such texts, many with hundreds of hits`, times),
  ]
}

/** The slowest messages that a search has found. */
export function measureWorstTexts(texts: SpeedTexts): Measurement[] {
  const goals: Record<Size, number> = { small: 300, large: 1000 }
  return (Object.keys(goals) as Size[]).map((size) => {
    const timer = new WorstTimer(texts, size)
    const slowest = readWorstTexts()
      .filter((each) => each.size === size)
      .map(({ unit, language }) => ({ unit, language, micros: timer.timeWell(unit, language) }))
      .toSorted((a, b) => b.micros - a.micros)
    const count = timer.lists.reduce((sum, { expressions }) => sum + expressions.length, 0)
    return toMeasurement({
      what: `Slowest message of 1,000 bytes found by search, ${count.toLocaleString('en')} expressions`,
      parley: slowest
        .slice(0, SHOWN)
        .map(({ unit, language, micros }) => `${name(unit)} in ${language}: ${micros.toFixed(0)} µs`)
        .join('; '),
      figure: slowest[0]?.micros ?? 0,
      unit: 'µs',
      goal: { atMost: goals[size] },
    })
  })
}

const name = (unit: string) => JSON.stringify([...unit].slice(0, NAME_LENGTH).join('')).replaceAll('|', '\\|')

function describeWorst(what: string, times: readonly Time[]): Measurement {
  const slowest = times.toSorted((a, b) => b.micros - a.micros).slice(0, SHOWN)
  return toMeasurement({
    what: `${what}, about 61,000 expressions`,
    parley: slowest
      .map(({ name, language, micros }) => `${name} in ${language}: ${micros.toFixed(0)} µs`)
      .join('; '),
    figure: slowest[0]!.micros,
    unit: 'µs',
    goal: { atMost: GOAL_MICROS },
  })
}

/** The median of the later runs: the first are not yet optimized, and outliers are due to other load. */
function timeClean(clean: () => number): number {
  const times: number[] = []
  const end = Bun.nanoseconds() + SPENT_MS * 1e6
  let hits = 0
  do {
    const start = Bun.nanoseconds()
    hits += clean()
    times.push((Bun.nanoseconds() - start) / 1000)
  } while (Bun.nanoseconds() < end)
  if (Number.isNaN(hits)) throw new Error('The filter returned no hits.')
  return median(times.slice(Math.floor(times.length / 2)))
}
