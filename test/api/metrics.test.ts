import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { makeChannel } from './helpers.ts'

interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
}

let s: TestServer
let text = ''
let families: readonly Family[] = []

beforeAll(async () => {
  s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET })
  await makeChannel(s.call, 'main', 'lobby')
  using mina = await TestPlayer.connect(s.url, 'mina')
  await mina.join('main', 'lobby')
  await mina.say('main', 'hello')
  text = await (await fetch(new URL('/metrics', s.url))).text()
  families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
    help: new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(text)?.[1]?.trim() ?? '',
  }))
})
afterAll(() => s[Symbol.asyncDispose]())

const namesOf = (isMeant: (family: Family) => boolean) => families.filter(isMeant).map(({ name }) => name)

/** The units and suffixes that `promtool check metrics` objects to. */
const NOT_BASE_UNITS =
  /_(milliseconds|ms|microseconds|us|minutes|hours|days|kilobytes|megabytes|kb|mb|percent)(_|$)/
const RESERVED_SUFFIX = /_(count|sum|bucket)$/

describe('/metrics', () => {
  test('declares each metric family once', () => {
    expect(families.length).toBeGreaterThan(20)
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length)
  })

  test('ends the names of counters, and only those, in _total', () => {
    expect(namesOf(({ name, type }) => (type === 'counter') !== name.endsWith('_total'))).toEqual([])
  })

  test('has a help text for every metric', () => {
    expect(namesOf(({ help }) => help === '')).toEqual([])
  })

  test('uses snake case, base units and no reserved suffixes', () => {
    expect(namesOf(({ name }) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
    expect(namesOf(({ name }) => NOT_BASE_UNITS.test(name))).toEqual([])
    expect(namesOf(({ name }) => RESERVED_SUFFIX.test(name))).toEqual([])
  })

  test('labels requests by operation, never by path', async () => {
    for (const path of [
      '/nonsense-1',
      '/chat/v1/nonsense-2',
      '/chat/v1/open_channels/nonsense-3',
      '/gateway/v1/4',
    ])
      await fetch(new URL(path, s.url))
    await s.call('GET', '/open_channels')
    await s.call('DELETE', '/messages/nonsense-5')
    const page = await (await fetch(new URL('/metrics', s.url))).text()
    const labels = new Set(
      Array.from(
        page.matchAll(/^http_server_request_duration_seconds_count\{operation="(.*?)"/gm),
        ([, each]) => each,
      ),
    )
    expect(labels).toContain('listOpenChannels')
    expect([...labels].filter((each) => /nonsense|\d/.test(each?.replace('/gateway/v1', '') ?? ''))).toEqual(
      [],
    )
  })

  test.skipIf(Bun.which('promtool') === null)('passes promtool check metrics', async () => {
    const child = Bun.spawn(['promtool', 'check', 'metrics'], {
      stdin: new Blob([text]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const said = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect(said).toEqual(['', ''])
    expect(await child.exited).toBe(0)
  })
})

test('shows the lag of the event loop and the wider window of broadcasts', async () => {
  let skippedMs = 0
  const monotonicClock = () => performance.now() + skippedMs
  await using lagging = await startTestServer({}, { monotonicClock })
  const read = async (name: string) => {
    const page = await (await fetch(new URL('/metrics', lagging.url))).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1])
  }
  expect(await read('parley_outbox_window_seconds')).toBeGreaterThanOrEqual(0.008)
  // The next timer of the event loop seems to run a minute late.
  while ((await read('parley_event_loop_lag_seconds')) < 1) skippedMs += 60_000
  expect(await read('parley_outbox_window_seconds')).toBe(0.25)
})
