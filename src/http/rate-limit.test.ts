import { beforeEach, describe, expect, test } from 'bun:test'
import { FailureBackoff, RateLimiter } from './rate-limit.ts'

let now: number
beforeEach(() => {
  now = 1_000_000
})
const clock = () => now

describe('RateLimiter', () => {
  const create = () => new RateLimiter({ perSecond: 10 }, clock, new Headers())
  const takeAll = (limiter: RateLimiter, caller = 'a') => {
    let taken = 0
    while (limiter.take(caller).isAllowed) taken++
    return taken
  }

  test('allows bursts of twice the rate, however long the pause was', () => {
    const limiter = create()
    expect(takeAll(limiter)).toBe(20)
    now += 3_600_000
    expect(takeAll(limiter)).toBe(20)
  })

  test('refills at the rate, and accumulates fractions of a token', () => {
    const limiter = create()
    takeAll(limiter)
    now += 50
    expect(takeAll(limiter)).toBe(0)
    now += 50
    expect(takeAll(limiter)).toBe(1)
    now += 1000
    expect(takeAll(limiter)).toBe(10)
  })

  test('limits each caller separately', () => {
    const limiter = create()
    takeAll(limiter, 'a')
    expect(takeAll(limiter, 'b')).toBe(20)
  })
})

describe('FailureBackoff', () => {
  const fail = (backoff: FailureBackoff, address: string, times: number) => {
    for (let failure = 1; failure < times; failure++) backoff.delayMs(address)
    return backoff.delayMs(address)
  }

  test('delays an address from its 101st failure in a minute, by up to a second', () => {
    const backoff = new FailureBackoff(clock)
    expect(fail(backoff, 'a', 100)).toBe(0)
    expect(backoff.delayMs('a')).toBe(10)
    expect(backoff.delayMs('a')).toBe(20)
    expect(fail(backoff, 'a', 1000)).toBe(1000)
    expect(backoff.delayMs('b')).toBe(0)
    now += 60_000
    expect(backoff.delayMs('a')).toBe(0)
  })

  test('remembers at most 10,000 addresses, then starts over', () => {
    const backoff = new FailureBackoff(clock)
    for (let index = 0; index < 9_999; index++) backoff.delayMs(`other-${index}`)
    expect(fail(backoff, 'a', 101)).toBe(10)
    expect(backoff.delayMs('one more')).toBe(0)
    expect(backoff.delayMs('a')).toBe(0)
  })
})
