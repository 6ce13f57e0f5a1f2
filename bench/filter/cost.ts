import { heapStats } from 'bun:jsc'
import { type Measurement, median } from '../support.ts'
import { toMeasurement } from './rows.ts'
import { cleanMessages, profaneMessages, type SpeedTexts } from './speed-texts.ts'
import { compileSubject, type List, type Subject } from './subject.ts'
import { type Pass, ratioOf, timeAlternately } from './timing.ts'

const BARE_GOALS = { small: 5, large: 10, huge: 18 }
const HUGE_GOAL = 4
const HIT_GOAL = 3
const [ALLOCATION_TURNS, CALLS_PER_TURN] = [50, 20_000]

/** The cost of a message of forty characters, relative to reading its characters once. */
export function measureCosts(texts: SpeedTexts, rounds: number): Measurement[] {
  const messages = cleanMessages(texts)
  const profane = profaneMessages(messages, texts)
  const filters = {
    small: compileSubject(texts.small),
    large: compileSubject(texts.large),
    huge: compileSubject(texts.huge),
  }
  const times = timeAlternately(
    {
      bare: () => readAll(messages),
      small: cleaning(filters.small, messages),
      large: cleaning(filters.large, messages),
      huge: cleaning(filters.huge, messages),
      profane: cleaning(filters.small, profane),
    },
    rounds,
  )
  const nanos = (name: keyof typeof times) => `${(median(times[name]) / messages.length).toFixed(0)} ns`
  const against = (what: string, above: keyof typeof times, below: keyof typeof times, goal: number) =>
    toMeasurement({
      what,
      parley: nanos(above),
      baseline: `${NAMES[below]}: ${nanos(below)}`,
      figure: ratioOf(times[above], times[below]),
      unit: '× the baseline',
      goal: { atMost: goal },
    })
  const clean = (size: keyof typeof filters) =>
    against(
      `Clean message of 40 characters, ${countOf(texts[size])} expressions`,
      size,
      'bare',
      BARE_GOALS[size],
    )
  return [
    clean('small'),
    clean('large'),
    clean('huge'),
    against(
      `Clean message, ${countOf(texts.huge)} expressions against ${countOf(texts.small)}`,
      'huge',
      'small',
      HUGE_GOAL,
    ),
    against('Message with a hit', 'profane', 'small', HIT_GOAL),
    measureAllocation(filters.small, messages),
  ]
}

const NAMES = { bare: 'a bare loop', small: '403 expressions', large: '', huge: '', profane: '' }

export const cleaning =
  (filter: Subject, messages: readonly string[]): Pass =>
  () => {
    let sum = 0
    for (const message of messages) {
      const { text, hits } = filter.clean(message, 'en')
      sum += text.length + hits.length
    }
    return sum
  }

function readAll(messages: readonly string[]): number {
  let sum = 0
  for (const message of messages)
    for (let index = 0; index < message.length; index++) sum += message.charCodeAt(index)
  return sum
}

/** The heap grows by blocks until it is collected, and a turn is too short for a collection. */
function measureAllocation(filter: Subject, messages: readonly string[]): Measurement {
  const pass = () => messages.reduce((sum, message) => sum + filter.find(message, 'en').length, 0)
  let bytes = 0
  for (let turn = 0; turn < ALLOCATION_TURNS; turn++) {
    Bun.gc(true)
    const before = heapStats().heapCapacity
    for (let calls = 0; calls < CALLS_PER_TURN; calls += messages.length) pass()
    bytes += Math.max(0, heapStats().heapCapacity - before)
  }
  return toMeasurement({
    what: 'Memory allocated to scan a clean message',
    parley: `${(ALLOCATION_TURNS * CALLS_PER_TURN).toLocaleString('en')} messages`,
    figure: bytes / (ALLOCATION_TURNS * CALLS_PER_TURN),
    unit: 'bytes',
  })
}

const countOf = (lists: readonly List[]) =>
  lists.reduce((count, { expressions }) => count + expressions.length, 0).toLocaleString('en')
