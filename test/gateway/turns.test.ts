import { expect, test } from 'bun:test'
import { FrameTurns } from '../../src/gateway/frame-turns.ts'
import { startNode } from './node.ts'

test('handles requests that wait for their turn in order, and delivers their messages', async () => {
  const turns = new FrameTurns(() => performance.now())
  await using node = await startNode({}, { turns })
  await node.app.channels.create(
    { group: 'g', name: 'a' },
    { maxMembers: 50, isFallback: false, isAutoscaling: true },
  )
  const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
  for (const player of [mina, joon]) await player.join('g', 'a')
  // No request fits into this turn.
  turns.charge(1000)
  const replies = [mina.say('g', 'first'), mina.say('g', 'second'), mina.leave('g')]
  await Promise.resolve()
  expect(turns.delayMs).toBeGreaterThan(0)
  expect(joon.heard).toEqual([])
  expect(await Promise.all(replies)).toMatchObject([{ seq: 1 }, { seq: 2 }, { type: 'left' }])
  await joon.hear('second')
  expect(joon.heard).toEqual(['first', 'second'])
  expect(turns.delayMs).toBe(0)
})
