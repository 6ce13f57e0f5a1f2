import { afterAll, beforeAll, expect, test } from 'bun:test'
import { temporaryFolder } from '../faults/support.ts'
import { errorLines } from '../fuzz/support.ts'
import { type Frame, signToken } from '../support/player.ts'
import type { ServerProcess } from '../support/process.ts'
import { findGaps, LightPlayer } from './light-player.ts'
import { readDisconnects } from './node.ts'
import { joinWithoutReading, RawWebSocket } from './raw-websocket.ts'
import { createChannel, readMetric, spawnGateway, times } from './support.ts'

const PLAYERS = 100
const LARGE = 'x'.repeat(14_000)
const CHANNEL = { channel_group: 'crowd', channel_name: 'a' }

const folder = temporaryFolder()
let server: ServerProcess

beforeAll(async () => {
  server = await spawnGateway(folder.path)
})

afterAll(async () => {
  await server.kill('SIGKILL')
  folder[Symbol.dispose]()
})

test('disconnects a client that never reads with 4008, counts it, and delivers everything to the others', async () => {
  using home = temporaryFolder()
  await using loud = await spawnGateway(home.path, { PARLEY_MAX_MESSAGE_BYTES: '15000' })
  await createChannel(loud, 'crowd', 'a')
  const speakers = await times(10, (index) => LightPlayer.join(loud.url, `speaker-${index}`, CHANNEL))
  using sleeper = await joinWithoutReading(loud.url, 'sleeper', CHANNEL)
  // The kernel buffers an unknown amount for the sleeper: they send until the buffers are full and the server notices.
  let rounds = 0
  for (; (await readMetric(loud, 'parley_connections')) > speakers.length; rounds++)
    await Promise.all(speakers.map((each) => each.ask('say', { channel_group: 'crowd', message: LARGE })))
  expect(readDisconnects(await (await fetch(new URL('/metrics', loud.url))).text())).toEqual({ slow: 1 })
  sleeper.resume()
  expect(await sleeper.closed()).toBe(4008)
  for (const each of speakers) {
    await each.until(() => each.lastSeq === 10 * rounds)
    expect([each.seqs.length, findGaps(each.seqs)]).toEqual([10 * rounds, []])
    each.terminate()
  }
  expect(errorLines(loud.output())).toEqual([])
}, 150_000)

interface Seat {
  readonly member: LightPlayer
  readonly joined: Frame
}

/** Resumes in the same channel number, retrying until the server has freed the player's previous seat. */
async function reconnect(id: string, joined: Frame, seq: number): Promise<Seat> {
  const member = await LightPlayer.connect(server.url, id)
  const { channel_group, channel_name, channel_id, epoch } = joined
  for (;;) {
    const reply = await member.ask('resume', { channel_group, channel_name, channel_id, epoch, seq })
    if (reply.type === 'joined') return { member, joined: reply }
    expect(reply).toMatchObject({ type: 'error', code: 'CHANNEL_FULL' })
  }
}

const announce = () =>
  server.call('POST', '/system_message', { body: { channel_type: 1, ...CHANNEL, message: 'x' } })

async function checkSeats(): Promise<string[]> {
  const { json } = await server.call('GET', '/open_channels?channel_group=crowd')
  for (const { players, max_count } of json) expect(players.length).toBeLessThanOrEqual(max_count)
  return json.flatMap(({ players }: Frame) => players.map(({ gamer_id }: Frame) => gamer_id))
}

test('recovers every player without gaps or duplicates after all disconnect at the same time', async () => {
  await createChannel(server, 'crowd', 'a', { max_count: 20 })
  const seats = await times(PLAYERS, async (index) => {
    const member = await LightPlayer.connect(server.url, `p${index}`)
    return { member, joined: await member.ask('join', CHANNEL) }
  })
  for (let spoken = 1; spoken <= 5; spoken++) await announce()
  await Promise.all(seats.map(({ member }) => member.until(() => member.lastSeq === 5)))
  for (const { member } of seats) member.terminate()
  for (let spoken = 1; spoken <= 5; spoken++) await announce()
  let isBack = false
  const meanwhile = (async () => {
    for (let spoken = 11; !isBack || spoken < 40; spoken++) {
      if (spoken < 40) await announce()
      await checkSeats()
    }
  })()
  const back = await Promise.all(
    seats.map(({ member, joined }) => reconnect(member.id, joined, member.lastSeq)),
  )
  isBack = true
  await meanwhile
  await announce()
  await Promise.all(back.map(({ member }) => member.until(() => member.lastSeq >= 40)))
  const errors = back.flatMap(({ member, joined }, index) => {
    const heard = joined.recovered ? [...seats[index]!.member.seqs, ...member.seqs] : member.seqs
    const gaps = findGaps(heard)
    return gaps.length === 0 ? [] : [`${member.id} recovered ${joined.recovered}: ${JSON.stringify(gaps)}`]
  })
  expect(errors).toEqual([])
  expect(back.filter(({ joined }) => joined.recovered).length).toBe(PLAYERS)
  expect((await checkSeats()).sort()).toEqual(seats.map(({ member }) => member.id).sort())
  expect(errorLines(server.output())).toEqual([])
  for (const { member } of back) member.terminate()
}, 60_000)

