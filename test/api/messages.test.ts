import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  BAD_CREDENTIALS,
  expectError,
  expectSuccess,
  HOUR,
  invalid,
  NOT_OBJECT,
  newMessage,
  startClockedServer,
  tooLong,
} from './helpers.ts'

const UNKNOWN = 'The message was not found.'

let s: Awaited<ReturnType<typeof startClockedServer>>
let id = ''

beforeAll(async () => {
  s = await startClockedServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})
beforeEach(() => {
  id = Bun.randomUUIDv7('hex', s.clock())
})

const say = (more: object = {}) => s.server.app.messages.add({ ...newMessage(id, s.clock()), ...more })
const remove = (segment = id, options = {}) => s.call('DELETE', `/messages/${segment}`, options)

describe('the response', () => {
  const deleted = () => ({
    message_id: id,
    channel_group: 'main',
    channel_name: 'lobby',
    channel_id: 1,
    gamer_id: '1234',
    gamer_name: 'Mina',
    message: 'me, **** it',
    original: 'me, darn it',
    time: '2026-11-15T03:00:00Z',
    deleted: true,
  })

  test('contains the delivered text and the original', async () => {
    say()
    expectSuccess(await remove(), deleted())
  })

  test('is the same for a second deletion, which keeps the first deletion time', async () => {
    say()
    const at = s.clock()
    const first = await remove()
    s.pass(HOUR)
    expect((await remove()).text).toBe(first.text)
    expect(await s.server.app.messages.find(id)).toMatchObject({ deletedAt: at })
    s.pass(-HOUR)
  })

  test('has no player for a system message', async () => {
    say({ player: undefined })
    expectSuccess(await remove(), { ...deleted(), gamer_id: '', gamer_name: '' })
  })

  test.each([
    ['is queued for the disk', async () => undefined],
    ['is being written', async () => void s.server.app.messages.flush()],
    ['is on disk', () => s.server.app.messages.flush()],
  ])('is the same for a message that %s, which stays deleted', async (_, bring) => {
    say()
    await bring()
    expectSuccess(await remove(), deleted())
    await s.server.app.messages.flush()
    expect(await s.server.app.messages.find(id)).toMatchObject({ deletedAt: s.clock() })
  })
})

describe('the id in the path', () => {
  test('is percent-decoded', async () => {
    say()
    expect((await remove(id.replaceAll('-', '%2D'))).json).toMatchObject({ message_id: id, deleted: true })
  })

  test('takes precedence over the body and the query', async () => {
    say()
    expect((await remove(id, { body: { message_id: 'other' } })).json).toMatchObject({ message_id: id })
    expect((await remove(`${id}?message_id=other`)).json).toMatchObject({ message_id: id })
    expect((await remove(id, { body: { message_id: null } })).json).toMatchObject({ message_id: id })
  })

  test.each([
    ['none', 400302, UNKNOWN],
    ['__proto__', 400302, UNKNOWN],
    ['a%2Fb', 400302, UNKNOWN],
    ['%00', 400111, invalid('message_id')],
    ['%FF', 400111, invalid('message_id')],
    ['%zz', 400111, invalid('message_id')],
    ['%ED%A0%80', 400111, invalid('message_id')],
    ['x'.repeat(129), 400110, tooLong('message_id')],
  ])('%s is rejected with %d', async (segment, code, message) => {
    expectError(await remove(segment), code, message)
  })

  test.each(['', '/', '/x/y', '//x', '/x/'])(
    'is required in the path: "/messages%s" is not found',
    async (rest) => {
      expectError(await s.call('DELETE', `/messages${rest}`), 404100, 'The requested path was not found.')
    },
  )
})

describe('the order of the checks', () => {
  test('credentials before everything else', async () => {
    expectError(await remove('%zz', { token: null }), 400701, BAD_CREDENTIALS)
  })

  test('method before the id', async () => {
    const response = await s.call('GET', '/messages/%zz')
    expectError(response, 405100, 'The method is not allowed.')
    expect(response.headers.get('allow')).toBe('DELETE, OPTIONS')
  })

  test('JSON before the id, and no body is valid', async () => {
    for (const raw of ['{', '[]', 'x']) expectError(await remove('%zz', { raw }), 400103, NOT_OBJECT)
    expectError(await remove('none', { raw: '' }), 400302, UNKNOWN)
  })
})

describe('with an Idempotency-Key', () => {
  const withKey = (segment: string, key: string) => remove(segment, { headers: { 'Idempotency-Key': key } })

  test('replays the first response', async () => {
    say()
    const first = await withKey(id, `again-${id}`)
    expectSuccess(first, first.json)
    expect((await withKey(id, `again-${id}`)).text).toBe(first.text)
  })

  test('rejects the key for another message and keeps that message', async () => {
    say()
    expect((await withKey(id, `other-${id}`)).status).toBe(200)
    const key = `other-${id}`
    id = Bun.randomUUIDv7('hex', s.clock())
    say()
    expectError(await withKey(id, key), 400111, invalid('Idempotency-Key'))
    await s.server.app.messages.flush()
    expect(await s.server.app.messages.find(id)).not.toHaveProperty('deletedAt')
  })

  test('replays an error', async () => {
    expectError(await withKey(id, `early-${id}`), 400302, UNKNOWN)
    say()
    expectError(await withKey(id, `early-${id}`), 400302, UNKNOWN)
    expect((await remove()).status).toBe(200)
  })
})
