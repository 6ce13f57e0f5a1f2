import { afterAll, beforeAll, expect, test } from 'bun:test'
import { temporaryFolder } from '../faults/support.ts'
import { errorLines } from '../fuzz/support.ts'
import { type Frame, signToken } from '../support/player.ts'
import type { ServerProcess } from '../support/process.ts'
import { gapsIn, Member } from './member.ts'
import {
  kernelQueue,
  makeChannel,
  NO_CLOSE_FRAME,
  readMetric,
  residentBytes,
  spawnGateway,
  Wire,
} from './support.ts'

const CROWD = 300
const READERS = 800
const SLEEPERS = 200
const SECOND = 1000
const MEGABYTE = 2 ** 20
const CUT_WITHIN_MS = 15 * SECOND
const LARGE = 'x'.repeat(14_000)
const PLACE = { channel_group: 'crowd', channel_name: 'a' }

const folder = temporaryFolder()
let server: ServerProcess
/** A connection that says nothing: how it ends, and when. */
let silence: Promise<{ code: number; ms: number }>

beforeAll(async () => {
  server = await spawnGateway(folder.path)
  const silent = await Wire.open(server.url)
  const since = performance.now()
  silence = silent.closed().then((code) => ({ code, ms: performance.now() - since }))
})

afterAll(async () => {
  await server.kill('SIGKILL')
  folder[Symbol.dispose]()
})

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

async function enter(url: string, id: string, place: object = PLACE): Promise<Member> {
  const member = await Member.connect(url, id)
  const answer = await member.ask('join', place)
  if (answer.type !== 'joined') throw new Error(`${id}: ${JSON.stringify(answer)}`)
  return member
}

/** Sits down, and reads nothing from then on. */
async function enterAndSleep(url: string, id: string): Promise<Wire> {
  const wire = await Wire.open(url)
  await wire.ask({ type: 'connect', id: 1, token: await signToken(id) })
  const { type } = await wire.ask({ type: 'join', id: 2, ...PLACE })
  expect(type).toBe('joined')
  wire.pause()
  return wire
}

