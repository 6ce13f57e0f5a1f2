import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { packExpressions } from '../../src/core/expressions.ts'
import { monotonicClock } from '../../src/core/ports/clock.ts'
import { seededRandom } from '../faults/support.ts'
import type { Frame } from '../support/player.ts'
import { makeFolder } from '../support/server.ts'
import { type FakePlayer, openStoresIn, startNode } from './node.ts'
import { UnreliableNetwork } from './unreliable-network.ts'

type Node = Awaited<ReturnType<typeof startNode>>

const NODES = 3
const TIMEOUT_MS = 60_000
const SETTINGS = { maxMembers: 3, isFallback: false, isAutoscaling: true }

const random = seededRandom('nodes')

/** Three nodes on one store and one roster. */
async function startCluster({ gapMs }: { gapMs: number }) {
  const folder = makeFolder()
  const network = new UnreliableNetwork(random)
  const seats = new MemorySeats(monotonicClock)
  const stores = await openStoresIn(folder)
  const { factStore, messageStore } = stores
  const reads = { loads: 0, areChangesDeleted: false }
  const { readVersion, readChanges } = factStore
  factStore.readVersion = () => {
    reads.loads++
    return readVersion()
  }
  factStore.readChanges = async (after, limit) => {
    const areDeleted = reads.areChangesDeleted
    reads.areChangesDeleted = false
    return areDeleted ? undefined : await readChanges(after, limit)
  }
  const nodes: Node[] = []
  for (let index = 0; index < NODES; index++) {
    nodes.push(await startNode({}, { stores, roster: seats.join(), bus: network.join(), gapMs }))
  }
  const stop = async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]()
    await factStore.close()
    await messageStore.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { network, reads, nodes, [Symbol.asyncDispose]: stop }
}

let cluster: Awaited<ReturnType<typeof startCluster>>
let nodes: readonly Node[]
let network: UnreliableNetwork
let groups = 0

beforeAll(async () => {
  cluster = await startCluster({ gapMs: 3_600_000 })
  ;({ nodes, network } = cluster)
})
afterAll(() => cluster[Symbol.asyncDispose]())

/** The open channel numbers of a group, with their members. */
const listShards = async ({ app }: Node, group: string) =>
  (await Array.fromAsync(app.channels.list(group))).flat().map(({ shard }) => shard)

const anyOf = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
const anyNode = () => anyOf(nodes)
const newGroup = () => `group-${++groups}`
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

/** Runs tasks concurrently, each after a random delay. */
const concurrently = (tasks: readonly (() => Promise<unknown>)[]) =>
  Promise.all(
    tasks.map(async (task) => {
      await network.delay()
      await task()
    }),
  )

async function joinPlayers(group: string, count: number): Promise<FakePlayer[]> {
  const players = await Promise.all(
    times(count, (index) => nodes[index % NODES]!.connect(`${group}-p${index}`)),
  )
  for (const player of players) expect(await player.join(group, 'a')).toMatchObject({ type: 'joined' })
  return players
}

