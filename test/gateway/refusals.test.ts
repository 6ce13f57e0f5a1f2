import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startNode } from './node.ts'

const MESSAGES_AT_ONCE = 5
const SETTINGS = { maxMembers: 10, isFallback: false, isAutoscaling: true }

let node: Awaited<ReturnType<typeof startNode>>

beforeAll(async () => {
  // Time stands still: what is spent stays spent.
  node = await startNode({ PARLEY_FLOOD_LIMIT: 'on' }, { monotonicClock: () => 0 })
  await node.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
})
afterAll(() => node[Symbol.asyncDispose]())

async function seat(id: string) {
  const player = await node.connect(id)
  await player.join('g', 'a')
  return player
}

describe('a message with more than one thing wrong', () => {
  test('is refused for the ban first, whatever it says', async () => {
    const player = await seat('banned')
    await node.app.bans.apply('banned', 1)
    for (const text of ['', 'x'.repeat(2000), 'hello']) {
      expect(await player.say('g', text)).toMatchObject({ type: 'error', code: 'CHAT_BAN' })
    }
  })

  test('costs a banned player nothing of what may be said once the ban is lifted', async () => {
    const player = await seat('lifted')
    await node.app.bans.apply('lifted', 1)
    for (let i = 0; i < MESSAGES_AT_ONCE; i++) await player.say('g', 'hello')
    await node.app.bans.lift('lifted')
    expect(await player.say('g', 'hello again')).toMatchObject({ type: 'said' })
  })

  test('counts for flood control only when its text could have been sent', async () => {
    const player = await seat('clumsy')
    for (let i = 0; i < MESSAGES_AT_ONCE; i++) {
      expect(await player.say('g', 'x'.repeat(2000))).toMatchObject({ code: 'MESSAGE_TOO_LONG' })
    }
    for (let i = 0; i < MESSAGES_AT_ONCE; i++) {
      expect(await player.say('g', `m${i}`)).toMatchObject({ type: 'said' })
    }
    expect(await player.say('g', '')).toMatchObject({ code: 'MESSAGE_TOO_SHORT' })
    expect(await player.say('g', 'one too many')).toMatchObject({ code: 'MESSAGE_SPAM' })
  })
})
