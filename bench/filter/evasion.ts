import { Random } from '../../test/filter/random.ts'
import type { Measurement } from '../support.ts'
import type { Details } from './details.ts'
import { type Engine, Parley } from './engine.ts'
import { KOREAN_TRICKS } from './korean-tricks.ts'
import { recogniseListed } from './listed.ts'
import { listPeers, type Part } from './part.ts'
import { percent, percentOf, toMeasurement } from './rows.ts'
import { POLICY_TRICKS, TRICKS, type Trick } from './tricks.ts'

const SEED = 20_240_607
const [ENGLISH_WORDS, KOREAN_WORDS] = [220, 200]
const [ENGLISH_GOAL, KOREAN_GOAL] = [95, 90]

/** A hidden word and the harmless line around it. */
interface Hidden {
  readonly text: string
  readonly start: number
  readonly end: number
}

interface Battery {
  readonly name: string
  readonly parley: Parley
  readonly peers: readonly Engine[]
  readonly words: readonly string[]
  readonly carriers: readonly string[]
  readonly details: Details
}

export const judgeEvasion: Part = async ({ texts, details, englishPeers }) => {
  const random = new Random(SEED)
  const list = texts.english()
  const words = list.expressions.filter((each) => /^[a-z]{4,12}$/.test(each))
  const harmless = texts.gameChat().filter(({ text, isHarmless }) => isHarmless && /^[^\n]{8,60}$/.test(text))
  const battery = {
    name: 'Evasion',
    parley: new Parley(list),
    peers: await englishPeers(list),
    words: random.sample(words, ENGLISH_WORDS),
    carriers: chooseCarriers(harmless, ENGLISH_WORDS, random, recogniseListed(list.expressions)),
    details,
  }
  return [
    ...Object.entries(TRICKS).map(([name, trick]) => judgeTrick(battery, name, trick, ENGLISH_GOAL)),
    ...Object.entries(POLICY_TRICKS).map(([name, trick]) => judgeTrick(battery, `${name} (policy)`, trick)),
    judgeCarriers(battery),
  ]
}

export const judgeKoreanEvasion: Part = async ({ texts, details }) => {
  const random = new Random(SEED)
  const list = texts.korean()
  const words = list.expressions.filter((each) => /^[가-힣]{2,}$/.test(each))
  const harmless = texts
    .koreanComments()
    .filter(({ text, isProfane }) => !isProfane && /^[^\n]{8,60}$/.test(text))
  const battery = {
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
    ...Object.entries(KOREAN_TRICKS).map(([name, trick]) => judgeTrick(battery, name, trick, KOREAN_GOAL)),
    judgeCarriers(battery),
  ]
}

function judgeTrick(battery: Battery, name: string, trick: Trick, goal?: number): Measurement {
  const { parley, peers, details } = battery
  const hidden = hideAll(battery, trick)
  const caught = hidden.filter(({ text }) => parley.has(text))
  const whole = hidden.filter(({ text, start, end }) => parley.masksAll(text, start, end))
  const what = `${battery.name}, ${name}`
  details.add(
    `${what}: missed`,
    hidden.filter((each) => !caught.includes(each)).map(({ text }) => text),
    parley,
  )
  details.add(
    `${what}: not masked whole`,
    caught.filter((each) => !whole.includes(each)).map(({ text }) => text),
    parley,
  )
  const shareOf = (peer: Engine) =>
    percentOf(hidden.filter(({ text }) => peer.has(text)).length, hidden.length)
  return toMeasurement({
    what,
    parley: `${caught.length} of ${hidden.length}, ${whole.length} masked whole`,
    baseline: listPeers(peers, (peer) => percent(shareOf(peer), 0)),
    figure: percentOf(caught.length, hidden.length),
    unit: '%',
    goal: goal === undefined ? undefined : { atLeast: goal },
  })
}

function judgeCarriers({ name, parley, peers, carriers, details }: Battery): Measurement {
  const flaggedBy = (engine: Engine) => carriers.filter((text) => engine.has(text))
  details.add(`${name}: carriers flagged`, flaggedBy(parley), parley)
  return toMeasurement({
    what: `${name}, the lines without the words`,
    parley: `${flaggedBy(parley).length} of ${carriers.length} flagged`,
    baseline: listPeers(peers, (peer) => String(flaggedBy(peer).length)),
    figure: flaggedBy(parley).length,
    unit: 'flagged',
    goal: { atMost: 0 },
  })
}

function hideAll({ words, carriers }: Battery, trick: Trick): Hidden[] {
  const random = new Random(SEED)
  return words.flatMap((word, index) => {
    const hidden = trick(word, random)
    return hidden === undefined ? [] : [putIn(carriers[index]!, hidden, random)]
  })
}

function putIn(carrier: string, hidden: string, random: Random): Hidden {
  const pieces = carrier.split(' ')
  const place = random.below(pieces.length + 1)
  const before = pieces.slice(0, place).map((piece) => `${piece} `)
  const start = before.join('').length
  return {
    text: [...before, hidden, ...pieces.slice(place).map((piece) => ` ${piece}`)].join(''),
    start,
    end: start + hidden.length,
  }
}

/** Lines that people found harmless and that do not hold an expression as it stands. */
function chooseCarriers(
  harmless: readonly { readonly text: string }[],
  count: number,
  random: Random,
  isRefused: (text: string) => boolean,
): string[] {
  return random
    .sample(harmless, count * 2)
    .map(({ text }) => text.trim())
    .filter((text) => !isRefused(text))
    .slice(0, count)
}
