import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { Page } from '../../src/http/pages/page.ts'
import {
  EventStream,
  type EventStreamOptions,
  eventStreamResponse,
} from '../../src/http/streams/event-stream.ts'
import { startTestServer, TOKEN } from '../support/server.ts'
import { newReport } from './helpers.ts'

const HOUR_MS = 3_600_000

/** A page of server-sent events that the test sends. Resolves `ended` when the stream has ended. */
function createEventPage(options: Partial<EventStreamOptions> = {}) {
  const opened = Promise.withResolvers<EventStream>()
  const ended = Promise.withResolvers<void>()
  const page: Page = ({ draining }) => {
    const stream = new EventStream({ draining, onEnd: ended.resolve, heartbeatMs: HOUR_MS, ...options })
    opened.resolve(stream)
    return eventStreamResponse(stream)
  }
  return { page, opened: opened.promise, ended: ended.promise }
}

/** A response that is read chunk by chunk. */
async function open(url: string, path: string, codings = 'identity') {
  const controller = new AbortController()
  const response = await fetch(new URL(path, url), {
    headers: { 'Accept-Encoding': codings },
    signal: controller.signal,
  })
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  let received = ''
  const until = async (text: string) => {
    while (!received.includes(text)) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`The stream ended after ${JSON.stringify(received)}.`)
      received += decoder.decode(value)
    }
  }
  const toEnd = async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      received += decoder.decode(chunk.value)
    return received
  }
  return { response, until, toEnd, leave: () => controller.abort() }
}

test('an event stream outlives the idle timeout that closes other silent responses', async () => {
  const events = createEventPage()
  const silence = Promise.withResolvers<void>()
  async function* silentChunks() {
    yield 'begin'
    await silence.promise
  }
  const silent: Page = () => ({
    status: 200,
    body: silentChunks(),
    headers: { 'Content-Type': 'text/plain' },
  })
  const pages = new Map([
    ['/events', events.page],
    ['/silent', silent],
  ])
  await using s = await startTestServer({ PARLEY_IDLE_SECONDS: '1' }, {}, { pages })
  const stream = await open(s.url, '/events')
  const control = await open(s.url, '/silent')
  await expect(control.toEnd()).rejects.toThrow()
  ;(await events.opened).send({ data: 'still here' })
  await stream.until('data: still here\n\n')
  silence.resolve()
}, 60_000)

test('an event stream sends events in order, and heartbeats while there are none', async () => {
  const events = createEventPage({ heartbeatMs: 5 })
  await using s = await startTestServer({}, {}, { pages: new Map([['/events', events.page]]) })
  const stream = await open(s.url, '/events', 'gzip')
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.response.headers.get('content-encoding')).toBeNull()
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  await stream.until(':\n\n:\n\n:\n\n')
  const source = await events.opened
  source.send({ event: 'report', id: '7', data: 'one\ntwo\r\nthree' })
  source.send({ data: 'next' })
  await stream.until('event: report\nid: 7\ndata: one\ndata: two\ndata: three\n\ndata: next\n\n')
})

test('a stopping server ends event streams cleanly, after the events that were sent', async () => {
  const events = createEventPage()
  const s = await startTestServer({}, {}, { pages: new Map([['/events', events.page]]) })
  const stream = await open(s.url, '/events')
  ;(await events.opened).send({ data: 'last' })
  const stopped = s[Symbol.asyncDispose]()
  expect(await stream.toEnd()).toEndWith('data: last\n\n')
  await Promise.all([stopped, events.ended])
})

test('an event stream ends when its client leaves', async () => {
  const events = createEventPage()
  await using s = await startTestServer({}, {}, { pages: new Map([['/events', events.page]]) })
  const stream = await open(s.url, '/events')
  await stream.until(':')
  stream.leave()
  await events.ended
})

test('a client that does not read stops the source of a stream, and is disconnected when idle', async () => {
  const CHUNKS = 16_384
  let produced = 0
  const closed = Promise.withResolvers<void>()
  async function* endless() {
    const chunk = new Uint8Array(65_536)
    try {
      for (; produced < CHUNKS; produced++) yield chunk
    } finally {
      closed.resolve()
    }
  }
  const page: Page = () => ({ status: 200, body: endless(), headers: { 'Content-Type': 'image/png' } })
  await using s = await startTestServer(
    { PARLEY_IDLE_SECONDS: '1' },
    {},
    { pages: new Map([['/endless', page]]) },
  )
  const { hostname, port } = new URL(s.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.write('GET /endless HTTP/1.1\r\nHost: parley\r\n\r\n')
  await closed.promise
  socket.destroy()
  expect(produced).toBeLessThan(CHUNKS / 2)
}, 60_000)

test.each(['identity', 'gzip'])('an error in a stream (%s) aborts the connection', async (codings) => {
  async function* broken() {
    yield 'part'
    throw new Error('broken')
  }
  const page: Page = () => ({ status: 200, body: broken(), headers: { 'Content-Type': 'text/plain' } })
  await using s = await startTestServer({}, {}, { pages: new Map([['/broken', page]]) })
  const read = open(s.url, '/broken', codings).then(({ toEnd }) => toEnd())
  await expect(read).rejects.toThrow()
  expect((await fetch(new URL('/livez', s.url))).status).toBe(200)
})

test.each(['identity', 'gzip'])(
  'HEAD of a stream (%s) has its headers and does not run it',
  async (codings) => {
    let isRun = false
    async function* chunks() {
      isRun = true
      yield 'x'
    }
    const page: Page = () => ({ status: 200, body: chunks(), headers: { 'Content-Type': 'text/plain' } })
    await using s = await startTestServer({}, {}, { pages: new Map([['/stream', page]]) })
    const response = await fetch(new URL('/stream', s.url), {
      method: 'HEAD',
      headers: { 'Accept-Encoding': codings },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
    expect(await response.text()).toBe('')
    expect(isRun).toBe(false)
  },
)

test('GET /report_list without a limit streams a long list, compressed on request', async () => {
  await using s = await startTestServer()
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const get = (codings: string) =>
    fetch(new URL('/chat/v1/report_list', s.url), {
      headers: { ...headers, 'Accept-Encoding': codings },
      decompress: false,
    })
  await s.server.app.reports.add(newReport(1, 0))
  const short = await get('identity')
  expect(short.headers.get('content-length')).not.toBeNull()
  expect(await short.json()).toHaveLength(1)
  await Promise.all(
    Array.from({ length: 1000 }, (_, index) => s.server.app.reports.add(newReport(index + 2, 0))),
  )
  const plain = await get('identity')
  expect(plain.headers.get('content-length')).toBeNull()
  const ids = ((await plain.json()) as { report_id: number }[]).map((each) => each.report_id)
  expect(ids).toEqual(Array.from({ length: 1001 }, (_, index) => 1001 - index))
  const compressed = await get('gzip')
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(compressed.headers.get('vary')).toBe('Accept-Encoding')
  expect(JSON.parse(gunzipSync(await compressed.bytes()).toString())).toHaveLength(1001)
})
