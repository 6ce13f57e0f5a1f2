import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TOKEN } from '../support/server.ts'
import {
  expectError,
  expectSuccess,
  OPERATIONS,
  SECOND,
  seat,
  shardOf,
  startClockedServer,
} from './helpers.ts'

const TEN = OPERATIONS.slice(0, 10)

let s: Awaited<ReturnType<typeof startClockedServer>>

beforeAll(async () => {
  s = await startClockedServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

describe('section 4 of the specification, row by row', () => {
  test('List open channel groups: GET /open_channel_groups returns an array of group names', async () => {
    await s.call('PUT', '/open_channels', { body: { channel_group: 'groups-row', channel_name: 'a' } })
    const response = await s.call('GET', '/open_channel_groups')
    expect(response.status).toBe(200)
    expect(response.json).toContain('groups-row')
    expect(response.json.every((each: unknown) => typeof each === 'string')).toBe(true)
  })

  test('List open channels: GET /open_channels?channel_group= returns the entries of 2.3', async () => {
    const key = { group: 'list-row', name: 'lobby' }
    await s.call('PUT', '/open_channels', {
      body: { channel_group: 'list-row', channel_name: 'lobby', max_count: 10, is_default: true },
    })
    await seat({ app: s.server.app, roster: s.roster }, key, '1234')
    await s.bus.append({
      id: 'last',
      shard: shardOf(s.server.app, key, 1),
      player: { id: '1234', name: 'Name of 1234' },
      text: 'hello',
      original: 'hello',
      language: 'en',
      hits: [],
      at: s.clock() + 65 * SECOND,
    })
    expectSuccess(await s.call('GET', '/open_channels?channel_group=list-row'), [
      {
        channel_name: 'lobby',
        channel_id: 1,
        max_count: 10,
        is_default: true,
        is_autoscaling: true,
        players: [{ gamer_id: '1234', gamer_name: 'Name of 1234' }],
        last_chat_time: '2026-11-15 03:01:05',
        create_at: '2026-11-15 03:00:00',
      },
    ])
  })

  test('Create open channel: PUT /open_channels returns the object of 2.4', async () => {
    const response = await s.call('PUT', '/open_channels', {
      body: { channel_group: 'create-row', channel_name: 'lobby', max_count: 7, is_default: true },
    })
    expectSuccess(response, {
      channel_group: 'create-row',
      channel_name: 'lobby',
      channel_id: 1,
      max_count: 7,
      is_default: true,
      create_at: '2026-11-15 03:00:00',
    })
  })

  test('Delete open channel: DELETE /open_channels with a JSON body returns the entries of 2.5', async () => {
    const body = { channel_group: 'delete-row', channel_name: 'lobby' }
    await s.call('PUT', '/open_channels', { body })
    expectSuccess(await s.call('DELETE', '/open_channels', { body }), [
      { channel_group: 'delete-row', channel_name: 'lobby', channel_id: 1 },
    ])
  })

  test('List restricted users: GET /block_user_list returns the entries of 2.6', async () => {
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'listed', days: 3 } })
    const response = await s.call('GET', '/block_user_list')
    expect(response.status).toBe(200)
    expect(response.json).toContainEqual({
      gamer_id: 'listed',
      count: 1,
      start_time: '2026-11-15T03:00:00Z',
      end_time: '2026-11-18T03:00:00Z',
    })
  })

  test('Apply chat ban: PUT /block_user_chat returns the request body content', async () => {
    const body = { gamer_id: 'banned', days: 3 }
    expectSuccess(await s.call('PUT', '/block_user_chat', { body }), body)
  })

  test('Lift chat ban: DELETE /block_user_chat with a JSON body returns the request body content', async () => {
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'lifted', days: 3 } })
    const body = { gamer_id: 'lifted' }
    expectSuccess(await s.call('DELETE', '/block_user_chat', { body }), body)
    const { json } = await s.call('GET', '/block_user_list')
    expect(json.map((each: { gamer_id: string }) => each.gamer_id)).not.toContain('lifted')
  })

  test('List profanity: GET /bad_word_list returns the entries of 2.7', async () => {
    await s.call('PUT', '/bad_word_list', { body: { language: 'ko-kr', filters: ['지엠', '마스터'] } })
    const response = await s.call('GET', '/bad_word_list')
    expect(response.status).toBe(200)
    expect(response.json).toContainEqual({ language: 'ko-kr', filters: ['지엠', '마스터'] })
  })

  test('Edit profanity list: PUT /bad_word_list returns the request body content', async () => {
    const body = { language: 'all', filters: ['GM', 'MASTER'] }
    expectSuccess(await s.call('PUT', '/bad_word_list', { body }), body)
  })

  test('List reports: GET /report_list returns the entries of 2.8', async () => {
    await s.server.app.reports.add({
      reported: { id: '1234', name: 'Mina' },
      reporter: { id: '5678', name: 'Joon' },
      message: 'the reported words',
      messageId: 'm1',
      context: [],
      keyword: 'INAPPROPRIATE',
      reason: 'said it twice',
      createdAt: s.clock(),
    })
    expectSuccess(await s.call('GET', '/report_list'), [
      {
        report_id: 1,
        to_gamer_id: '1234',
        to_gamer_name: 'Mina',
        from_gamer_id: '5678',
        from_gamer_name: 'Joon',
        message: 'the reported words',
        keyword: 'INAPPROPRIATE',
        reason: 'said it twice',
        status: 1,
        value: 0,
        update_at: '2026-11-15 03:00:00',
        create_at: '2026-11-15 03:00:00',
      },
    ])
  })

  test('rule 1: is_default true designates the channel as the FALLBACK channel', async () => {
    await s.call('PUT', '/open_channels', {
      body: { channel_group: 'rule-1', channel_name: 'a', max_count: 5, is_default: true },
    })
    const { json } = await s.call('GET', '/open_channels?channel_group=rule-1')
    expect(json).toMatchObject([{ channel_name: 'a', is_default: true }])
  })

  test('rule 2: an edit replaces the list of one language and keeps the others', async () => {
    await s.call('PUT', '/bad_word_list', { body: { language: 'fr', filters: ['un'] } })
    await s.call('PUT', '/bad_word_list', { body: { language: 'de', filters: ['eins'] } })
    const { json } = await s.call('GET', '/bad_word_list')
    expect(json).toContainEqual({ language: 'fr', filters: ['un'] })
    expect(json).toContainEqual({ language: 'de', filters: ['eins'] })
  })
})

describe('section 5', () => {
  test.each(TEN)('$method $path needs only the two specified headers', async ({ method, path, body }) => {
    const response = await fetch(new URL(`/chat/v1${path}`, s.url), {
      method,
      headers: { 'Content-Type': 'application/json; charset=utf8', Authorization: `Bearer ${TOKEN}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.status).toBe(200)
    await response.json()
  })
})

describe('section 7', () => {
  test.each(TEN)('$method $path rejects bad credentials with 400701', async ({ method, path, body }) => {
    const sent = body && { body }
    for (const token of [null, 'not-the-token'])
      expectError(
        await s.call(method, path, { ...sent, token }),
        400701,
        'There is a problem with the user credentials.',
      )
  })
})

test('section 9: the version is a path segment, and other versions are not found', async () => {
  const response = await fetch(new URL('/chat/v2/open_channel_groups', s.url), {
    headers: { Authorization: `Bearer ${TOKEN}` },
  })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 404100, error: true })
})
