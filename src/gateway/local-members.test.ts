import { expect, test } from 'bun:test'
import { shardTopic } from '../core/events.ts'
import { LocalMembers } from './local-members.ts'

const shard = { group: 'g', name: 'a', incarnation: 1, number: 1 }
const topic = shardTopic(shard)

test('splits a large channel number into audiences of up to 500 members, and fills those that have room', () => {
  const members = new LocalMembers<number>()
  for (let session = 0; session < 1200; session++) members.add(session, shard)
  const audiences = [...members.audiences(topic)]
  expect(audiences.map((each) => members.audienceSize(each))).toEqual([500, 500, 200])
  expect([audiences[0], members.size(topic)]).toEqual([topic, 1200])
  expect(members.remove(3, shard)).toBe(topic)
  expect(members.remove(3, shard)).toBeUndefined()
  expect(members.add(1200, shard)).toBe(topic)
  expect(members.audienceOf(1200, shard)).toBe(topic)
  expect([...members.ofChannel(shard)].length).toBe(1200)
  expect([...members.ofAudience(audiences[2]!)].length).toBe(200)
})

test('keeps nothing about members that left, and reuses no audience of others', () => {
  const members = new LocalMembers<number>()
  for (let session = 0; session < 1000; session++) members.add(session, shard)
  for (let session = 0; session < 500; session++) members.remove(session, shard)
  expect([...members.audiences(topic)]).toHaveLength(1)
  for (let session = 0; session < 500; session++) members.add(session, shard)
  const sizes = [...members.audiences(topic)].map((each) => members.audienceSize(each))
  expect(sizes).toEqual([500, 500])
  for (let session = 0; session < 1000; session++) members.remove(session, shard)
  expect([[...members.audiences(topic)], members.size(topic), [...members.all()]]).toEqual([[], 0, []])
  expect(members.entries).toBe(0)
  expect(members.add(1, shard)).toBe(topic)
})
