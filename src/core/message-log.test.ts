import { describe, expect, test } from 'bun:test'
import { MessageLog, type MessageLogOptions } from './message-log.ts'
import type { SequencedMessage, Shard } from './model.ts'
import type { DroppedMessages, MessageStore } from './ports/message-store.ts'

const shard = (number = 1): Shard => ({ group: 'g', name: 'a', incarnation: 1, number })
const message = (seq: number, place = shard()): SequencedMessage => ({
  id: `m${seq}`,
  shard: place,
  player: { id: 'p', name: 'P' },
  text: 'text',
  original: 'text',
  language: 'en',
  hits: [],
  at: seq,
  seq,
  epoch: 'e',
})

const DAY_MS = 86_400_000
const DROPPED: DroppedMessages = { name: '2026-11-15', bytes: 7, reason: 'age', isNewest: false }

/** A log on a fake store that records calls and fails on demand. */
function setUp(options: Partial<MessageLogOptions> = {}) {
  const disk = {
    calls: [] as string[],
    written: [] as string[],
    failure: undefined as Error | undefined,
    onAppend: () => {},
    whenReadable: Promise.resolve(),
    excess: [] as DroppedMessages[],
    lastChatTimes: new Map([[1, 500]]),
  }
  const run = async <T>(name: string, value: T): Promise<T> => {
    disk.calls.push(name)
    if (disk.failure !== undefined) throw disk.failure
    return value
  }
  const store: Partial<MessageStore> = {
    appendMessages: async (messages) => {
      await run('append', undefined)
      disk.onAppend()
      disk.onAppend = () => undefined
      disk.written.push(...messages.map(({ id }) => id))
    },
    openSequences: () => run('open', 'lineage'),
    sealSequences: () => run('seal', undefined),
    readSequence: () => run('read', undefined),
    readLastChatTimes: async (shards) => {
      const times = shards.map(({ number }) => disk.lastChatTimes.get(number))
      await disk.whenReadable
      return run('lastChatTimes', times)
    },
    pruneMessages: ({ before, maxBytes }) =>
      run(`prune ${before} ${maxBytes}`, { dropped: disk.excess.splice(0), bytes: 98 }),
  }
  const log = new MessageLog({
    store: store as MessageStore,
    clock: () => 2 * DAY_MS,
    rules: { days: 1, bytes: 99 },
    ...options,
  })
  return { log, disk }
}

describe('MessageLog', () => {
  test('keeps the newest messages while the disk rejects writes, and counts the dropped ones', async () => {
    const { log, disk } = setUp({ maxPending: 3 })
    log.add(message(0))
    await log.flush()
    disk.failure = new Error('full')
    for (const seq of [1, 2, 3, 4, 5]) log.add(message(seq))
    expect(await log.flush().catch((thrown: unknown) => thrown)).toBe(disk.failure)
    expect(log.dropped).toBe(2)
    disk.failure = undefined
    await log.flush()
    expect(disk.written).toEqual(['m0', 'm3', 'm4', 'm5'])
  })

  test('writes what is pending when it is flushed, in one batch, and later messages with the next flush', async () => {
    const { log, disk } = setUp()
    for (const seq of [1, 2, 3]) log.add(message(seq))
    disk.onAppend = () => log.add(message(4))
    await log.flush()
    expect([disk.written, disk.calls.filter((name) => name === 'append').length]).toEqual([
      ['m1', 'm2', 'm3'],
      1,
    ])
    await log.flush()
    expect(disk.written).toEqual(['m1', 'm2', 'm3', 'm4'])
  })

  test('resolves a flush when its own messages are written, even if another one is in flight', async () => {
    const { log, disk } = setUp()
    log.add(message(1))
    const first = log.flush()
    disk.onAppend = () => log.add(message(2))
    await first
    const second = log.flush()
    disk.onAppend = () => log.add(message(3))
    await Promise.all([second, log.flush()])
    expect(disk.written).toEqual(['m1', 'm2'])
    await log.flush()
    expect(disk.written).toEqual(['m1', 'm2', 'm3'])
  })

  test('drops what exceeds the limits of age and size', async () => {
    const { log, disk } = setUp()
    disk.excess = [DROPPED]
    expect(log.bytes).toBe(0)
    expect(await log.prune()).toEqual([DROPPED])
    expect(log.bytes).toBe(98)
    expect(disk.calls).toEqual([`prune ${DAY_MS} 99`])
  })

  test('keeps messages that were added during a write, when older ones were dropped meanwhile', async () => {
    const { log, disk } = setUp({ maxPending: 3 })
    for (const seq of [1, 2, 3]) log.add(message(seq))
    const flushed = log.flush()
    disk.onAppend = () => {
      for (const seq of [4, 5]) log.add(message(seq))
    }
    await flushed
    await log.flush()
    expect(disk.written).toEqual(['m1', 'm2', 'm3', 'm4', 'm5'])
  })

  test('flushes and prunes periodically until it is closed', async () => {
    const { log, disk } = setUp({ flushMs: 1, pruneMs: 1 })
    const failures: unknown[] = []
    const dropped: DroppedMessages[] = []
    disk.excess = [DROPPED]
    log.start({ onFailure: (error) => failures.push(error), onDropped: (all) => dropped.push(...all) })
    log.add(message(1))
    const count = (name: string) => disk.calls.filter((each) => each.startsWith(name)).length
    const until = async (holds: () => boolean) => {
      while (!holds()) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => disk.written.length === 1 && count('prune') >= 3)
    disk.failure = new Error('full')
    await until(() => failures.includes(disk.failure))
    disk.failure = undefined
    expect(dropped).toEqual([DROPPED])
    await log.close()
    const calls = disk.calls.length
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(disk.calls.length).toBe(calls)
  })

  test('prunes soon after the start, not only a minute later', async () => {
    const { log, disk } = setUp({ flushMs: 1 })
    log.start({ onFailure: () => undefined, onDropped: () => undefined })
    while (!disk.calls.some((each) => each.startsWith('prune')))
      await new Promise((resolve) => setImmediate(resolve))
    await log.close()
  })
})

