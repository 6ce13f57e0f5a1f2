import { describe, expect, test } from 'bun:test'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { startTestServer, TOKEN } from '../support/server.ts'
import { expectError, makeChannel, sendRaw } from './helpers.ts'

async function read(url: string, path: string, init: RequestInit = {}) {
  const response = await fetch(new URL(path, url), init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Blocks each list of channels until it is released. */
function createBlockedRoster() {
  const roster = new MemorySeats(systemClock).join()
  const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { listShards } = roster
  roster.listShards = async (...args) => {
    entered.resolve()
    await release.promise
    return listShards.apply(roster, args)
  }
  return { roster, entered, release }
}

describe('/livez and /readyz', () => {
  test('return 200 without a token on a healthy server', async () => {
    await using s = await startTestServer()
    for (const path of ['/livez', '/readyz']) {
      const { status, headers, text } = await read(s.url, path)
      expect([path, status]).toEqual([path, 200])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(JSON.parse(text)).toHaveProperty('status')
    }
  })

  test('/readyz returns 503 and names the failing part, and /livez stays 200', async () => {
    const bus = new MemoryNetwork(Date.now).join()
    await using s = await startTestServer({}, { bus })
    await bus.close()
    const { status, text } = await read(s.url, '/readyz')
    expect(status).toBe(503)
    expect(JSON.parse(text).checks).toEqual({ store: 'ok', bus: 'failing', filter: 'ok' })
    expect((await read(s.url, '/livez')).status).toBe(200)
  })

  test('a check that hangs counts as failing and does not delay the response', async () => {
    const bus = new MemoryNetwork(systemClock).join()
    bus.check = () => new Promise(() => undefined)
    await using s = await startTestServer({}, { bus })
    const { status, text } = await read(s.url, '/readyz')
    expect(status).toBe(503)
    expect(JSON.parse(text).checks).toMatchObject({ store: 'ok', bus: 'failing' })
  })

  test.each(['/livez', '/readyz', '/metrics'])('%s allows only GET and HEAD', async (path) => {
    await using s = await startTestServer()
    const head = await read(s.url, path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const post = await read(s.url, path, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(JSON.parse(post.text)).toEqual({
      message: 'The method is not allowed.',
      code: 405100,
      error: true,
    })
  })
})

test.each(['/livez', '/readyz', '/metrics'])(
  '%s responds to an HTTP/1.0 probe without a Host',
  async (path) => {
    await using s = await startTestServer()
    expect(await sendRaw(s.url, [`GET ${path} HTTP/1.0`])).toStartWith('HTTP/1.1 200')
  },
)

describe('a stopping server', () => {
  test('completes requests in flight, rejects new ones with 503100, and is not ready', async () => {
    const { roster, entered, release } = createBlockedRoster()
    const s = await startTestServer({}, { roster })
    await makeChannel(s.call, 'g', 'a')
    const inFlight = s.call('GET', '/open_channels?channel_group=g')
    await entered.promise
    const stopped = s[Symbol.asyncDispose]()

    const rejected = await s.call('GET', '/block_user_list')
    expectError(rejected, 503100, 'The service is temporarily unavailable.')
    expect(rejected.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect((await s.call('GET', '/block_user_list', { token: null })).json.code).toBe(400701)
    expect((await read(s.url, '/readyz')).status).toBe(503)
    expect((await read(s.url, '/livez')).status).toBe(200)

    release.resolve()
    expect((await inFlight).json).toMatchObject([{ channel_name: 'a', players: [] }])
    await stopped
  })
})

describe('/metrics', () => {
  test('returns the Prometheus text format without a token', async () => {
    await using s = await startTestServer()
    const { status, headers, text } = await read(s.url, '/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
    for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#')))
      expect(line).toMatch(/^[a-zA-Z_:][\w:]*(\{[^}]*\})? (-?[\d.]+(e[+-]?\d+)?|NaN|[+-]Inf)$/)
  })

  test('counts requests by operation and status, and store commits', async () => {
    await using s = await startTestServer()
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'x', days: 1 } })
    await s.call('PUT', '/block_user_chat', { body: {} })
    await s.call('GET', '/block_user_list')
    await s.call('GET', '/nowhere')
    const { text } = await read(s.url, '/metrics')
    const name = 'http_server_request_duration_seconds'
    expect(text).toContain(`${name}_count{operation="applyChatBan",status="200"} 1`)
    expect(text).toContain(`${name}_count{operation="applyChatBan",status="400"} 1`)
    expect(text).toContain(`${name}_count{operation="listRestrictedUsers",status="200"} 1`)
    expect(text).toContain(`${name}_bucket{operation="applyChatBan",status="200",le="+Inf"} 1`)
    expect(text).toContain(`${name}_sum{operation="applyChatBan",status="200"}`)
    for (const each of [
      'parley_store_commits_total',
      'parley_store_commit_seconds_count',
      'parley_store_batch_calls_count',
      'parley_store_queue',
      'process_cpu_seconds_total',
    ])
      expect(text).toMatch(new RegExp(`^${each} `, 'm'))
  })

  test('contains no secret, player, channel or raw path', async () => {
    await using s = await startTestServer()
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'the-player', days: 1 } })
    await s.call('PUT', '/open_channels', {
      body: { channel_group: 'the-group', channel_name: 'the-channel' },
    })
    await s.call('GET', '/the-path')
    await s.call('GET', '/block_user_list', { token: 'the-wrong-token' })
    const { text } = await read(s.url, '/metrics')
    for (const secret of [TOKEN, 'the-player', 'the-group', 'the-channel', 'the-path', 'the-wrong-token'])
      expect(text).not.toContain(secret)
  })
})
