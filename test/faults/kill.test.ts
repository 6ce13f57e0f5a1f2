import { expect, test } from 'bun:test'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import type { ApiResponse } from '../support/server.ts'
import { checkIntegrity, expectOk, seededRandom, temporaryFolder } from './support.ts'

const KILLS = 12
/** Each kill follows a random number of acknowledged writes up to this one, so that a slow server is not killed idle. */
const MOST_WRITES = 400

type Call = ServerProcess['call']

interface Write {
  readonly method: 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: Record<string, unknown>
  /** The state of the subject that the server must return once this is applied. */
  readonly after: string
  readonly key: string | undefined
}

/** Everything the server lists, read once after each start. */
interface Shown {
  readonly bans: ReadonlyMap<string, string>
  readonly lists: ReadonlyMap<string, string>
  channels(group: string): Promise<readonly { name: string; max: number; isDefault: boolean }[]>
}

/** Changed by a single writer, one write at a time, so that its state is always known. */
abstract class Subject {
  readonly name: string
  readonly #keyed: boolean
  #writes = 0
  /** As of the last acknowledged write. */
  state = 'nothing'
  /** Sent but not acknowledged. */
  pending: Write | undefined
  /** The last acknowledged write. */
  last: Write | undefined

  constructor(name: string, keyed: boolean) {
    this.name = name
    this.#keyed = keyed
  }

  begin(): Write {
    const number = ++this.#writes
    this.pending = { ...this.next(number), key: this.#keyed ? `${this.name}/${number}` : undefined }
    return this.pending
  }

  acknowledge(): void {
    this.last = this.pending
    this.settle(this.pending?.after ?? this.state)
  }

  /** Records whether the pending write was applied. */
  settle(state: string): void {
    this.state = state
    this.pending = undefined
  }

  abstract next(number: number): Omit<Write, 'key'>
  abstract look(shown: Shown): Promise<string> | string
}

/** Each ban has a unique length, so that the active ban identifies its write. */
class Player extends Subject {
  #count = 0

  override next(number: number): Omit<Write, 'key'> {
    const gamer_id = this.name
    if (this.state !== 'nothing' && number % 3 === 0) {
      return { method: 'DELETE', path: '/block_user_chat', body: { gamer_id }, after: 'nothing' }
    }
    const after = `ban ${this.#count + 1} of ${number} days`
    return { method: 'PUT', path: '/block_user_chat', body: { gamer_id, days: number }, after }
  }

  override settle(state: string): void {
    super.settle(state)
    this.#count = Number(/^ban (\d+)/.exec(state)?.[1] ?? this.#count)
  }

  override look(shown: Shown): string {
    return shown.bans.get(this.name) ?? 'nothing'
  }
}

class OneChannel extends Subject {
  override next(number: number): Omit<Write, 'key'> {
    const key = { channel_group: this.name, channel_name: 'lobby' }
    const path = '/open_channels'
    if (this.state === 'nothing') {
      return { method: 'PUT', path, body: { ...key, max_count: number }, after: `max ${number}` }
    }
    return number % 4 === 0
      ? { method: 'DELETE', path, body: key, after: 'nothing' }
      : { method: 'PATCH', path, body: { ...key, max_count: number }, after: `max ${number}` }
  }

  override async look(shown: Shown): Promise<string> {
    const channels = await shown.channels(this.name)
    return channels.map(({ max }) => `max ${max}`).join() || 'nothing'
  }
}

/** Two channels of a group that take the FALLBACK flag from each other: both rows change, or neither. */
class FallbackPair extends Subject {
  readonly #made = new Set<string>()

  override next(number: number): Omit<Write, 'key'> {
    const channel_name = number % 2 === 0 ? 'even' : 'odd'
    const key = { channel_group: this.name, channel_name }
    const method = this.#made.has(channel_name) ? 'PATCH' : 'PUT'
    return { method, path: '/open_channels', body: { ...key, is_default: true }, after: channel_name }
  }

  override settle(state: string): void {
    super.settle(state)
    this.#made.add(state)
  }

  override async look(shown: Shown): Promise<string> {
    const channels = await shown.channels(this.name)
    return channels.flatMap(({ name, isDefault }) => (isDefault ? [name] : [])).join() || 'nothing'
  }
}

/** Every word contains the number of its write, so that a mix of two writes is detected. */
class WordList extends Subject {
  override next(number: number): Omit<Write, 'key'> {
    const filters = Array.from({ length: 1 + (number % 50) }, (_, word) => `w${word}-${number}`)
    const body = { language: this.name, filters }
    return { method: 'PUT', path: '/bad_word_list', body, after: filters.join() }
  }

