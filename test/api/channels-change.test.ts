import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  expectError,
  expectSuccess,
  invalid,
  listChannels,
  MINUTE,
  makeChannel,
  required,
  seat,
  startClockedServer,
} from './helpers.ts'

let s: Awaited<ReturnType<typeof startClockedServer>>

beforeAll(async () => {
  s = await startClockedServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const change = (group: string, name: string, settings: object = {}) =>
  s.call('PATCH', '/open_channels', { body: { channel_group: group, channel_name: name, ...settings } })
const list = async (group: string) => (await listChannels(s.call, group)).json

test('a change returns the channel with its original create_at', async () => {
  const { json } = await makeChannel(s.call, 'shape', 'a', { max_count: 3 })
  s.pass(MINUTE)
  expectSuccess(await change('shape', 'a', { max_count: 9 }), { ...json, max_count: 9 })
})

test('a change keeps the settings that it omits or sets to null', async () => {
  await makeChannel(s.call, 'partly', 'a', { max_count: 3, is_default: true, is_autoscaling: false })
  await change('partly', 'a', { max_count: 4, is_default: null })
  expect(await list('partly')).toMatchObject([{ max_count: 4, is_default: true, is_autoscaling: false }])
  await change('partly', 'a', { is_autoscaling: true })
  expect(await list('partly')).toMatchObject([{ max_count: 4, is_default: true, is_autoscaling: true }])
})

test('an empty change returns the channel unchanged', async () => {
  const { json } = await makeChannel(s.call, 'nothing', 'a', { is_default: true })
  expectSuccess(await change('nothing', 'a'), json)
})

test('a change to FALLBACK takes the flag from the previous FALLBACK', async () => {
  await makeChannel(s.call, 'flag', 'a', { is_default: true })
  await makeChannel(s.call, 'flag', 'b')
  expect((await change('flag', 'b', { is_default: true })).json.is_default).toBe(true)
  expect(await list('flag')).toMatchObject([
    { channel_name: 'a', is_default: false },
    { channel_name: 'b', is_default: true },
  ])
})

test('the FALLBACK keeps the flag on is_default true and loses it on false', async () => {
  await makeChannel(s.call, 'own-flag', 'a', { is_default: true })
  expect((await change('own-flag', 'a', { is_default: true })).json.is_default).toBe(true)
  expect((await change('own-flag', 'a', { is_default: false })).json.is_default).toBe(false)
  expect(await list('own-flag')).toMatchObject([{ is_default: false }])
})

test('players keep their seats when max_count shrinks', async () => {
  await makeChannel(s.call, 'shrink', 'a', { max_count: 3 })
  await seat({ app: s.server.app, roster: s.roster }, { group: 'shrink', name: 'a' }, 'p1', 'p2', 'p3')
  await change('shrink', 'a', { max_count: 1 })
  expect(await list('shrink')).toMatchObject([
    { max_count: 1, players: [{ gamer_id: 'p1' }, { gamer_id: 'p2' }, { gamer_id: 'p3' }] },
  ])
})

test('rejects a change to an unknown channel with 400201', async () => {
  expectError(await change('unknown', 'a', { max_count: 1 }), 400201, 'The channel was not found.')
})

test('a change validates its properties like a create', async () => {
  await makeChannel(s.call, 'validated', 'a')
  expectError(await change('validated', 'a', { max_count: 0 }), 400111, invalid('max_count'))
  expectError(await change('validated', 'a', { max_count: '3' }), 400101, '"max_count" must be a number.')
  expectError(await change('validated', 'a', { is_default: 1 }), 400104, '"is_default" must be a boolean.')
  expectError(
    await s.call('PATCH', '/open_channels', { body: { channel_group: 'validated' } }),
    400105,
    required('channel_name'),
  )
})

test('a repeated create succeeds with the changed settings and fails with the original ones', async () => {
  await makeChannel(s.call, 'then', 'a', { max_count: 3 })
  const { json } = await change('then', 'a', { max_count: 4 })
  expectSuccess(await makeChannel(s.call, 'then', 'a', { max_count: 4 }), json)
  const old = { channel_group: 'then', channel_name: 'a', max_count: 3 }
  expectError(await s.call('PUT', '/open_channels', { body: old }), 400202, 'The channel already exists.')
})
