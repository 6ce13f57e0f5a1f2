import { describe, expect, test } from 'bun:test'
import { MessageLog, type MessageLogOptions } from './message-log.ts'
import type { SequencedMessage, Shard } from './model.ts'
import type { LastChatTimePage, MessageStore } from './ports/message-store.ts'

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

/** A log on a fake store that records calls and fails on demand. */
function setUp(options: Partial<MessageLogOptions> = {}) {
  const disk = {
    calls: [] as string[],
    written: [] as string[],
    failure: undefined as Error | undefined,
    prunable: 0,
    lastChatTimes: [{ shard: shard(), at: 500 }],
  }
  const run = async <T>(name: string, value: T): Promise<T> => {
    disk.calls.push(name)
    if (disk.failure !== undefined) throw disk.failure
    return value
  }
  const store: Partial<MessageStore> = {
    appendMessages: async (messages) => {
      await run('append', undefined)
      disk.written.push(...messages.map(({ id }) => id))
    },
    openSequences: () => run('open', 'lineage'),
    sealSequences: () => run('seal', undefined),
    readSequence: () => run('read', undefined),
    listLastChatTimes: ({ after }: LastChatTimePage) =>
      run('lastChatTimes', after === undefined ? disk.lastChatTimes : []),
    pruneMessages: (_, limit) => {
      const pruned = Math.min(limit, disk.prunable)
      disk.prunable -= pruned
      return run('prune', pruned)
    },
  }
  const log = new MessageLog({
    store: store as MessageStore,
    clock: () => 1000,
    retentionDays: 1,
    ...options,
  })
  return { log, disk }
}

describe('MessageLog', () => {
  test('keeps the newest messages while the disk rejects writes, and counts the dropped ones', async () => {
    const { log, disk } = setUp({ maxPending: 3 })
    disk.failure = new Error('full')
    for (const seq of [1, 2, 3, 4, 5]) log.add(message(seq))
    expect(await log.flush().catch((thrown: unknown) => thrown)).toBe(disk.failure)
    expect(log.dropped).toBe(2)
    disk.failure = undefined
    await log.flush()
    expect(disk.written).toEqual(['m3', 'm4', 'm5'])
  })

  test('prunes in batches until no expired message is left', async () => {
    const { log, disk } = setUp({ pruneBatch: 10 })
    disk.prunable = 25
    await log.prune()
    expect([disk.prunable, disk.calls]).toEqual([0, ['prune', 'prune', 'prune']])
  })

  test('flushes and prunes periodically until it is closed', async () => {
    const { log, disk } = setUp({ flushMs: 1, pruneMs: 1 })
    const failures: unknown[] = []
    log.start((error) => failures.push(error))
    log.add(message(1))
    const count = (name: string) => disk.calls.filter((each) => each === name).length
    const until = async (holds: () => boolean) => {
      while (!holds()) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => disk.written.length === 1 && count('prune') >= 3)
    disk.failure = new Error('full')
    await until(() => failures.includes(disk.failure))
    disk.failure = undefined
    await log.close()
    const calls = disk.calls.length
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(disk.calls.length).toBe(calls)
  })

  test('prunes soon after the start, not only an hour later', async () => {
    const { log, disk } = setUp({ flushMs: 1 })
    log.start(() => undefined)
    while (!disk.calls.includes('prune')) await new Promise((resolve) => setImmediate(resolve))
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
  const timeOf = async (log: MessageLog, place = shard()) => (await log.lastChatTimes.find('g'))(place)

  test('are loaded once per group and updated by new player messages', async () => {
    const { log, disk } = setUp()
    expect([await timeOf(log), await timeOf(log, shard(2))]).toEqual([500, undefined])
    log.add(message(900))
    log.add({ ...message(950), player: undefined })
    log.add(message(800, shard(2)))
    expect([await timeOf(log), await timeOf(log, shard(2))]).toEqual([900, 800])
    expect(disk.calls).toEqual(['lastChatTimes'])
  })

  test('are undefined while the log cannot be read, and loaded by a later lookup', async () => {
    const { log, disk } = setUp()
    disk.failure = new Error('disk')
    expect(await timeOf(log)).toBeUndefined()
    disk.failure = undefined
    expect(await timeOf(log)).toBe(500)
  })

  test('are reloaded after pruning', async () => {
    const { log, disk } = setUp()
    expect(await timeOf(log)).toBe(500)
    disk.lastChatTimes = []
    await log.prune()
    expect(await timeOf(log)).toBeUndefined()
  })

  test('of a large group are loaded in pages', async () => {
    const { log, disk } = setUp()
    disk.lastChatTimes = Array.from({ length: 1000 }, (_, index) => ({ shard: shard(index + 1), at: index }))
    expect(await timeOf(log, shard(1000))).toBe(999)
    expect(disk.calls).toEqual(['lastChatTimes', 'lastChatTimes'])
  })
})
