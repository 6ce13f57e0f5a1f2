import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PresenceBatcher, type PresenceChange, type PresenceEvent } from './presence-batcher.ts'

const presenceEvent = (kind: 'joined' | 'left', id: string): PresenceEvent => ({
  kind: `player-${kind}`,
  shard: { group: 'g', name: 'a', incarnation: 1, number: 1 },
  player: { id, name: id },
})

function setUp(memberCount = 500) {
  const state = { memberCount, failure: undefined as Error | undefined, counts: 0 }
  const sent: [string, PresenceChange][] = []
  const errors: unknown[] = []
  const batcher = new PresenceBatcher({
    countMembers: async () => {
      state.counts++
      await Promise.resolve()
      if (state.failure !== undefined) throw state.failure
      return state.memberCount
    },
    send: (topic, change) => sent.push([topic, change]),
    onError: (err) => errors.push(err),
  })
  const add = (kind: 'joined' | 'left', id: string, topic = 't', local = 500) =>
    batcher.add(topic, presenceEvent(kind, id), local)
  return { batcher, state, sent, errors, add }
}

const namesOf = ({ players }: PresenceChange) =>
  players && [players.joined.map(({ id }) => id), players.left.map(({ id }) => id)]

describe('a batch', () => {
  test('is one frame per topic, with the last change of each player', async () => {
    const { batcher, sent, state, add } = setUp()
    add('joined', 'stayed')
    add('joined', 'brief')
    add('left', 'brief')
    add('left', 'left')
    add('left', 'back')
    add('joined', 'back')
    add('joined', 'brief', 'other')
    await batcher.flush()
    expect(sent.map(([topic, change]) => [topic, namesOf(change), change.memberCount])).toEqual([
      [
        't',
        [
          ['stayed', 'back'],
          ['brief', 'left'],
        ],
        500,
      ],
      ['other', [['brief'], []], 500],
    ])
    await batcher.flush()
    expect([sent.length, state.counts]).toEqual([2, 2])
  })

  test('is sent although its changes cancel out, for clients that fetched the members in between', async () => {
    const { batcher, sent, add } = setUp()
    for (const local of [500, 1001]) {
      add('left', 'p', `${local}`, local)
      add('joined', 'p', `${local}`, local)
    }
    await batcher.flush()
    expect(sent.map(([topic, change]) => [topic, namesOf(change)])).toEqual([
      ['500', [['p'], []]],
      ['1001', undefined],
    ])
    expect(batcher.has('500')).toBe(false)
  })

  test.each([
    ['members on this node', 1001, 1000, 1],
    ['members on all nodes', 500, 1001, 1],
    ['changes', 500, 1000, 1001],
  ])('names no players above 1,000 %s', async (_, local, memberCount, changes) => {
    const { batcher, sent, add } = setUp(memberCount)
    for (let n = 0; n < changes; n++) add('joined', `p${n}`, 't', local)
    await batcher.flush()
    expect(sent.map(([, change]) => [change.memberCount, change.players])).toEqual([[memberCount, undefined]])
  })

  test('names up to 1,000 players', async () => {
    const { batcher, sent, add } = setUp(1000)
    for (let n = 0; n < 1000; n++) add('joined', `p${n}`, 't', 1000)
    await batcher.flush()
    expect(sent[0]?.[1].players?.joined.length).toBe(1000)
  })

  test('is sent with the next one when the members cannot be counted', async () => {
    const { batcher, sent, state, errors, add } = setUp()
    state.failure = new Error('unavailable')
    add('joined', 'first')
    add('joined', 'brief')
    const flushed = batcher.flush()
    add('left', 'brief')
    add('joined', 'second')
    await flushed
    expect([sent, errors]).toEqual([[], [state.failure]])
    state.failure = undefined
    await batcher.flush()
    expect(sent.map(([, change]) => namesOf(change))).toEqual([[['first', 'second'], ['brief']]])
  })

  test('without names is sent with the next one', async () => {
    const { batcher, sent, state, add } = setUp(2000)
    state.failure = new Error('unavailable')
    add('joined', 'first', 't', 2000)
    const flushed = batcher.flush()
    for (const id of ['second', 'third']) add('left', id, 't', 2000)
    await flushed
    state.failure = undefined
    add('left', 'fourth', 't', 2000)
    await batcher.flush()
    expect(sent.map(([, change]) => [change.memberCount, change.players])).toEqual([[2000, undefined]])
  })

  test('keeps its topic pending while the members are counted, and is counted once at a time', async () => {
    const { batcher, sent, state, add } = setUp()
    add('joined', 'first')
    const flushed = batcher.flush()
    add('left', 'first')
    await batcher.flush()
    expect([batcher.has('t'), state.counts]).toEqual([true, 1])
    await flushed
    await batcher.flush()
    expect(batcher.has('t')).toBe(false)
    expect(sent.map(([, change]) => namesOf(change))).toEqual([
      [['first'], []],
      [[], ['first']],
    ])
  })
})

test('lists kept from the changes equal the members, whatever fails and overlaps', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ player: fc.integer({ min: 0, max: 9 }) }),
      fc.constantFrom('flush', 'fail', 'recover', 'turn'),
    ),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { batcher, state, sent, add } = setUp(0)
      const members = new Set<string>()
      const flushes: Promise<void>[] = []
      for (const step of taken) {
        if (step === 'flush') flushes.push(batcher.flush())
        else if (step === 'turn') await Promise.resolve()
        else if (typeof step === 'string') state.failure = step === 'fail' ? new Error('down') : undefined
        else {
          const id = `p${step.player}`
          const isMember = members.delete(id)
          if (!isMember) members.add(id)
          state.memberCount = members.size
          add(isMember ? 'left' : 'joined', id)
        }
      }
      await Promise.all(flushes)
      state.failure = undefined
      await batcher.flush()
      const listed = new Set<string>()
      for (const [, { players }] of sent) {
        for (const { id } of players?.joined ?? []) listed.add(id)
        for (const { id } of players?.left ?? []) listed.delete(id)
      }
      expect([...listed].sort()).toEqual([...members].sort())
      if (sent.length > 0) expect(sent.at(-1)?.[1].memberCount).toBe(members.size)
    }),
    { numRuns: 2000 },
  )
})