describe('sequences', () => {
  test('are opened once, before the first write or read', async () => {
    const { log, disk } = setUp()
    await Promise.all([log.restore(shard(1)), log.restore(shard(2))])
    log.add(message(1))
    await log.flush()
    expect(disk.calls).toEqual(['open', 'read', 'read', 'append'])
  })

  test('are sealed after the last write', async () => {
    const { log, disk } = setUp()
    log.add(message(1))
    await log.close()
    expect(disk.calls).toEqual(['open', 'append', 'seal'])
  })

  test('are not sealed if the last write fails', async () => {
    const { log, disk } = setUp()
    await log.restore(shard())
    log.add(message(1))
    disk.failure = new Error('full')
    expect(await log.close().catch((thrown: unknown) => thrown)).toBe(disk.failure)
    expect(disk.calls).not.toContain('seal')
  })

  test('are neither sealed nor restored after a message was dropped', async () => {
    const { log, disk } = setUp({ maxPending: 1 })
    for (const seq of [1, 2]) log.add(message(seq))
    expect(await log.restore(shard(2))).toBeUndefined()
    await log.close()
    expect(disk.calls).not.toContain('seal')
  })

  test('are restored only after their pending messages are written', async () => {
    const { log, disk } = setUp()
    log.add(message(1, shard(1)))
    await log.restore(shard(2))
    expect(disk.written).toEqual([])
    await log.restore(shard(1))
    expect(disk.calls.slice(-2)).toEqual(['append', 'read'])
  })

  test('without messages have distinct epochs that are stable within a lineage', async () => {
    const epochOf = async (place: Shard) => (await setUp().log.restore(place))?.epoch
    expect(await epochOf(shard(1))).toBe(await epochOf(shard(1)))
    expect(await epochOf(shard(1))).not.toBe(await epochOf(shard(2)))
    expect(await epochOf({ ...shard(1), incarnation: 2 })).not.toBe(await epochOf(shard(1)))
  })

  test('are opened by a later attempt if the first one fails', async () => {
    const { log, disk } = setUp()
    disk.failure = new Error('full')
    expect(await log.restore(shard()).catch((thrown: unknown) => thrown)).toBe(disk.failure)
    disk.failure = undefined
    expect(await log.restore(shard())).toMatchObject({ seq: 0 })
  })
})

describe('last chat times', () => {
  const timesOf = (log: MessageLog) => log.readLastChatTimes([shard(2), shard(1), shard(3)])

  test('are those of pending player messages, or else those of the store', async () => {
    const { log, disk } = setUp()
    expect(await timesOf(log)).toEqual([undefined, 500, undefined])
    log.add(message(900))
    log.add({ ...message(950), player: undefined })
    log.add(message(800, shard(2)))
    expect(await timesOf(log)).toEqual([800, 900, undefined])
    expect(disk.calls).toEqual(['lastChatTimes', 'lastChatTimes'])
  })

  test('of messages that are written during the read are not missed', async () => {
    const { log, disk } = setUp()
    log.add(message(900))
    const readable = Promise.withResolvers<void>()
    disk.whenReadable = readable.promise
    const times = timesOf(log)
    await log.flush()
    readable.resolve()
    expect(await times).toEqual([undefined, 900, undefined])
  })

  test('are undefined while the log cannot be read, apart from pending messages', async () => {
    const { log, disk } = setUp()
    disk.failure = new Error('disk')
    expect(await timesOf(log)).toEqual([undefined, undefined, undefined])
    log.add(message(900))
    expect(await timesOf(log)).toEqual([undefined, 900, undefined])
    disk.failure = undefined
    expect(await setUp().log.readLastChatTimes([])).toEqual([])
  })
})
