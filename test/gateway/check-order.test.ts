import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startNode } from './node.ts'

const MESSAGE_LIMIT = 5
const SETTINGS = { maxMembers: 10, isFallback: false, isAutoscaling: true }

let node: Awaited<ReturnType<typeof startNode>>

beforeAll(async () => {
  // The clock stands still, so that limits never recover.
  node = await startNode({ PARLEY_FLOOD_LIMIT: 'on' }, { monotonicClock: () => 0 })
  await node.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
})
afterAll(() => node[Symbol.asyncDispose]())

async function joinAs(id: string) {
  const player = await node.connect(id)
  await player.join('g', 'a')
  return player
}

describe('a message that violates several rules', () => {
  test('is rejected for the ban first', async () => {
    const player = await joinAs('banned')
    await node.app.bans.apply('banned', 1)
    for (const text of ['', 'x'.repeat(2000), 'hello']) {
      expect(await player.say('g', text)).toMatchObject({ type: 'error', code: 'CHAT_BAN' })
    }
  })

  test('of a banned player does not count against flood control', async () => {
    const player = await joinAs('lifted')
    await node.app.bans.apply('lifted', 1)
    for (let i = 0; i < MESSAGE_LIMIT; i++) await player.say('g', 'hello')
    await node.app.bans.lift('lifted')
    expect(await player.say('g', 'hello again')).toMatchObject({ type: 'said' })
  })

  test('counts for flood control only if its text is valid', async () => {
    const player = await joinAs('clumsy')
    for (let i = 0; i < MESSAGE_LIMIT; i++) {
      expect(await player.say('g', 'x'.repeat(2000))).toMatchObject({ code: 'MESSAGE_TOO_LONG' })
    }
    for (let i = 0; i < MESSAGE_LIMIT; i++) {
      expect(await player.say('g', `m${i}`)).toMatchObject({ type: 'said' })
    }
    expect(await player.say('g', '')).toMatchObject({ code: 'MESSAGE_TOO_SHORT' })
    expect(await player.say('g', 'one too many')).toMatchObject({ code: 'MESSAGE_SPAM' })
  })
})
