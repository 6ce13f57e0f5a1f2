import { Random } from '../../test/filter/random.ts'
import { drive, startChat } from '../chat-sides.ts'
import { call, type Measurement, median, type Subject } from '../support.ts'
import { toMeasurement } from './rows.ts'

const LANGUAGES = ['all', 'en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv']
const EDITED = 'en'
const EXPRESSIONS = 100_000
const MEMBERS = 100
const MESSAGES_PER_SECOND = 20
const EDIT_GOAL_SECONDS = 3
const LATENCY_GOAL = 2

/** One word of a list changes while players chat, with a million expressions in ten lists on a real server. */
export async function measureEditUnderChat(seconds: number, rounds: number): Promise<Measurement[]> {
  const server = await startChat(1, MEMBERS)
  try {
    for (const [index, language] of LANGUAGES.entries())
      await put(server, language, makeExpressions(new Random(index + 1)))
    const quiet: number[] = []
    const busy: number[] = []
    const edits: number[] = []
    for (let round = 0; round < rounds; round++) {
      quiet.push(await chat(server, seconds))
      const editing = new Editing(server, round)
      busy.push(await chat(server, seconds))
      edits.push(...(await editing.stop()))
    }
    return toMeasurements(quiet, busy, edits)
  } finally {
    await server.stop()
  }
}

/** Edits the list over and over, and checks that each edit is in force once it is answered. */
class Editing {
  readonly #server: Subject
  readonly #expressions = makeExpressions(new Random(LANGUAGES.indexOf(EDITED) + 1))
  readonly #seconds: number[] = []
  readonly #done: Promise<void>
  #isStopped = false

  constructor(server: Subject, round: number) {
    this.#server = server
    this.#done = this.#run(round)
  }

  async stop(): Promise<readonly number[]> {
    this.#isStopped = true
    await this.#done
    return this.#seconds
  }

  async #run(round: number): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const word = `qwx${round}v${n}`
      const startedAt = performance.now()
      await put(this.#server, EDITED, this.#expressions.with(n, word))
      this.#seconds.push((performance.now() - startedAt) / 1000)
      const checked = await call(this.#server.port, 'POST', '/filter_check', {
        language: EDITED,
        texts: [word],
      })
      if (!checked.includes('"masked"')) throw new Error(`${word} is not in force: ${checked}`)
    }
  }
}

const put = (server: Subject, language: string, filters: readonly string[]) =>
  call(server.port, 'PUT', '/bad_word_list', { language, filters })

/** The 99th percentile of the time from say to delivery, in milliseconds. */
async function chat(server: Subject, seconds: number): Promise<number> {
  const speech = { kind: 'rate', perSecond: MESSAGES_PER_SECOND } as const
  const load = { dialect: 'parley', members: MEMBERS, channels: 1, warmSeconds: 1, seconds, speech } as const
  return (await drive(server, load)).p99Ms
}

function makeExpressions(random: Random): string[] {
  const syllable = () => random.pick('bcdfghjklmnprstvwz') + random.pick('aeiou')
  const word = () => random.many(2, 5, syllable).join('')
  const expressions = new Set<string>()
  while (expressions.size < EXPRESSIONS) expressions.add(random.oneIn(2) ? `${word()} ${word()}` : word())
  return [...expressions]
}

function toMeasurements(
  quiet: readonly number[],
  busy: readonly number[],
  edits: readonly number[],
): Measurement[] {
  const total = (LANGUAGES.length * EXPRESSIONS).toLocaleString('en')
  return [
    toMeasurement({
      what: `Editing one of ${total} expressions in ten lists: time until it is in force`,
      parley: `${edits.length} edits one after another, fastest ${Math.min(...edits).toFixed(2)} s, slowest ${Math.max(...edits).toFixed(2)} s`,
      figure: median(edits),
      unit: 's',
      goal: { atMost: EDIT_GOAL_SECONDS },
    }),
    toMeasurement({
      what: `Latency of chat during these edits, ${MEMBERS} members, ${MESSAGES_PER_SECOND} messages/s: p99`,
      parley: `${median(busy).toFixed(2)} ms`,
      baseline: `without edits: ${median(quiet).toFixed(2)} ms`,
      figure: median(busy.map((ms, round) => ms / quiet[round]!)),
      unit: '× the baseline',
      goal: { atMost: LATENCY_GOAL },
    }),
  ]
}
