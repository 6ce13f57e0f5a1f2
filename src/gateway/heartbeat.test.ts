import { beforeEach, expect, test } from 'bun:test'
import { Heartbeat } from './heartbeat.ts'

const INTERVAL = 25_000

let now: number
let told: string[]
let heartbeat: Heartbeat

beforeEach(() => {
  now = 0
  told = []
  heartbeat = new Heartbeat(INTERVAL, () => now)
})

const pulse = (name: string) => ({
  ping: () => told.push(`ping ${name}`),
  terminate: () => told.push(`terminate ${name}`),
})

function passTo(at: number): string[] {
  now = at
  told = []
  heartbeat.beat()
  return told
}

test('pings each connection once in every interval, counted from its opening', () => {
  const beats = [heartbeat.add(pulse('a'))]
  now = 1000
  beats.push(heartbeat.add(pulse('b')))
  const answered = (at: number) => {
    for (const beat of beats) beat.missed = 0
    return passTo(at)
  }
  expect(answered(INTERVAL - 1)).toEqual([])
  expect(answered(INTERVAL)).toEqual(['ping a'])
  expect(answered(INTERVAL + 1000)).toEqual(['ping b'])
  expect(answered(2 * INTERVAL)).toEqual(['ping a'])
  expect(answered(10 * INTERVAL)).toEqual(['ping b', 'ping a'])
})

test('ends a connection that answers none of three pings, and only that one', () => {
  heartbeat.add(pulse('dead'))
  const alive = heartbeat.add(pulse('alive'))
  for (const turn of [1, 2, 3]) {
    expect(passTo(turn * INTERVAL)).toEqual(['ping dead', 'ping alive'])
    alive.missed = 0
  }
  expect(passTo(4 * INTERVAL)).toEqual(['terminate dead', 'ping alive'])
  expect(passTo(5 * INTERVAL)).toEqual(['ping alive'])
})

test('a sign of life at the last moment saves a connection', () => {
  const beat = heartbeat.add(pulse('slow'))
  for (const turn of [1, 2, 3]) passTo(turn * INTERVAL)
  beat.missed = 0
  expect(passTo(4 * INTERVAL)).toEqual(['ping slow'])
})

test('forgets a connection that was closed', () => {
  const closed = pulse('closed')
  heartbeat.add(closed)
  heartbeat.remove(closed)
  expect(passTo(INTERVAL)).toEqual([])
})

test('pings a thousand in one turn, and the others in the next ones', () => {
  for (let index = 0; index < 2500; index++) heartbeat.add(pulse(String(index)))
  expect([passTo(INTERVAL).length, passTo(INTERVAL).length, passTo(INTERVAL).length]).toEqual([
    1000, 1000, 500,
  ])
  expect(passTo(INTERVAL)).toEqual([])
})
