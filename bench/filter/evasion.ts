import { Random } from '../../test/filter/random.ts'
import type { Measurement } from '../support.ts'
import type { Details } from './details.ts'
import { type Engine, Parley } from './engine.ts'
import { listPeers, type Part } from './evaluation.ts'
import { KOREAN_OBFUSCATIONS } from './korean-obfuscations.ts'
import { matchListed } from './listed.ts'
import { OBFUSCATIONS, type Obfuscation, POLICY_OBFUSCATIONS } from './obfuscations.ts'
import { percent, percentOf, toMeasurement } from './rows.ts'

const SEED = 20_240_607
const [ENGLISH_WORDS, KOREAN_WORDS] = [220, 200]
const [ENGLISH_GOAL, KOREAN_GOAL] = [95, 90]

/** A harmless line with an obfuscated word inserted. */
interface ObfuscatedLine {
  readonly text: string
  readonly start: number
  readonly end: number
}

interface EvasionSuite {
  readonly name: string
  readonly parley: Parley
  readonly peers: readonly Engine[]
  readonly words: readonly string[]
  readonly carriers: readonly string[]
  readonly details: Details
}

export const evaluateEvasion: Part = async ({ texts, details, englishPeers }) => {
  const random = new Random(SEED)
  const list = texts.english()
  const words = list.expressions.filter((each) => /^[a-z]{4,12}$/.test(each))
  const harmless = texts.gameChat().filter(({ text, isHarmless }) => isHarmless && /^[^\n]{8,60}$/.test(text))
  const suite = {
    name: 'Evasion',
    parley: new Parley(list),
    peers: await englishPeers(list),
    words: random.sample(words, ENGLISH_WORDS),
    carriers: chooseCarriers(harmless, ENGLISH_WORDS, random, matchListed(list.expressions)),
    details,
  }
  return [
    ...Object.entries(OBFUSCATIONS).map(([name, obfuscate]) =>
      evaluateObfuscation(suite, name, obfuscate, ENGLISH_GOAL),
    ),
    ...Object.entries(POLICY_OBFUSCATIONS).map(([name, obfuscate]) =>
      evaluateObfuscation(suite, `${name} (policy)`, obfuscate),
    ),
    evaluateCarriers(suite),
  ]
}

export const evaluateKoreanEvasion: Part = async ({ texts, details }) => {
  const random = new Random(SEED)
  const list = texts.korean()
  const words = list.expressions.filter((each) => /^[가-힣]{2,}$/.test(each))
  const harmless = texts
    .koreanComments()
    .filter(({ text, isProfane }) => !isProfane && /^[^\n]{8,60}$/.test(text))
  const suite = {
    name: 'Korean evasion',
    parley: new Parley(list),
    peers: [],
    words: random.sample(words, KOREAN_WORDS),
    carriers: chooseCarriers(harmless, KOREAN_WORDS, random, (text) =>
      list.expressions.some((each) => text.includes(each)),
    ),
    details,
  }
  return [
    ...Object.entries(KOREAN_OBFUSCATIONS).map(([name, obfuscate]) =>
      evaluateObfuscation(suite, name, obfuscate, KOREAN_GOAL),
    ),
    evaluateCarriers(suite),
  ]
}

function evaluateObfuscation(
  suite: EvasionSuite,
  name: string,
  obfuscate: Obfuscation,
  goal?: number,
): Measurement {
  const { parley, peers, details } = suite
  const obfuscated = obfuscateAll(suite, obfuscate)
  const caught = obfuscated.filter(({ text }) => parley.has(text))
  const whole = obfuscated.filter(({ text, start, end }) => parley.masksAll(text, start, end))
  const what = `${suite.name}, ${name}`
  details.add(
    `${what}: missed`,
    obfuscated.filter((each) => !caught.includes(each)).map(({ text }) => text),
    parley,
  )
  details.add(
    `${what}: not fully masked`,
    caught.filter((each) => !whole.includes(each)).map(({ text }) => text),
    parley,
  )
  const shareOf = (peer: Engine) =>
    percentOf(obfuscated.filter(({ text }) => peer.has(text)).length, obfuscated.length)
  return toMeasurement({
    what,
    parley: `${caught.length} of ${obfuscated.length}, ${whole.length} fully masked`,
    baseline: listPeers(peers, (peer) => percent(shareOf(peer), 0)),
    figure: percentOf(caught.length, obfuscated.length),
    unit: '%',
    goal: goal === undefined ? undefined : { atLeast: goal },
  })
}

function evaluateCarriers({ name, parley, peers, carriers, details }: EvasionSuite): Measurement {
  const flaggedBy = (engine: Engine) => carriers.filter((text) => engine.has(text))
  details.add(`${name}: carriers flagged`, flaggedBy(parley), parley)
  return toMeasurement({
    what: `${name}, carrier lines without the words`,
    parley: `${flaggedBy(parley).length} of ${carriers.length} flagged`,
    baseline: listPeers(peers, (peer) => String(flaggedBy(peer).length)),
    figure: flaggedBy(parley).length,
    unit: 'flagged',
    goal: { atMost: 0 },
  })
}

function obfuscateAll({ words, carriers }: EvasionSuite, obfuscate: Obfuscation): ObfuscatedLine[] {
  const random = new Random(SEED)
  return words.flatMap((word, index) => {
    const obfuscated = obfuscate(word, random)
    return obfuscated === undefined ? [] : [insertInto(carriers[index]!, obfuscated, random)]
  })
}

function insertInto(carrier: string, obfuscated: string, random: Random): ObfuscatedLine {
  const pieces = carrier.split(' ')
  const position = random.below(pieces.length + 1)
  const before = pieces.slice(0, position).map((piece) => `${piece} `)
  const start = before.join('').length
  return {
    text: [...before, obfuscated, ...pieces.slice(position).map((piece) => ` ${piece}`)].join(''),
    start,
    end: start + obfuscated.length,
  }
}

/** Lines labeled harmless that contain no listed expression. */
function chooseCarriers(
  harmless: readonly { readonly text: string }[],
  count: number,
  random: Random,
  isRejected: (text: string) => boolean,
): string[] {
  return random
    .sample(harmless, count * 2)
    .map(({ text }) => text.trim())
    .filter((text) => !isRejected(text))
    .slice(0, count)
}
