import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { seededRandom } from '../../../../test/faults/support.ts'
import type { Random } from '../../../../test/filter/random.ts'
import { type OpenedMessageStore, openMessagesIn } from '../../../../test/support/message-store.ts'
import { makeFolder } from '../../../../test/support/server.ts'
import { MessageIds } from '../../../core/message-ids.ts'
import type { LoggedMessage, Shard, Timestamp } from '../../../core/model.ts'

const DAY_MS = 86_400_000
const START = Date.parse('2026-11-15T22:00:00Z')
const STEPS = 250
/** Far fewer messages than a day has. */
const COUNTING = { countSlice: 7 }

/** The message log as a plain list. */
class Model {
  messages: LoggedMessage[] = []
  #retracted: { readonly epoch: string; readonly id: string; readonly at: Timestamp }[] = []

  add(messages: readonly LoggedMessage[]): void {
    this.messages = [...this.messages, ...messages].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  delete(id: string, at: Timestamp): LoggedMessage | undefined {
    const known = this.messages.find((each) => each.id === id)
    if (known === undefined || known.deletedAt !== undefined) return known
    const deleted = { ...known, deletedAt: at }
    this.messages = this.messages.map((each) => (each === known ? deleted : each))
    this.#retracted.push({ epoch: known.epoch, id, at })
    return deleted
  }

  since(since: Timestamp): LoggedMessage[] {
    return this.messages.filter(({ id }) => timeOf(id) >= since)
  }

  list(since: Timestamp, before: LoggedMessage | undefined, limit: number): LoggedMessage[] {
    const candidates = this.since(since).filter(({ id }) => before === undefined || id < before.id)
    return candidates.reverse().slice(0, limit)
  }

  around({ epoch, seq }: LoggedMessage, each: number): LoggedMessage[] {
    return this.#ofEpoch(epoch).filter((other) => Math.abs(other.seq - seq) <= each)
  }

  sequence(epoch: string, limit: number) {
    const all = this.#ofEpoch(epoch)
    const seq = all.at(-1)?.seq ?? 0
    const newest = all.filter((each) => each.seq > seq - limit)
    const messages = newest.filter(({ deletedAt }) => deletedAt === undefined)
    const retracted = this.#retracted.filter((each) => each.epoch === epoch).sort((a, b) => a.at - b.at)
    return {
      epoch,
      seq,
      since: seq - newest.length,
      messages,
      retracted: retracted.map(({ id }) => id).slice(-limit),
    }
  }

  /** Drops the days that end at or before this time. */
  prune(before: Timestamp): void {
    const start = Math.floor(before / DAY_MS) * DAY_MS
    const kept = this.messages.filter(({ id }) => timeOf(id) >= start)
    if (kept.length === this.messages.length) return
    this.messages = kept
    this.#retracted = this.#retracted.filter(({ at }) => at >= start)
  }

  #ofEpoch(epoch: string): LoggedMessage[] {
    return this.messages.filter((each) => each.epoch === epoch).sort((a, b) => a.seq - b.seq)
  }
}

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

/** Generates messages of a few channel numbers over several days, from a clock that sometimes steps. */
class Chat {
  readonly shards: readonly Shard[] = [1, 2, 3].map((number) => ({
    group: 'g',
    name: 'a',
    incarnation: 1,
    number,
  }))
  now = START
  readonly #random: Random
  readonly #ids = new MessageIds()
  readonly #seqs = [0, 0, 0]

  constructor(random: Random) {
    this.#random = random
  }

  say(): LoggedMessage {
    const random = this.#random
    this.now += random.oneIn(15) ? random.below(DAY_MS) : random.below(2000)
    if (random.oneIn(40)) this.now -= random.below(3_600_000)
    const index = random.below(this.shards.length)
    const shard = this.shards[index]!
    const seq = (this.#seqs[index] ?? 0) + 1
    this.#seqs[index] = seq
    const text = `text ${random.below(1000)}`
    return {
      id: this.#ids.next(this.now),
      shard,
      epoch: epochOf(shard),
      seq,
      player: random.oneIn(5) ? undefined : { id: `p${random.below(5)}`, name: 'P' },
      text,
      original: random.oneIn(3) ? 'masked' : text,
      language: random.oneIn(3) ? undefined : 'en',
      hits: random.oneIn(4) ? [{ start: 0, end: 2, expression: 'x', language: 'all' }] : [],
      at: this.now,
      deletedAt: undefined,
    }
  }
}

const epochOf = ({ number }: Shard) => `epoch-${number}`

test('behaves like a plain list over several days, restarts and retention', async () => {
  const random = seededRandom('message log property')
  const folder = makeFolder()
  const [model, chat] = [new Model(), new Chat(random)]
  let opened = await openMessagesIn(folder, 0, COUNTING)
  const lineage = await opened.store.openSequences()
  for (let step = 0; step < STEPS; step++) {
    const { store } = opened
    const time = chat.now - random.below(4 * DAY_MS)
    const some = model.messages.length === 0 ? undefined : random.pick(model.messages)
    const limit = 1 + random.below(30)
    if (random.oneIn(3)) {
      const batch = random.many(1, 40, () => chat.say())
      await store.appendMessages(batch)
      if (random.oneIn(5)) await store.appendMessages(batch)
      model.add(batch)
    } else if (random.oneIn(25)) {
      opened = await restart(opened, folder, lineage)
    } else if (random.oneIn(30)) {
      await store.pruneMessages({ before: time, maxBytes: Number.MAX_SAFE_INTEGER })
      model.prune(time)
    } else if (some !== undefined) {
      await compare(opened, { model, chat, time, some, limit, isDeleting: random.oneIn(6) })
    }
    expect(opened.damaged).toEqual([])
  }
  await opened.store.close()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

async function restart({ store }: OpenedMessageStore, folder: string, lineage: string) {
  await store.sealSequences()
  await store.close()
  const opened = await openMessagesIn(folder, 0, COUNTING)
  expect(await opened.store.openSequences()).toBe(lineage)
  return opened
}

interface Comparison {
  readonly model: Model
  readonly chat: Chat
  readonly time: Timestamp
  readonly some: LoggedMessage
  readonly limit: number
  readonly isDeleting: boolean
}

async function compare(
  { store }: OpenedMessageStore,
  { model, chat, time, some, limit, isDeleting }: Comparison,
): Promise<void> {
  if (isDeleting) {
    const at = ++chat.now
    expect(await store.deleteMessage(some.id, at)).toEqual(model.delete(some.id, at))
  }
  expect(await store.findMessage(some.id)).toEqual(model.messages.find(({ id }) => id === some.id))
  expect(await store.countMessages(time, limit * 10)).toBe(Math.min(model.since(time).length, limit * 10))
  for (const before of [undefined, some])
    expect(await store.listMessages({ since: time, before, limit })).toEqual(model.list(time, before, limit))
  expect(await store.listAround(some, limit)).toEqual(model.around(some, limit))
  for (const shard of chat.shards) {
    const expected = model.sequence(epochOf(shard), limit)
    const stored = await store.readSequence(shard, limit)
    // A sequence whose messages were all dropped is dropped, too.
    if (expected.seq > 0) expect(stored).toEqual(expected)
  }
}
