import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Change, type ChatEvent, shardTopic } from '../core/events.ts'
import type { ChatMessage } from '../core/model.ts'
import { type Bus, type BusListener, type ChannelHistory, HISTORY_MESSAGES } from '../core/ports/bus.ts'

/** Creates buses that are connected to each other: each `join` adds a node. */
export interface BusHarness {
  join(): Promise<Bus>
  remove(): Promise<void>
}

const change = (version: number): Change => ({ kind: 'ban-lifted', playerId: `p${version}`, version })

const shard = { group: 'global', name: 'a', incarnation: 1, number: 1 }
const TOPIC = shardTopic(shard)

/** An event identified by the name of its player. */
const event = (name: string): ChatEvent => ({ kind: 'player-joined', shard, player: { id: '1', name } })

const message = (text: string): ChatMessage => ({
  id: text,
  shard,
  player: undefined,
  text,
  original: text,
  language: undefined,
  hits: [],
  at: 0,
})

const nameOf = (heard: ChatEvent) => {
  if (heard.kind === 'message') return `${heard.message.seq} ${heard.message.text}`
  if (heard.kind === 'message-deleted') return `${heard.messageId} deleted`
  return heard.kind === 'session-opened' ? heard.sessionId : heard.player.name
}

interface Node {
  readonly bus: Bus
  readonly applied: number[]
  readonly heard: [string, string][]
}

