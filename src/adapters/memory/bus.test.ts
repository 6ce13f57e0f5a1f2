import { describe, expect, test } from 'bun:test'
import { shardTopic } from '../../core/events.ts'
import { HISTORY_MS } from '../../core/ports/bus.ts'
import { testBus } from '../bus.contract.ts'
import { MemoryNetwork, type NetworkOptions } from './bus.ts'

testBus('MemoryBus', async () => {
  const network = new MemoryNetwork(() => 0)
  return { join: async () => network.join(), remove: async () => undefined }
})

describe('MemoryNetwork', () => {
  const shard = (number: number) => ({ group: 'g', name: 'a', incarnation: 1, number })

  async function setUp(options: NetworkOptions = {}, restore = async (): Promise<undefined> => undefined) {
    const time = { now: 1_800_000_000_000 }
    const network = new MemoryNetwork(() => time.now, options)
    const bus = network.join()
    await bus.open({ applyChanges: async () => undefined, deliver: () => undefined, restore })
    return { network, bus, time }
  }

  test('starts a sequence over only after long disuse', async () => {
    const { bus, time } = await setUp()
    const { epoch } = await bus.history(shard(1))
    time.now += HISTORY_MS - 1
    expect((await bus.history(shard(1))).epoch).toBe(epoch)
    time.now += HISTORY_MS - 1
    expect((await bus.history(shard(1))).epoch).toBe(epoch)
    time.now += HISTORY_MS / 2
    // Only listed, which is not a use.
    await bus.lastChatTimes([shard(1)])
    time.now += HISTORY_MS / 2
    expect((await bus.history(shard(1))).epoch).not.toBe(epoch)
  })

  test('does not start a sequence with subscribers over', async () => {
    const { bus, time } = await setUp()
    const { epoch } = await bus.history(shard(1))
    await bus.subscribe(shardTopic(shard(1)))
    time.now += 2 * HISTORY_MS
    expect((await bus.history(shard(1))).epoch).toBe(epoch)
  })

  test('prunes expired sequences and keeps those in use', async () => {
    const { network, bus, time } = await setUp({ pruneEvery: 10 })
    for (let number = 1; number <= 9; number++) await bus.history(shard(number))
    await bus.subscribe(shardTopic(shard(2)))
    time.now += HISTORY_MS / 2
    await bus.history(shard(1))
    time.now += HISTORY_MS / 2
    await bus.history(shard(10))
    expect(network.size).toBe(3)
  })

  test('accepts messages when the log never responds', async () => {
    const { bus } = await setUp({ restoreMs: 1 }, () => new Promise(() => undefined))
    expect(await bus.history(shard(1))).toMatchObject({ seq: 0, messages: [] })
  })
})
