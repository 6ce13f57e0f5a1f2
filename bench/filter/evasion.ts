import { Random } from '../../test/filter/random.ts'
import type { Measurement } from '../support.ts'
import type { Engine, Parley } from './engine.ts'
import { type EvaluationContext, listPeers, type Part } from './evaluation.ts'
import { type EvasionCase, type EvasionSuite, makeSuites } from './evasion-suites.ts'
import { END_OF_REVERSED, type Obfuscation, REVERSED } from './obfuscations.ts'
import { percent, percentOf, toMeasurement } from './rows.ts'

const SEED = 20_240_607
const GOAL = 98

/** A harmless line with an obfuscated word inserted. */
interface ObfuscatedLine {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly parley: Parley
}

/** Words of each script, disguised by every trick. */
export const evaluateEvasion: Part = async (context) => {
  const rows: Measurement[] = []
  for (const suite of await makeSuites(context, SEED)) {
    for (const [name, obfuscate] of Object.entries(suite.obfuscations)) {
      const row = evaluateObfuscation(suite, name, obfuscate, context)
      if (row !== undefined) rows.push(row)
    }
    rows.push(evaluateCarriers(suite, context))
  }
  return rows
}

function evaluateObfuscation(
  { script, cases, peers }: EvasionSuite,
  name: string,
  obfuscate: Obfuscation,
  { details }: EvaluationContext,
): Measurement | undefined {
  const lines = obfuscateAll(cases, obfuscate)
  if (lines.length === 0) return undefined
  const caught = lines.filter(({ text, parley }) => parley.has(text))
  const whole = lines.filter(({ text, start, end, parley }) => parley.masksAll(text, start, end))
  const what = `Evasion, ${script}: ${name}`
  const describe = (some: readonly ObfuscatedLine[]) => some.map(({ text, parley }) => parley.describe(text))
  details.add(`${what}, missed`, describe(lines.filter((line) => !caught.includes(line))))
  details.add(`${what}, not fully masked`, describe(caught.filter((line) => !whole.includes(line))))
  const shareOf = (peer: Engine) => percentOf(lines.filter(({ text }) => peer.has(text)).length, lines.length)
  return toMeasurement({
    what,
    parley: `${caught.length} of ${lines.length}, ${whole.length} fully masked`,
    baseline: listPeers(peers, (peer) => percent(shareOf(peer), 0)),
    figure: percentOf(caught.length, lines.length),
    unit: '%',
    goal: { atLeast: GOAL },
  })
}

function evaluateCarriers(
  { script, cases, peers }: EvasionSuite,
  { details }: EvaluationContext,
): Measurement {
  const flagged = cases.filter(({ carrier, parley }) => parley.has(carrier))
  details.add(
    `Evasion, ${script}: carrier lines flagged`,
    flagged.map(({ carrier, parley }) => parley.describe(carrier)),
  )
  return toMeasurement({
    what: `Evasion, ${script}: carrier lines without the words`,
    parley: `${flagged.length} of ${cases.length} flagged`,
    baseline: listPeers(peers, (peer) => String(cases.filter(({ carrier }) => peer.has(carrier)).length)),
    figure: flagged.length,
    unit: 'flagged',
    goal: { atMost: 0 },
  })
}

function obfuscateAll(cases: readonly EvasionCase[], obfuscate: Obfuscation): ObfuscatedLine[] {
  const random = new Random(SEED)
  return cases.flatMap(({ word, carrier, parley }) => {
    const obfuscated = obfuscate(word, random)
    return obfuscated === undefined ? [] : [{ ...insertInto(carrier, obfuscated, random), parley }]
  })
}

function insertInto(carrier: string, obfuscated: string, random: Random) {
  const pieces = carrier.split(' ')
  const position = random.below(pieces.length + 1)
  const before = pieces.slice(0, position).map((piece) => `${piece} `)
  const inserted = before.join('').length
  return {
    text: [...before, obfuscated, ...pieces.slice(position).map((piece) => ` ${piece}`)].join(''),
    start: inserted + (obfuscated.startsWith(REVERSED) ? 1 : 0),
    end: inserted + obfuscated.length - (obfuscated.endsWith(END_OF_REVERSED) ? 1 : 0),
  }
}
