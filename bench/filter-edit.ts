import { setTimeout as sleep } from 'node:timers/promises'
import { WorkerFilterCompiler } from '../src/adapters/filter/compiler.ts'
import { packExpressions } from '../src/core/expressions.ts'
import type { FilterList } from '../src/core/model.ts'
import { measureEditUnderChat } from './filter/edit-under-chat.ts'
import { type Measurement, median } from './support.ts'

const EXPRESSIONS = 100_000
const TARGET_MS = 5
const WATCH_MS = 1
const QUIET_MS = 300
const CHAT_SECONDS = 15

const makeWords = () =>
  Array.from({ length: EXPRESSIONS }, (_, index) => `expression ${index} ${index * 7919}`)
const makeList = (): FilterList => ({
  kind: 'forbidden',
  language: 'en',
  expressions: packExpressions(makeWords()),
})

/** The longest stall of the event loop during the work. Uses a timer, so that the measurement itself does not block. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - WATCH_MS)
    last = now
  }, WATCH_MS)
  await work()
  await sleep(2 * WATCH_MS)
  clearInterval(timer)
  return longest
}

/** The cost of editing long lists: for the event loop, and for the players of a real server. */
export async function measureFilterEdit(rounds: number, chatRounds: number): Promise<Measurement[]> {
  return [...(await measureStall(rounds)), ...(await measureEditUnderChat(CHAT_SECONDS, chatRounds))]
}

/** How long editing a long list stalls the event loop that carries chat, until the new filter is active. */
async function measureStall(rounds: number): Promise<Measurement[]> {
  const compiler = new WorkerFilterCompiler({
    onFailure: (error) => {
      throw error
    },
  })
  const holds: number[] = []
  const seconds: number[] = []
  const whole: number[] = []
  const quiet: number[] = []
  const idle = new Worker(URL.createObjectURL(new Blob(['self.onmessage = () => undefined'])))
  for (let round = 0; round < rounds; round++) {
    const list = makeList()
    const startedAt = performance.now()
    holds.push(await longestStall(() => compiler.compile({ lists: [list], allowed: [] })))
    seconds.push((performance.now() - startedAt) / 1000)
    const words = makeWords()
    whole.push(await longestStall(async () => idle.postMessage(words)))
    quiet.push(await longestStall(() => sleep(QUIET_MS)))
  }
  idle.terminate()
  await compiler.close()
  const figure = median(holds)
  return [
    {
      what: `Compiling and activating a list of ${EXPRESSIONS.toLocaleString('en')} expressions: longest event-loop stall`,
      parley: `${figure.toFixed(1)} ms; active after ${median(seconds).toFixed(2)} s`,
      baseline: `list sent to a worker as an array: ${median(whole).toFixed(1)} ms; idle for ${QUIET_MS} ms: ${median(quiet).toFixed(1)} ms`,
      figure,
      unit: 'ms',
      target: `≤ ${TARGET_MS}`,
      isMet: figure <= TARGET_MS,
    },
  ]
}