  override look(shown: Shown): string {
    return shown.lists.get(this.name) ?? 'nothing'
  }
}

/** Half of the subjects send an Idempotency-Key with every write. */
function makeSubjects(): Subject[] {
  return Array.from({ length: 8 }, (_, index) => {
    const keyed = index % 2 === 0
    const letter = String.fromCharCode(97 + index)
    return [
      new Player(`player-${index}`, keyed),
      new Player(`gamer-${index}`, keyed),
      new OneChannel(`single-${index}`, keyed),
      new FallbackPair(`pair-${index}`, keyed),
      new WordList(`q${letter}`, keyed),
    ]
  }).flat()
}

function send(call: Call, { method, path, body, key }: Write): Promise<ApiResponse> {
  return call(method, path, { body, ...(key !== undefined && { headers: { 'Idempotency-Key': key } }) })
}

/** Writes until the server is killed. */
async function writeUntilKilled(call: Call, subject: Subject, acknowledged: () => void): Promise<void> {
  for (;;) {
    const write = subject.begin()
    const response = await send(call, write).catch(() => undefined)
    if (response === undefined) return
    expectOk(response)
    subject.acknowledge()
    acknowledged()
  }
}

async function lookAt(call: Call): Promise<Shown> {
  const bans: { gamer_id: string; count: number; start_time: string; end_time: string }[] = expectOk(
    await call('GET', '/block_user_list'),
  ).json
  const lists: { language: string; filters: string[] }[] = expectOk(await call('GET', '/bad_word_list')).json
  const daysOf = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000
  return {
    bans: new Map(
      bans.map((ban) => [ban.gamer_id, `ban ${ban.count} of ${daysOf(ban.start_time, ban.end_time)} days`]),
    ),
    lists: new Map(lists.map(({ language, filters }) => [language, filters.join()])),
    channels: async (group) => {
      const listed: { channel_name: string; max_count: number; is_default: boolean }[] = expectOk(
        await call('GET', `/open_channels?channel_group=${group}`),
      ).json
      return listed.map((each) => ({
        name: each.channel_name,
        max: each.max_count,
        isDefault: each.is_default,
      }))
    },
  }
}

/** No acknowledged write is lost; an unacknowledged write is applied completely or not at all. */
async function checkStates(call: Call, subjects: readonly Subject[]): Promise<number> {
  const shown = await lookAt(call)
  let appliedWithoutAnswer = 0
  for (const subject of subjects) {
    const seen = await subject.look(shown)
    const possible = [subject.state, ...(subject.pending === undefined ? [] : [subject.pending.after])]
    expect({ subject: subject.name, oneOf: possible }).toEqual({
      subject: subject.name,
      oneOf: expect.arrayContaining([seen]),
    })
    if (subject.pending !== undefined && seen === subject.pending.after) appliedWithoutAnswer++
    if (subject.pending?.key === undefined) subject.settle(seen)
  }
  return appliedWithoutAnswer
}

/** Retries with the same key are applied once and get the same response. */
async function repeatKeyed(call: Call, subjects: readonly Subject[]): Promise<void> {
  await Promise.all(
    subjects.map(async (subject) => {
      if (subject.last?.key !== undefined) expectOk(await send(call, subject.last))
      const { pending } = subject
      if (pending?.key === undefined) return
      const response = expectOk(await send(call, pending))
      expect((await send(call, pending)).text).toBe(response.text)
      subject.acknowledge()
    }),
  )
  const shown = await lookAt(call)
  for (const subject of subjects) {
    expect([subject.name, await subject.look(shown)]).toEqual([subject.name, subject.state])
  }
}

test(`loses no acknowledged write and applies none twice over ${KILLS} kills`, async () => {
  const random = seededRandom('kill')
  using folder = temporaryFolder()
  const subjects = makeSubjects()
  const totals = { acknowledged: 0, unanswered: 0, appliedWithoutAnswer: 0 }

  for (let kill = 1; kill <= KILLS; kill++) {
    await using server = await spawnServer(folder.path)
    totals.appliedWithoutAnswer += await checkStates(server.call, subjects)
    await repeatKeyed(server.call, subjects)
    const writes = 1 + random.below(MOST_WRITES)
    let acknowledged = 0
    const count = () => {
      if (++acknowledged === writes) server.kill('SIGKILL')
    }
    await Promise.all(subjects.map((subject) => writeUntilKilled(server.call, subject, count)))
    await server.exited
    totals.acknowledged += acknowledged
    totals.unanswered += subjects.length
  }

  expect(checkIntegrity(folder.path)).toBe('ok')
  await using server = await spawnServer(folder.path)
  totals.appliedWithoutAnswer += await checkStates(server.call, subjects)
  await repeatKeyed(server.call, subjects)
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(checkIntegrity(folder.path)).toBe('ok')
  process.stderr.write(`kill: ${JSON.stringify(totals)}\n`)
  expect(totals.acknowledged).toBeGreaterThanOrEqual(KILLS)
}, 400_000)