describe('an acknowledged change', () => {
  test(
    'is active on every node, and concurrent ones cause no reload',
    async () => {
      const group = newGroup()
      const everywhere = (holds: (node: Node) => boolean) =>
        expect(nodes.map(holds)).toEqual(times(NODES, () => true))
      const changes = times(60, (index) => async () => {
        const { app } = anyNode()
        const [id, key] = [`${group}-${index}`, { group, name: `c${index}` }]
        await app.bans.apply(id, 1)
        everywhere((node) => node.app.bans.find(id) !== undefined)
        await app.channels.create(key, SETTINGS)
        everywhere((node) => node.app.channels.find(key) !== undefined)
        await anyNode().app.bans.lift(id)
        everywhere((node) => node.app.bans.find(id) === undefined)
        await anyNode().app.channels.remove(key)
        everywhere((node) => node.app.channels.find(key) === undefined)
      })
      const edits = times(4, (index) => async () => {
        const [word, language] = [`word${index}x`, ['aa', 'bb', 'cc', 'dd'][index]!]
        await anyNode().app.filters.replace({
          kind: 'forbidden',
          language,
          expressions: packExpressions([word]),
        })
        everywhere(({ app }) => app.filters.check(word, language).verdict === 'masked')
      })
      await concurrently([...changes, ...edits])
      expect(cluster.reads.loads).toBe(NODES)
    },
    TIMEOUT_MS,
  )

  test.each([
    ['is read from the store', 0],
    ['and the store deleted is recovered by a single reload', 1],
  ])(
    'that a node missed %s',
    async (_, reloads) => {
      await using impatient = await startCluster({ gapMs: 20 })
      const { network, reads } = impatient
      const [first, , lagging] = impatient.nodes as [Node, Node, Node]
      const group = newGroup()
      await first.app.channels.create({ group, name: 'a' }, SETTINGS)
      await first.app.channels.create({ group, name: 'lobby' }, { ...SETTINGS, isFallback: true })
      const mina = await lagging.connect(`${group}-mina`)
      const joon = await lagging.connect(`${group}-joon`)
      await first.app.bans.apply(`${group}-joon`, 1)
      await mina.join(group, 'a')

      network.isLost = (to) => to === network.buses[2]
      await first.app.bans.apply(`${group}-mina`, 1)
      await first.app.bans.lift(`${group}-joon`)
      await first.app.channels.remove({ group, name: 'a' })
      await first.app.filters.replace({
        kind: 'forbidden',
        language: 'ee',
        expressions: packExpressions(['missed']),
      })
      network.isLost = () => false
      reads.areChangesDeleted = reloads > 0
      expect(lagging.app.channels.find({ group, name: 'a' })).toBeDefined()
      await first.app.bans.apply(`${group}-other`, 1)

      expect(lagging.app.filters.check('missed', 'ee').verdict).toBe('masked')
      await mina.ask('ping')
      const types = mina.socket.frames.map(({ type }) => type)
      for (const type of ['banned', 'channel_deleted', 'moved']) {
        expect([type, types.filter((each) => each === type).length]).toEqual([type, 1])
      }
      expect(joon.socket.frames.filter(({ type }) => type === 'ban_lifted')).toHaveLength(1)
      expect(reads.loads).toBe(NODES + reloads)
    },
    TIMEOUT_MS,
  )
})

describe('messages', () => {
  test(
    'reach every member on every node in the same order, without gaps',
    async () => {
      const group = newGroup()
      await anyNode().app.channels.create({ group, name: 'a' }, { ...SETTINGS, maxMembers: 6 })
      const players = await joinPlayers(group, 6)
      const said = times(120, (index) => `m${index}`)
      await concurrently(said.map((text) => () => anyOf(players).say(group, text)))
      for (const { socket } of players)
        await socket.until(({ type, seq }) => type === 'message' && seq === 120)
      const [first] = players
      expect([...first!.heard].sort()).toEqual([...said].sort())
      for (const { heard, socket } of players) {
        expect(heard).toEqual(first!.heard)
        const seqs = socket.frames.filter(({ type }) => type === 'message').map(({ seq }) => seq)
        expect(seqs).toEqual(times(120, (index) => index + 1))
      }
    },
    TIMEOUT_MS,
  )

  test(
    'have no gap between the snapshot of a join and the pushes after it',
    async () => {
      const group = newGroup()
      await anyNode().app.channels.create({ group, name: 'a' }, { ...SETTINGS, maxMembers: 20 })
      const [speaker] = await joinPlayers(group, 1)
      const late = await Promise.all(
        times(9, (index) => nodes[index % NODES]!.connect(`${group}-late${index}`)),
      )
      await concurrently([
        ...times(40, (index) => () => speaker!.say(group, `m${index}`)),
        ...late.map((player) => () => player.join(group, 'a')),
      ])
      for (const { socket } of late) {
        const joined = await socket.until(({ type }) => type === 'joined')
        const seqs = new Set<number>(joined.messages.map(({ seq }: Frame) => seq))
        const isWhole = () => {
          for (const { type, seq } of socket.frames) if (type === 'message') seqs.add(seq)
          return seqs.size === 40
        }
        if (!isWhole()) await socket.until(isWhole)
        expect([...seqs].sort((a, b) => a - b)).toEqual(times(40, (index) => index + 1))
      }
    },
    TIMEOUT_MS,
  )

  test(
    'of a player who is banned while sending reach nobody after the ban is acknowledged',
    async () => {
      for (let round = 0; round < 10; round++) {
        const group = newGroup()
        await anyNode().app.channels.create({ group, name: 'a' }, { ...SETTINGS, maxMembers: 6 })
        const players = await joinPlayers(group, 6)
        const [loud, ...others] = players as [FakePlayer, ...FakePlayer[]]
        const words = times(30, (index) => loud.say(group, `m${index}`))
        for (let turns = random.below(40); turns > 0; turns--) await network.delay()
        await anyNode().app.bans.apply(`${group}-p0`, 1)
        const heard = others.map((player) => player.heard.length)
        const replies = await Promise.all(words)
        await network.quiet()
        await others[0]!.say(group, 'end')
        for (const player of others) await player.hear('end')
        expect(others.map((player) => player.heard.length - 1)).toEqual(heard)
        const accepted = replies.filter(({ type }) => type === 'said').length
        expect(replies.filter(({ code }) => code === 'CHAT_BAN').length).toBe(words.length - accepted)
        const newcomer = await anyNode().connect(`${group}-new`)
        await players[5]!.leave(group)
        const { messages } = await newcomer.join(group, 'a')
        expect(messages.length).toBe(accepted + 1)
      }
    },
    TIMEOUT_MS,
  )
})

