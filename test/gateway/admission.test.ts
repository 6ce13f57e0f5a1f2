import { expect, jest, test } from 'bun:test'
import { PLAYER_SECRET } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'
import { startNode } from './node.ts'
import { RawWebSocket } from './raw-websocket.ts'

test('admits the configured number of connections per second, and no more after a pause', async () => {
  jest.useFakeTimers()
  try {
    await using node = await startNode({
      PARLEY_CONNECTIONS_PER_SECOND: '20',
      PARLEY_CONNECTIONS_PER_ADDRESS: '0',
    })
    const admitted = (attempts: number) =>
      Array.from({ length: attempts }, () => node.gateway.admit({ origin: null, address: '' })).filter(
        (result) => result === 'admitted',
      ).length
    expect(admitted(100)).toBe(20)
    jest.advanceTimersByTime(100)
    expect(admitted(100)).toBe(2)
    jest.advanceTimersByTime(1000)
    expect(admitted(100)).toBe(20)
    jest.advanceTimersByTime(3_600_000)
    expect(admitted(100)).toBe(20)
  } finally {
    jest.useRealTimers()
  }
})

test('admits a quarter of a high rate at once', async () => {
  jest.useFakeTimers()
  try {
    await using node = await startNode({
      PARLEY_CONNECTIONS_PER_SECOND: '1000',
      PARLEY_CONNECTIONS_PER_ADDRESS: '0',
    })
    const admitted = () => {
      let count = 0
      while (node.gateway.admit({ origin: null, address: '' }) === 'admitted') count++
      return count
    }
    expect(admitted()).toBe(250)
    jest.advanceTimersByTime(100)
    expect(admitted()).toBe(100)
    jest.advanceTimersByTime(1000)
    expect(admitted()).toBe(250)
  } finally {
    jest.useRealTimers()
  }
})

test('enforces PARLEY_MAX_CONNECTIONS and reuses the capacity of closed connections', async () => {
  await using s = await startTestServer({
    PARLEY_PLAYER_SECRET: PLAYER_SECRET,
    PARLEY_MAX_CONNECTIONS: '2',
  })
  const [first, second] = [await RawWebSocket.open(s.url), await RawWebSocket.open(s.url)]
  expect([await first.status, await second.status]).toEqual([101, 101])
  using rejected = await RawWebSocket.open(s.url)
  expect(await rejected.status).toBe(503)
  first[Symbol.dispose]()
  // The server notices the close asynchronously.
  let status = 503
  while (status === 503) {
    using again = await RawWebSocket.open(s.url)
    status = await again.status
  }
  expect(status).toBe(101)
  second[Symbol.dispose]()
}, 30_000)