/** Says something large in ten voices; gives back how long it took until each reader had all of it. */
async function speak(readers: readonly Member[]): Promise<number[]> {
  const startedAt = performance.now()
  const said = await Promise.all(
    readers.slice(0, 10).map((speaker) => speaker.ask('say', { channel_group: 'crowd', message: LARGE })),
  )
  const last = Math.max(...said.map(({ seq }) => seq))
  return Promise.all(
    readers.map(async (reader) => {
      await reader.until(() => reader.lastSeq >= last)
      return performance.now() - startedAt
    }),
  )
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!

test('of a thousand, two hundred never read: they are cut in time, and cost the others nothing', async () => {
  using home = temporaryFolder()
  await using crowded = await spawnGateway(home.path, { PARLEY_MAX_MESSAGE_BYTES: '15000' })
  await makeChannel(crowded, 'crowd', 'a', { max_count: READERS + SLEEPERS })
  const readers = await times(READERS, (index) => enter(crowded.url, `reader-${index}`))
  const unharmed: number[] = []
  for (let round = 0; round < 10; round++) unharmed.push(...(await speak(readers)))
  const sleepers = await times(SLEEPERS, (index) => enterAndSleep(crowded.url, `sleeper-${index}`))
  const ports = sleepers.map(({ localPort }) => localPort)
  const before = residentBytes(crowded.pid)
  const harmed: number[] = []
  let [peak, queued, stuckAt] = [before, 0, performance.now()]
  while ((await readMetric(crowded, 'parley_connections')) > READERS) {
    harmed.push(...(await speak(readers)))
    peak = Math.max(peak, residentBytes(crowded.pid))
    // For as long as the kernel takes something for them, the server can't tell that they don't read.
    const now = kernelQueue(crowded.url, ports)
    if (now > queued) stuckAt = performance.now()
    queued = Math.max(queued, now)
    if (performance.now() - stuckAt > CUT_WITHIN_MS) throw new Error('They are not cut.')
  }
  expect(p99(harmed)).toBeLessThan(10 * p99(unharmed))
  expect((peak - before) / MEGABYTE).toBeLessThan(3 * SLEEPERS)
  expect(await cutsOf(crowded)).toEqual({ slow: SLEEPERS })
  for (const sleeper of sleepers) sleeper.resume()
  const codes = await Promise.all(sleepers.map((sleeper) => sleeper.closed()))
  expect(codes.filter((code) => code !== 4008 && code !== NO_CLOSE_FRAME)).toEqual([])
  const rounds = (unharmed.length + harmed.length) / READERS
  for (const reader of readers) expect([reader.seqs.length, gapsIn(reader.seqs)]).toEqual([10 * rounds, []])
  expect(await readMetric(crowded, 'parley_connections')).toBe(READERS)
  for (const reader of readers) reader.terminate()
}, 150_000)

test('who reads too slowly for 5 s is told so with 4008', async () => {
  using home = temporaryFolder()
  await using slow = await spawnGateway(home.path, { PARLEY_MAX_MESSAGE_BYTES: '15000' })
  await makeChannel(slow, 'crowd', 'a')
  using speaker = await enter(slow.url, 'speaker')
  using sleeper = await enterAndSleep(slow.url, 'sleeper')
  // As soon as the kernel takes no more, the server keeps what comes: half a megabyte, then nothing.
  let queued = -1
  for (let stalled = 0; stalled < 36; ) {
    const said = await speaker.ask('say', { channel_group: 'crowd', message: LARGE })
    await speaker.until(() => speaker.lastSeq === said.seq)
    const now = kernelQueue(slow.url, [sleeper.localPort])
    stalled = now > queued ? 0 : stalled + 1
    queued = Math.max(now, queued)
  }
  const since = performance.now()
  expect(await readMetric(slow, 'parley_connections')).toBe(2)
  while ((await readMetric(slow, 'parley_connections')) > 1) await Bun.sleep(50)
  expect(performance.now() - since).toBeLessThan(CUT_WITHIN_MS)
  expect(await cutsOf(slow)).toEqual({ slow: 1 })
  sleeper.resume()
  expect(await sleeper.closed()).toBe(4008)
}, 150_000)

test('who takes nothing while a megabyte is said is cut at once, told so and counted', async () => {
  using home = temporaryFolder()
  await using loud = await spawnGateway(home.path, { PARLEY_MAX_MESSAGE_BYTES: '15000' })
  await makeChannel(loud, 'crowd', 'a')
  using speaker = await enter(loud.url, 'speaker')
  using sleeper = await enterAndSleep(loud.url, 'sleeper')
  do {
    for (let spoken = 0; spoken < 20; spoken++)
      await speaker.ask('say', { channel_group: 'crowd', message: LARGE })
  } while ((await readMetric(loud, 'parley_connections')) > 1)
  expect(await cutsOf(loud)).toEqual({ slow: 1 })
  sleeper.resume()
  expect(await sleeper.closed()).toBe(4008)
}, 150_000)

test('who asks on and on and takes no answer is cut and counted', async () => {
  using home = temporaryFolder()
  await using asked = await spawnGateway(home.path, { PARLEY_MAX_MESSAGE_BYTES: '15000' })
  await makeChannel(asked, 'crowd', 'a')
  using speaker = await enter(asked.url, 'speaker')
  for (let spoken = 0; spoken < 50; spoken++)
    await speaker.ask('say', { channel_group: 'crowd', message: LARGE })
  using sleeper = await enterAndSleep(asked.url, 'sleeper')
  // Each of these answers holds the last fifty messages.
  for (let turn = 0; turn < 20; turn++) {
    sleeper.send({ type: 'leave', id: 1, channel_group: 'crowd' })
    sleeper.send({ type: 'join', id: 2, ...PLACE })
  }
  while ((await readMetric(asked, 'parley_connections')) > 1) await Bun.sleep(10)
  expect(await cutsOf(asked)).toEqual({ slow: 1 })
  expect(errorLines(asked.output())).toEqual([])
}, 150_000)

/** Connections that the server has ended, by reason. */
async function cutsOf({ url }: ServerProcess): Promise<Record<string, number>> {
  const text = await (await fetch(new URL('/metrics', url))).text()
  const lines = text.matchAll(/^parley_connections_cut_total\{reason="(.+)"\} (\d+)$/gm)
  return Object.fromEntries(Array.from(lines, ([, reason, count]) => [reason, Number(count)]))
}

interface Seat {
  readonly member: Member
  readonly joined: Frame
}

/** Comes back to the same number, as often as it is told that the own seat is not free yet. */
async function comeBack(id: string, joined: Frame, seq: number): Promise<Seat> {
  const member = await Member.connect(server.url, id)
  const { channel_group, channel_name, channel_id, epoch } = joined
  for (;;) {
    const answer = await member.ask('resume', { channel_group, channel_name, channel_id, epoch, seq })
    if (answer.type === 'joined') return { member, joined: answer }
    expect(answer).toMatchObject({ type: 'error', code: 'CHANNEL_FULL' })
  }
}

const announce = () =>
  server.call('POST', '/system_message', { body: { channel_type: 1, ...PLACE, message: 'x' } })

async function requireSeatsKept(): Promise<string[]> {
  const { json } = await server.call('GET', '/open_channels?channel_group=crowd')
  for (const { players, max_count } of json) expect(players.length).toBeLessThanOrEqual(max_count)
  return json.flatMap(({ players }: Frame) => players.map(({ gamer_id }: Frame) => gamer_id))
}

test('all drop at once and come back at once: nobody misses or hears anything twice untold', async () => {
  await makeChannel(server, 'crowd', 'a', { max_count: 50 })
  const seats = await times(CROWD, async (index) => {
    const member = await Member.connect(server.url, `p${index}`)
    return { member, joined: await member.ask('join', PLACE) }
  })
  for (let spoken = 1; spoken <= 5; spoken++) await announce()
  await Promise.all(seats.map(({ member }) => member.until(() => member.lastSeq === 5)))
  for (const { member } of seats) member.terminate()
  for (let spoken = 1; spoken <= 5; spoken++) await announce()
  let isBack = false
  const meanwhile = (async () => {
    for (let spoken = 11; !isBack || spoken < 40; spoken++) {
      if (spoken < 40) await announce()
      await requireSeatsKept()
    }
  })()
  const back = await Promise.all(
    seats.map(({ member, joined }) => comeBack(member.id, joined, member.lastSeq)),
  )
  isBack = true
  await meanwhile
  await announce()
  await Promise.all(back.map(({ member }) => member.until(() => member.lastSeq >= 40)))
  const faults = back.flatMap(({ member, joined }, index) => {
    const heard = joined.recovered ? [...seats[index]!.member.seqs, ...member.seqs] : member.seqs
    const gaps = gapsIn(heard)
    return gaps.length === 0 ? [] : [`${member.id} recovered ${joined.recovered}: ${JSON.stringify(gaps)}`]
  })
  expect(faults).toEqual([])
  expect(back.filter(({ joined }) => joined.recovered).length).toBe(CROWD)
  expect((await requireSeatsKept()).sort()).toEqual(seats.map(({ member }) => member.id).sort())
  expect(errorLines(server.output())).toEqual([])
  for (const { member } of back) member.terminate()
}, 60_000)

test('too many connections at once: the rest is asked to come back, and gets in', async () => {
  using home = temporaryFolder()
  await using narrow = await spawnGateway(home.path, { PARLEY_CONNECTIONS_PER_SECOND: '20' })
  await makeChannel(narrow, 'crowd', 'a')
  const [mina, joon] = [await enter(narrow.url, 'mina'), await enter(narrow.url, 'joon')]
  const startedAt = performance.now()
  let opened = 0
  const refusals: number[] = []
  const arrival = async (index: number) => {
    for (;;) {
      const wire = await Wire.open(narrow.url)
      const { status } = wire
      if ((await status) === 101) {
        const bound = 20 + (performance.now() - startedAt) / 50
        expect(++opened).toBeLessThanOrEqual(bound + 1)
        const token = await signToken(`late-${index}`)
        expect(await wire.ask({ type: 'connect', id: 1, token })).toMatchObject({
          type: 'connected',
        })
        return wire
      }
      refusals.push(await status)
      wire[Symbol.dispose]()
      await Bun.sleep(100 + Math.random() * 400)
    }
  }
  const all = times(200, arrival)
  let isOver = false
  const talk = (async () => {
    for (let seq = 1; !isOver || seq < 20; seq++) {
      const saidAt = performance.now()
      expect(await mina.ask('say', { channel_group: 'crowd', message: `m${seq}` })).toMatchObject({ seq })
      await joon.until(() => joon.lastSeq === seq)
      expect(performance.now() - saidAt).toBeLessThan(2 * SECOND)
      await Bun.sleep(20)
    }
  })()
  const wires = await all
  isOver = true
  await talk
  expect(wires.length).toBe(200)
  expect(refusals.length).toBeGreaterThanOrEqual(150)
  expect(new Set(refusals)).toEqual(new Set([503]))
  expect(gapsIn(joon.seqs)).toEqual([])
  for (const each of [mina, joon, ...wires]) each[Symbol.dispose]()
}, 120_000)

test('a page of another origin is refused; a listed one and a client without origin are let in', async () => {
  using home = temporaryFolder()
  await using guarded = await spawnGateway(home.path, {
    PARLEY_ORIGINS: 'https://game.example,https://b.example',
  })
  const statusFor = async (headers: Record<string, string>) => {
    using wire = await Wire.open(guarded.url, headers)
    return await wire.status
  }
  for (const Origin of [
    'https://evil.example',
    'https://game.example.evil',
    'http://game.example',
    'null',
    '',
  ])
    expect([Origin, await statusFor({ Origin })]).not.toEqual([Origin, 101])
  for (const Origin of ['https://game.example', 'https://b.example'])
    expect([Origin, await statusFor({ Origin })]).toEqual([Origin, 101])
  expect(await statusFor({})).toBe(101)
}, 30_000)

test('SIGTERM tells every player to come back, and exits with 0', async () => {
  using home = temporaryFolder()
  await using leaving = await spawnGateway(home.path)
  await makeChannel(leaving, 'crowd', 'a')
  const members = await times(120, (index) => enter(leaving.url, `p${index}`))
  using early = await Wire.open(leaving.url)
  const exited = leaving.kill('SIGTERM')
  for (const member of members) {
    expect(await member.closed).toBe(4001)
    const [told, ...rest] = member.pushes
    expect([told, rest]).toEqual([{ type: 'going_away', reconnect_in_ms: expect.any(Number) }, []])
    expect(told.reconnect_in_ms).toBeGreaterThanOrEqual(0)
  }
  // Not one of them at the same moment as all the others.
  expect(new Set(members.map(({ pushes }) => pushes[0].reconnect_in_ms)).size).toBeGreaterThan(60)
  expect(await early.closed()).toBe(4001)
  expect(await exited).toBe(0)
  expect(errorLines(leaving.output())).toEqual([])
}, 60_000)

test('after kill -9 players come back to the same port; bans hold, and a gap is told', async () => {
  using home = temporaryFolder()
  await using first = await spawnGateway(home.path)
  const { port } = new URL(first.url)
  await makeChannel(first, 'crowd', 'a')
  const members = await times(50, (index) => Member.connect(first.url, `p${index}`))
  const [{ epoch }] = await Promise.all(members.map((member) => member.ask('join', PLACE)))
  const ban = { gamer_id: 'p7', days: 1 }
  expect((await first.call('PUT', '/block_user_chat', { body: ban })).status).toBe(200)
  const banned = await members[7]!.ask('say', { channel_group: 'crowd', message: 'let me' })
  expect(banned).toMatchObject({ type: 'error', code: 'CHAT_BAN' })
  const said = await members[0]!.ask('say', { channel_group: 'crowd', message: 'before' })
  expect(said).toMatchObject({ type: 'said', seq: 1 })
  await first.kill('SIGKILL')
  expect(new Set(await Promise.all(members.map(({ closed }) => closed)))).toEqual(new Set([1006]))

  await using second = await spawnGateway(home.path, { PARLEY_PORT: port })
  expect(new URL(second.url).port).toBe(port)
  const back = await times(50, async (index) => {
    const member = await Member.connect(second.url, `p${index}`)
    const place = { ...PLACE, channel_id: 1, epoch, seq: 1 }
    return { member, joined: await member.ask('resume', place) }
  })
  for (const { joined } of back) expect(joined).toMatchObject({ type: 'joined', recovered: false })
  expect(back[0]!.joined.epoch).not.toBe(epoch)
  const late = await back[7]!.member.ask('say', { channel_group: 'crowd', message: 'let me' })
  expect(late).toMatchObject({ type: 'error', code: 'CHAT_BAN' })
  expect(late.remain_seconds).toBeGreaterThan(86_000)
  const again = await back[0]!.member.ask('say', { channel_group: 'crowd', message: 'after' })
  expect(again).toMatchObject({ type: 'said' })
  await Promise.all(back.map(({ member }) => member.until(() => member.lastSeq === again.seq)))
  for (const { member } of back) member.terminate()
}, 60_000)

test('who does not connect in time is closed with 4002', async () => {
  const { code, ms } = await silence
  expect(code).toBe(4002)
  expect(ms).toBeGreaterThan(9.5 * SECOND)
  expect(ms).toBeLessThan(20 * SECOND)
}, 120_000)