describe('a channel deleted while players join it', () => {
  /** Returns the player's seat according to the frames; throws if they contradict each other. */
  const seatOf = ({ socket }: FakePlayer): Frame | undefined => {
    let seat: Frame | undefined
    for (const frame of socket.frames) {
      if (frame.type === 'joined') {
        expect(seat).toBeUndefined()
        seat = frame
      }
      if (frame.type === 'channel_deleted') {
        expect([seat?.channel_name, seat?.channel_id]).toEqual([frame.channel_name, frame.channel_id])
        seat = undefined
      }
      if (frame.type === 'left') seat = undefined
    }
    return seat
  }

  test.each([{ hasFallback: true }, { hasFallback: false }])(
    'keeps no member, notifies each once and never exceeds max_count: %j',
    async ({ hasFallback }) => {
      for (let round = 0; round < 8; round++) {
        const [group, key] = [newGroup(), { group: `group-${groups}`, name: 'a' }]
        const { app } = anyNode()
        await app.channels.create(key, SETTINGS)
        if (hasFallback)
          await app.channels.create({ group, name: 'lobby' }, { ...SETTINGS, isFallback: true })
        const players = await Promise.all(
          times(12, (index) => nodes[index % NODES]!.connect(`${group}-p${index}`)),
        )
        const recreate = async () => {
          await anyNode().app.channels.remove(key)
          await anyNode().app.channels.create(key, SETTINGS)
        }
        await concurrently([...players.map((player) => () => player.join(group, 'a')), recreate])
        await Promise.all(players.map((player) => player.ask('ping')))
        await network.quiet()

        const shards = await listShards(anyNode(), group)
        for (const { name, members } of shards) {
          expect(members.length).toBeLessThanOrEqual(SETTINGS.maxMembers)
          expect(name === 'lobby' ? hasFallback : true).toBe(true)
        }
        const inRoster = new Map(
          shards.flatMap((shard) => shard.members.map(({ id }) => [id, shard] as const)),
        )
        for (const [index, player] of players.entries()) {
          const [seat, standing] = [seatOf(player), inRoster.get(`${group}-p${index}`)]
          expect([seat?.channel_name, seat?.channel_id]).toEqual([standing?.name, standing?.number])
          if (standing !== undefined) expect(app.channels.isCurrent(standing)).toBe(true)
        }
      }
    },
    TIMEOUT_MS,
  )
})