/** Tests the contract of `Bus`. */
export function testBus(name: string, createHarness: () => Promise<BusHarness>): void {
  describe(`${name} satisfies the Bus contract`, () => {
    let harness: BusHarness
    let nodes: Node[]

    /** An empty log. */
    const nothing: BusListener['restore'] = async () => undefined

    const join = async (
      applyChanges?: (changes: readonly Change[]) => Promise<void>,
      restore = nothing,
    ): Promise<Node> => {
      const node: Node = { bus: await harness.join(), applied: [], heard: [] }
      await node.bus.open({
        applyChanges: async (changes) => {
          await applyChanges?.(changes)
          node.applied.push(...changes.map(({ version }) => version))
        },
        deliver: (topic, heard) => node.heard.push([topic, nameOf(heard)]),
        restore,
      })
      nodes.push(node)
      return node
    }

    beforeEach(async () => {
      harness = await createHarness()
      nodes = []
    })
    afterEach(async () => {
      for (const { bus } of nodes) await bus.close()
      await harness.remove()
    })

    test('resolves an announcement after every node has applied it, including its own', async () => {
      const [a, b, c] = [await join(), await join(), await join()]
      await a.bus.announce([change(1), change(2)])
      expect([a.applied, b.applied, c.applied]).toEqual([
        [1, 2],
        [1, 2],
        [1, 2],
      ])
    })

    test('waits for the slowest node', async () => {
      const { promise: gate, resolve: open } = Promise.withResolvers<void>()
      const a = await join()
      await join(() => gate)
      let isDone = false
      const announced = a.bus.announce([change(1)]).then(() => {
        isDone = true
      })
      await a.bus.check()
      expect(isDone).toBe(false)
      open()
      await announced
      expect(nodes.map(({ applied }) => applied)).toEqual([[1], [1]])
    })

    test('delivers the announcements of a node in order', async () => {
      const [a, b] = [await join(), await join()]
      const versions = Array.from({ length: 50 }, (_, index) => index + 1)
      await Promise.all(versions.map((version) => a.bus.announce([change(version)])))
      expect(b.applied).toEqual(versions)
    })

    test('neither waits for nor notifies a closed node', async () => {
      const a = await join()
      const b = await join(() => new Promise(() => undefined))
      await b.bus.close()
      await a.bus.announce([change(1)])
      expect([a.applied, b.applied]).toEqual([[1], []])
    })

    test('delivers events to the nodes subscribed to their topic, including the publisher', async () => {
      const [a, b, c] = [await join(), await join(), await join()]
      await a.bus.subscribe(TOPIC)
      await b.bus.subscribe(TOPIC)
      await c.bus.subscribe('other')
      await a.bus.publish(TOPIC, event('hello'))
      await settled(() => a.heard.length + b.heard.length === 2)
      expect([a.heard, b.heard, c.heard]).toEqual([[[TOPIC, 'hello']], [[TOPIC, 'hello']], []])
    })

    test('delivers the events of a node and topic in order', async () => {
      const [a, b] = [await join(), await join()]
      await b.bus.subscribe(TOPIC)
      const texts = Array.from({ length: 100 }, (_, index) => `m${index}`)
      await Promise.all(texts.map((text) => a.bus.publish(TOPIC, event(text))))
      await settled(() => b.heard.length === texts.length)
      expect(b.heard.map(([, text]) => text)).toEqual(texts)
    })

    test('delivers nothing after unsubscribe', async () => {
      const [a, b] = [await join(), await join()]
      await b.bus.subscribe(TOPIC)
      await b.bus.subscribe('last')
      await b.bus.unsubscribe(TOPIC)
      await a.bus.publish(TOPIC, event('late'))
      await a.bus.publish('last', event('end'))
      await settled(() => b.heard.length === 1)
      expect(b.heard).toEqual([['last', 'end']])
    })

    test('numbers appended messages without gaps, in the order of delivery on every node', async () => {
      const [a, b] = [await join(), await join()]
      await a.bus.subscribe(TOPIC)
      await b.bus.subscribe(TOPIC)
      const appended = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? a : b).bus.append(message(`m${index}`))),
      )
      expect(appended.map(({ seq }) => seq).sort((x, y) => x - y)).toEqual(
        Array.from({ length: 40 }, (_, i) => i + 1),
      )
      expect(new Set(appended.map(({ epoch }) => epoch)).size).toBe(1)
      await settled(() => a.heard.length === 40 && b.heard.length === 40)
      expect(a.heard).toEqual(b.heard)
      expect(a.heard.map(([, name]) => Number(name.split(' ')[0]))).toEqual(
        Array.from({ length: 40 }, (_, i) => i + 1),
      )
    })

    test('keeps the newest messages, oldest first', async () => {
      const [a, b] = [await join(), await join()]
      const empty = await a.bus.history(shard)
      expect(empty).toMatchObject({ seq: 0, since: 0, messages: [] })
      for (let index = 1; index <= HISTORY_MESSAGES + 5; index++) await a.bus.append(message(`m${index}`))
      const history = await b.bus.history(shard)
      expect(history).toMatchObject({ epoch: empty.epoch, seq: HISTORY_MESSAGES + 5, since: 5 })
      expect(history.messages.map(({ seq }) => seq)).toEqual(
        Array.from({ length: HISTORY_MESSAGES }, (_, i) => i + 6),
      )
      expect((await b.bus.history({ ...shard, number: 2 })).messages).toEqual([])
    })

    test('tracks on every node when a player last sent a message, ignoring system messages', async () => {
      const [a, b] = [await join(), await join()]
      const player = { id: 'p', name: 'P' }
      await a.bus.append({ ...message('hello'), player, at: 5 })
      await a.bus.append({ ...message('system'), at: 9 })
      expect(await b.bus.lastChatTimes([{ ...shard, number: 2 }, shard])).toEqual([undefined, 5])
    })

    test('removes a retracted message on every node without reusing its sequence number', async () => {
      const [a, b] = [await join(), await join()]
      for (const text of ['m1', 'm2', 'm3']) await a.bus.append(message(text))
      await b.bus.retract(message('m2'))
      await b.bus.retract(message('m2'))
      await b.bus.retract(message('none'))
      for (const { bus } of [a, b]) {
        const { messages, ...rest } = await bus.history(shard)
        expect(rest).toMatchObject({ seq: 3, since: 0, retracted: ['m2', 'none'] })
        expect(messages.map(({ id }) => id)).toEqual(['m1', 'm3'])
      }
      expect(await a.bus.append(message('m4'))).toMatchObject({ seq: 4 })
    })

    test('keeps every message after `since`, apart from retracted ones', async () => {
      const { bus } = await join()
      const texts = Array.from({ length: HISTORY_MESSAGES + 10 }, (_, index) => `m${index + 1}`)
      for (const text of texts) {
        await bus.append(message(text))
        if (text === 'm3' || text === 'm20') await bus.retract(message(text))
      }
      const { since, messages } = await bus.history(shard)
      expect(messages.length).toBeLessThanOrEqual(HISTORY_MESSAGES)
      expect(messages.map(({ id }) => id)).toEqual(texts.slice(since).filter((text) => text !== 'm20'))
      for (const text of texts) await bus.retract(message(text))
      expect((await bus.history(shard)).retracted).toEqual(texts.slice(-HISTORY_MESSAGES))
    })

    test('continues a sequence from the message log', async () => {
      const said = { ...message('m9'), seq: 9, epoch: 'e' }
      const restored = { epoch: 'e', seq: 9, since: 8, messages: [said], retracted: ['m3'] }
      const { bus } = await join(undefined, async (asked) => (asked.number === 1 ? restored : undefined))
      expect(await bus.history(shard)).toEqual(restored)
      expect(await bus.append(message('m10'))).toMatchObject({ seq: 10, epoch: 'e' })
      const { seq, messages } = await bus.history(shard)
      expect([seq, messages.map(({ id }) => id)]).toEqual([10, ['m9', 'm10']])
      expect((await bus.append({ ...message('x'), shard: { ...shard, number: 2 } })).seq).toBe(1)
    })

    test('queues calls in order while a sequence is being restored', async () => {
      const log = Promise.withResolvers<ChannelHistory | undefined>()
      let asked = 0
      const { bus, heard } = await join(undefined, () => {
        asked++
        return log.promise
      })
      await bus.subscribe(TOPIC)
      const waiting = [bus.history(shard), ...['a', 'b', 'c'].map((text) => bus.append(message(text)))]
      await new Promise((resolve) => setImmediate(resolve))
      expect(heard).toEqual([])
      log.resolve({ epoch: 'e', seq: 4, since: 4, messages: [], retracted: [] })
      await Promise.all(waiting)
      await settled(() => heard.length === 3)
      expect(heard.map(([, name]) => name)).toEqual(['5 a', '6 b', '7 c'])
      expect(asked).toBe(1)
    })

    test('starts a new sequence when the log cannot be read', async () => {
      const failing = await join(undefined, () => Promise.reject(new Error('no log')))
      expect(await failing.bus.append(message('a'))).toMatchObject({ seq: 1 })
    })

    test('delivers a retraction after its message', async () => {
      const [a, b] = [await join(), await join()]
      for (const { bus } of [a, b]) await bus.subscribe(TOPIC)
      await a.bus.append(message('m1'))
      await a.bus.retract(message('m1'))
      await settled(() => a.heard.length === 2 && b.heard.length === 2)
      for (const { heard } of [a, b]) expect(heard.map(([, name]) => name)).toEqual(['1 m1', 'm1 deleted'])
    })

    test('check resolves while the bus is open and rejects after close', async () => {
      const { bus } = await join()
      await bus.check()
      await bus.close()
      expect(await bus.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(Error)
    })
  })
}

/** Yields to the event loop until a condition holds, bounded by the timeout of the test. */
async function settled(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
