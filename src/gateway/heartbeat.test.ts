import { beforeEach, expect, test } from 'bun:test'
import { Heartbeat } from './heartbeat.ts'

const INTERVAL = 25_000

let now: number
let actions: string[]
let heartbeat: Heartbeat

beforeEach(() => {
  now = 0
  actions = []
  heartbeat = new Heartbeat(INTERVAL, () => now)
})

const connection = (name: string) => ({
  ping: () => actions.push(`ping ${name}`),
  terminate: () => actions.push(`terminate ${name}`),
})

function advanceTo(at: number): string[] {
  now = at
  actions = []
  heartbeat.pingDue()
  return actions
}

test('pings each connection once per interval, counted from when it opened', () => {
  const states = [heartbeat.add(connection('a'))]
  now = 1000
  states.push(heartbeat.add(connection('b')))
  const afterReplies = (at: number) => {
    for (const state of states) state.missed = 0
    return advanceTo(at)
  }
  expect(afterReplies(INTERVAL - 1)).toEqual([])
  expect(afterReplies(INTERVAL)).toEqual(['ping a'])
  expect(afterReplies(INTERVAL + 1000)).toEqual(['ping b'])
  expect(afterReplies(2 * INTERVAL)).toEqual(['ping a'])
  expect(afterReplies(10 * INTERVAL)).toEqual(['ping b', 'ping a'])
})

test('terminates a connection that misses three pings, and no other', () => {
  heartbeat.add(connection('dead'))
  const alive = heartbeat.add(connection('alive'))
  for (const turn of [1, 2, 3]) {
    expect(advanceTo(turn * INTERVAL)).toEqual(['ping dead', 'ping alive'])
    alive.missed = 0
  }
  expect(advanceTo(4 * INTERVAL)).toEqual(['terminate dead', 'ping alive'])
  expect(advanceTo(5 * INTERVAL)).toEqual(['ping alive'])
})

test('keeps a connection whose peer replies before the next ping is due', () => {
  const state = heartbeat.add(connection('slow'))
  for (const turn of [1, 2, 3]) advanceTo(turn * INTERVAL)
  state.missed = 0
  expect(advanceTo(4 * INTERVAL)).toEqual(['ping slow'])
})

test('stops pinging a closed connection', () => {
  const closed = connection('closed')
  heartbeat.add(closed)
  heartbeat.remove(closed)
  expect(advanceTo(INTERVAL)).toEqual([])
})

test('pings at most 1,000 connections per turn and the rest in the next turns', () => {
  for (let index = 0; index < 2500; index++) heartbeat.add(connection(String(index)))
  expect([advanceTo(INTERVAL).length, advanceTo(INTERVAL).length, advanceTo(INTERVAL).length]).toEqual([
    1000, 1000, 500,
  ])
  expect(advanceTo(INTERVAL)).toEqual([])
})
