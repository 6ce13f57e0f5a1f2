import { expect } from 'bun:test'
import { connect } from 'node:net'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import type { App } from '../../src/core/app.ts'
import { MessageIds } from '../../src/core/message-ids.ts'
import type { ChannelKey, Shard } from '../../src/core/model.ts'
import type { Roster } from '../../src/core/ports/roster.ts'
import { type ApiResponse, startTestServer, type TestServer, TOKEN } from '../support/server.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Manual clocks: `pass` advances both, `step` only the wall clock. */
export function createTestClock(start = '2026-11-15T03:00:00.789Z') {
  let now = Date.parse(start)
  let elapsed = 0
  const step = (ms: number) => {
    now += ms
  }
  const pass = (ms: number) => {
    step(ms)
    elapsed += ms
  }
  return { clock: () => now, monotonicClock: () => elapsed, pass, step }
}

/** A server with manual clocks and a roster that the test can access. */
export async function startClockedServer(env: Record<string, string> = {}) {
  const { clock, monotonicClock, pass, step } = createTestClock()
  const roster = new MemorySeats(monotonicClock).join()
  const bus = new MemoryNetwork(monotonicClock).join()
  const server = await startTestServer(env, { clock, monotonicClock, roster, bus })
  return { ...server, clock, pass, step, roster, bus }
}

export type Call = TestServer['call']

export const BAD_CREDENTIALS = 'There is a problem with the user credentials.'
export const NOT_OBJECT = 'The request body must be a JSON object.'
export const BAD_CURSOR = 'The page cursor is not valid.'
export const required = (name: string) => `"${name}" is required.`
export const invalid = (name: string) => `"${name}" has an invalid value.`
export const tooLong = (name: string) => `"${name}" is too long.`

export function expectError(response: ApiResponse, code: number, message: string): void {
  expect(response.json).toStrictEqual({ message, code, error: true })
  expect(response.status).toBe(Math.floor(code / 1000))
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
}

export function expectSuccess(response: ApiResponse, value: unknown): void {
  expect(response.json).toStrictEqual(value)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
}

export async function makeChannel(call: Call, group: string, name: string, settings: object = {}) {
  const response = await call('PUT', '/open_channels', {
    body: { channel_group: group, channel_name: name, ...settings },
  })
  expect(response.status).toBe(200)
  return response
}

export const listChannels = (call: Call, group: string) =>
  call('GET', `/open_channels?channel_group=${encodeURIComponent(group)}`)

/** Seats players in a channel, each with its own session. */
export async function seat(
  { app, roster }: { readonly app: App; readonly roster: Roster },
  key: { readonly group: string; readonly name: string },
  ...ids: readonly string[]
): Promise<void> {
  const channel = app.channels.find(key)
  if (channel === undefined) throw new Error('The test has no such channel.')
  for (const id of ids) {
    const { outcome } = await roster.takeSeat({
      channel,
      player: { id, name: `Name of ${id}` },
      sessionId: `session of ${id}`,
    })
    expect(outcome).toBe('seated')
  }
}

/** A channel number of an existing channel. */
export function shardOf(app: App, { group, name }: ChannelKey, number: number): Shard {
  const channel = app.channels.find({ group, name })
  if (channel === undefined) throw new Error('The test has no such channel.')
  return { group, name, incarnation: channel.incarnation, number }
}

export const newReport = (number: number, createdAt: number) => ({
  reported: { id: `to-${number}`, name: 'Mina' },
  reporter: { id: `from-${number}`, name: 'Joon' },
  message: `message ${number}`,
  messageId: `m${number}`,
  context: [],
  keyword: 'SPAM',
  reason: 'again and again',
  createdAt,
})

export const newMessage = (id: string, at: number) => ({
  id,
  shard: { group: 'main', name: 'lobby', incarnation: 1, number: 1 },
  player: { id: '1234', name: 'Mina' },
  text: 'me, **** it',
  original: 'me, darn it',
  language: 'en',
  hits: [],
  at,
  seq: 1,
  epoch: 'e',
})

export interface Sample {
  readonly method: string
  readonly path: string
  /** The path template, if it has parameters. */
  readonly template?: string
  readonly body?: object
}

const LOBBY = { channel_group: 'main', channel_name: 'lobby' }
const OTHER = { channel_group: 'main', channel_name: 'other' }

/** The path of the operation, as declared. */
export const pathTemplate = ({ path, template = path.split('?')[0]! }: Sample) => template

/** The id of a message of today: the log drops those that are too old, and takes their age from the id. */
export const MESSAGE_ID = new MessageIds().next(Date.now())

/** A successful request for each operation, in order, on a server with the channel main/lobby and that message. */
export const OPERATIONS: readonly Sample[] = [
  { method: 'GET', path: '/open_channel_groups' },
  { method: 'GET', path: '/open_channels?channel_group=main' },
  { method: 'PUT', path: '/open_channels', body: OTHER },
  { method: 'DELETE', path: '/open_channels', body: OTHER },
  { method: 'GET', path: '/block_user_list' },
  { method: 'PUT', path: '/block_user_chat', body: { gamer_id: 'p', days: 1 } },
  { method: 'DELETE', path: '/block_user_chat', body: { gamer_id: 'p' } },
  { method: 'GET', path: '/bad_word_list' },
  { method: 'PUT', path: '/bad_word_list', body: { language: 'en', filters: ['word'] } },
  { method: 'GET', path: '/report_list' },
  { method: 'PATCH', path: '/open_channels', body: { ...LOBBY, max_count: 9 } },
  { method: 'GET', path: '/allow_list' },
  { method: 'PUT', path: '/allow_list', body: { language: 'en', filters: ['word'] } },
  { method: 'POST', path: '/filter_check', body: { language: 'en', texts: ['a word'] } },
  { method: 'POST', path: '/filter_backtest', body: { language: 'en', filters: ['word'] } },
  { method: 'GET', path: '/filter_backtest' },
  { method: 'POST', path: '/system_message', body: { channel_type: 1, ...LOBBY, message: 'hi' } },
  { method: 'DELETE', path: `/messages/${MESSAGE_ID}`, template: '/messages/{message_id}' },
  { method: 'POST', path: '/player_tokens', body: { gamer_id: 'p', gamer_name: 'P' } },
]

/** Sends bytes that `fetch` would not send, and resolves to everything received. */
export function sendRaw(url: string, head: readonly string[], body: string | Buffer = ''): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  const socket = connect(Number(port), hostname)
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', reject)
  socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  return promise
}

export const rawHead = (method: string, path: string, ...more: readonly string[]) => [
  `${method} /chat/v1${path} HTTP/1.1`,
  'Host: parley',
  `Authorization: Bearer ${TOKEN}`,
  'Connection: close',
  ...more,
]