test('rejects connections over the rate with 503 and admits them on a later attempt', async () => {
  using home = temporaryFolder()
  await using narrow = await spawnGateway(home.path, { PARLEY_CONNECTIONS_PER_SECOND: '20' })
  await createChannel(narrow, 'crowd', 'a')
  const [mina, joon] = [
    await LightPlayer.join(narrow.url, 'mina', CHANNEL),
    await LightPlayer.join(narrow.url, 'joon', CHANNEL),
  ]
  const startedAt = performance.now()
  let opened = 0
  const rejections: number[] = []
  const connectEventually = async (index: number) => {
    for (;;) {
      const client = await RawWebSocket.open(narrow.url)
      const status = await client.status
      if (status === 101) {
        expect(++opened).toBeLessThanOrEqual(21 + (performance.now() - startedAt) / 50)
        const token = await signToken(`late-${index}`)
        expect(await client.ask({ type: 'connect', id: 1, token })).toMatchObject({ type: 'connected' })
        return client
      }
      rejections.push(status)
      client[Symbol.dispose]()
      await Bun.sleep(50)
    }
  }
  // Repeats until at least one attempt was rejected, however slowly this machine opens connections.
  const clients: RawWebSocket[] = []
  for (let round = 0; rejections.length === 0; round++) {
    clients.push(...(await times(50, (index) => connectEventually(50 * round + index))))
    expect(await mina.ask('say', { channel_group: 'crowd', message: 'here' })).toMatchObject({
      seq: round + 1,
    })
    await joon.until(() => joon.lastSeq === round + 1)
  }
  expect(new Set(rejections)).toEqual(new Set([503]))
  for (const each of [mina, joon, ...clients]) each[Symbol.dispose]()
}, 120_000)

test('rejects origins that are not listed and accepts listed ones and clients without an origin', async () => {
  using home = temporaryFolder()
  await using guarded = await spawnGateway(home.path, {
    PARLEY_ORIGINS: 'https://game.example,https://b.example',
  })
  const statusFor = async (headers: Record<string, string>) => {
    using client = await RawWebSocket.open(guarded.url, headers)
    return await client.status
  }
  for (const Origin of [
    'https://evil.example',
    'https://game.example.evil',
    'http://game.example',
    'null',
    '',
  ])
    expect([Origin, await statusFor({ Origin })]).toEqual([Origin, 400])
  for (const Origin of ['https://game.example', 'https://b.example'])
    expect([Origin, await statusFor({ Origin })]).toEqual([Origin, 101])
  expect(await statusFor({})).toBe(101)
}, 30_000)

test('asks every player to reconnect on SIGTERM and exits with 0', async () => {
  using home = temporaryFolder()
  await using leaving = await spawnGateway(home.path)
  await createChannel(leaving, 'crowd', 'a')
  const members = await times(40, (index) => LightPlayer.join(leaving.url, `p${index}`, CHANNEL))
  using early = await RawWebSocket.open(leaving.url)
  const exited = leaving.kill('SIGTERM')
  for (const member of members) {
    expect(await member.closed).toBe(4001)
    const [goingAway, ...rest] = member.pushes
    expect([goingAway, rest]).toEqual([{ type: 'going_away', reconnect_in_ms: expect.any(Number) }, []])
    expect(goingAway.reconnect_in_ms).toBeGreaterThanOrEqual(0)
  }
  // The delays are spread out.
  expect(new Set(members.map(({ pushes }) => pushes[0].reconnect_in_ms)).size).toBeGreaterThan(20)
  expect(await early.closed()).toBe(4001)
  expect(await exited).toBe(0)
  expect(errorLines(leaving.output())).toEqual([])
}, 60_000)

test('lets players reconnect after kill -9, with bans intact and the gap reported', async () => {
  using home = temporaryFolder()
  await using first = await spawnGateway(home.path)
  const { port } = new URL(first.url)
  await createChannel(first, 'crowd', 'a')
  const members = await times(20, (index) => LightPlayer.connect(first.url, `p${index}`))
  const [{ epoch }] = await Promise.all(members.map((member) => member.ask('join', CHANNEL)))
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
  const back = await times(20, async (index) => {
    const member = await LightPlayer.connect(second.url, `p${index}`)
    const place = { ...CHANNEL, channel_id: 1, epoch, seq: 1 }
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
