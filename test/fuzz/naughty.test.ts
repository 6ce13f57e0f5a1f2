import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import naughty from '../data/blns/blns.json' with { type: 'json' }
import { type ApiResponse, makeFolder, startServerOn, type TestServer } from '../support/server.ts'
import { ERROR_TABLE } from './contract.ts'

/** Each test sends thousands of requests. */
setDefaultTimeout(60_000)

/** Each string is either rejected with a documented error or returned as sent, with names in NFC. */
const strings = [...new Set(naughty)]
const names = [...new Set(naughty.map((text) => text.normalize('NFC')))]
const folder = makeFolder()
let server: TestServer

beforeAll(async () => {
  server = await startServerOn(folder)
})

afterAll(async () => {
  await server.server.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Send = (text: string) => Promise<ApiResponse>

const isShort = (text: string) => Buffer.byteLength(text) <= 128
const isClean = (text: string) => text !== '' && !/\p{Cc}/u.test(text)
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{M}\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/u
/** Emoji with a variation selector, which is visible there. */
const EMOJI = /[\p{Extended_Pictographic}#*0-9]\ufe0f/gu
const isName = (text: string) =>
  isShort(text) &&
  !HIDDEN.test(text.replaceAll(EMOJI, 'e')) &&
  !/\p{M}{31}/u.test(text) &&
  !INVISIBLE.test(text) &&
  text.trim() === text

/** Returns the accepted strings, which must include all that follow the rules. */
async function accepted(
  send: Send,
  keepsRules: (text: string) => boolean,
  texts: readonly string[] = strings,
): Promise<string[]> {
  const responses = await Promise.all(texts.map(async (text) => ({ text, response: await send(text) })))
  for (const { text, response } of responses) {
    const { status, json } = response
    if (status === 200) continue
    expect({ text, json }).toEqual({
      text,
      json: { message: expect.any(String), code: expect.any(Number), error: true },
    })
    expect(json.message).toMatch(ERROR_TABLE[json.code] ?? /^$/)
    expect({ text, status }).toEqual({ text, status: Math.floor(json.code / 1000) })
    expect({ text, keepsRules: keepsRules(text) }).toEqual({ text, keepsRules: false })
  }
  return responses.filter(({ response }) => response.status === 200).map(({ text }) => text)
}

const echoes =
  (send: Send): Send =>
  async (text) => {
    const response = await send(text)
    if (response.status === 200) expect(Object.values(response.json)).toContainEqual(text)
    return response
  }

/** Runs the check now and after a restart. */
async function holdsAfterRestart(check: () => Promise<void>): Promise<void> {
  await check()
  await server.server.stop()
  server = await startServerOn(folder)
  await check()
}

const list = async (path: string) => (await server.call('GET', path)).json
const sorted = (texts: readonly string[]) => [...texts].sort()
const channels = async (group: string): Promise<{ channel_name: string }[]> =>
  list(`/open_channels?channel_group=${encodeURIComponent(group)}`)

test('accepts or rejects naughty strings as channel groups', async () => {
  const send = (text: string) =>
    server.call('PUT', '/open_channels', { body: { channel_group: text, channel_name: 'one' } })
  const taken = await accepted(echoes(send), isName, names)
  expect(taken.length).toBeGreaterThan(300)
  await holdsAfterRestart(async () => {
    expect(await list('/open_channel_groups')).toEqual(sorted(taken))
    for (const group of taken) expect(await channels(group)).toMatchObject([{ channel_name: 'one' }])
  })
  for (const group of taken) {
    const query = new URLSearchParams({ channel_group: group, channel_name: 'one' })
    const gone = await server.call('DELETE', `/open_channels?${query}`)
    expect(gone.json).toEqual([{ channel_group: group, channel_name: 'one', channel_id: 1 }])
  }
  expect(await list('/open_channel_groups')).toEqual([])
})

test('accepts or rejects naughty strings as channel names', async () => {
  const send = (text: string) =>
    server.call('PUT', '/open_channels', { body: { channel_group: 'naughty', channel_name: text } })
  const taken = await accepted(echoes(send), isName, names)
  await holdsAfterRestart(async () => {
    expect((await channels('naughty')).map((channel) => channel.channel_name)).toEqual(sorted(taken))
  })
})

test('accepts or rejects naughty strings as players', async () => {
  const send = (text: string) => server.call('PUT', '/block_user_chat', { body: { gamer_id: text, days: 1 } })
  const taken = await accepted(echoes(send), isName, names)
  const ids = async () => (await list('/block_user_list')).map((ban: { gamer_id: string }) => ban.gamer_id)
  await holdsAfterRestart(async () => expect(sorted(await ids())).toEqual(sorted(taken)))
  for (const id of taken) {
    const lifted = await server.call('DELETE', `/block_user_chat?${new URLSearchParams({ gamer_id: id })}`)
    expect(lifted.json).toEqual({ gamer_id: id })
  }
  expect(await ids()).toEqual([])
})

test('accepts or rejects naughty strings as languages', async () => {
  const send = (text: string) =>
    server.call('PUT', '/bad_word_list', { body: { language: text, filters: ['x'] } })
  const taken = await accepted(echoes(send), () => false)
  await holdsAfterRestart(async () => {
    const known = (await list('/bad_word_list')).map((entry: { language: string }) => entry.language)
    for (const language of known) expect(taken).toContain(language)
    const keys = new Set(taken.map((language) => language.toLowerCase().replaceAll('_', '-')))
    expect(known).toHaveLength(keys.size)
  })
})

test('accepts or rejects naughty strings as expressions', async () => {
  const put = (filters: string[]) =>
    server.call('PUT', '/bad_word_list', { body: { language: 'xx', filters } })
  const isExpression = (text: string) => [...text].length <= 128 && isClean(text) && text.trim() !== ''
  const taken = await accepted((text) => put([text]), isExpression)
  expect((await put(taken)).json.filters).toEqual(taken)
  await holdsAfterRestart(async () => {
    const entries: { language: string; filters: string[] }[] = await list('/bad_word_list')
    expect(entries.find(({ language }) => language === 'xx')?.filters).toEqual(taken)
  })
})

test('accepts or rejects naughty strings as system messages', async () => {
  const key = { channel_group: 'naughty', channel_name: 'hall' }
  await server.call('PUT', '/open_channels', { body: key })
  const send = (text: string) =>
    server.call('POST', '/system_message', { body: { channel_type: 1, ...key, message: text } })
  const taken = await accepted(
    echoes(send),
    (text) => isClean(text) && text.trim() !== '' && Buffer.byteLength(text) <= 1000,
  )
  expect(taken.length).toBeGreaterThan(300)
})
