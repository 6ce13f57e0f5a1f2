import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { readConfig } from '../../src/config.ts'
import { createOperations } from '../../src/http/operations.ts'
import { TOKEN } from '../support/server.ts'
import {
  MESSAGE_ID,
  makeChannel,
  newMessage,
  newReport,
  OPERATIONS,
  pathTemplate,
  type Sample,
  seat,
  startClockedServer,
} from './helpers.ts'
import { findProblems, type Schema } from './json-schema.ts'

interface Content {
  readonly content: {
    readonly 'application/json': {
      readonly schema: Schema
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
    }
  }
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}
interface DocumentedResponse extends Content {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
}
interface DocumentedOperation {
  readonly operationId: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}
interface Document {
  readonly openapi: string
  readonly info: { readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly securitySchemes: { readonly masterToken: { readonly description: string } }
  }
}

let s: Awaited<ReturnType<typeof startClockedServer>>
let document: Document

beforeAll(async () => {
  s = await startClockedServer()
  await makeChannel(s.call, 'main', 'lobby', { max_count: 1, is_default: true })
  await seat({ app: s.server.app, roster: s.roster }, { group: 'main', name: 'lobby' }, 'p1', 'p2')
  await s.server.app.reports.add(newReport(1, s.clock()))
  s.server.app.messages.add(newMessage(MESSAGE_ID, s.clock()))
  document = (await s.call('GET', '/openapi.json', { token: null })).json
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const described = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
const operationOf = (sample: Sample) => document.paths[pathTemplate(sample)]?.[sample.method.toLowerCase()]
const check = (value: unknown, schema: Schema) => findProblems(value, schema, document.components.schemas)

/** Returns where a response differs from its documentation. */
async function compare(sample: Sample, options: { readonly token?: null } = {}) {
  const { status, json } = await s.call(sample.method, sample.path, { body: sample.body, ...options })
  const response = operationOf(sample)?.responses[status]
  if (response === undefined) return [`the document has no ${status}`]
  return check(json, response.content['application/json'].schema)
}

describe('the OpenAPI document', () => {
  const rows = createOperations(readConfig({ flags: {}, env: {} }).limits)
  const samples = OPERATIONS.map((sample) => `${sample.method} ${pathTemplate(sample)}`)

  test('contains exactly the operations of the server', () => {
    expect(
      described()
        .map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`)
        .sort(),
    ).toEqual(rows.map(({ method, path, id }) => `${method} ${path} ${id}`).sort())
  })

  test('is covered by a sample request for each operation', () => {
    expect(rows.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(samples.sort())
  })

  test('lists only paths and methods that the server implements', async () => {
    const [server] = document.servers
    for (const { method, path } of described()) {
      const response = await fetch(new URL(`${server?.url}${path}`, s.url), {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
      })
      expect([path, method, [404, 405, 500].includes(response.status)]).toEqual([path, method, false])
    }
  })

  test('has unique operation ids and no dangling references', () => {
    const ids = described().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, kind, name] of references)
      expect(document.components[kind as 'schemas' | 'parameters']).toHaveProperty(name!)
  })
})

describe('on a live server', () => {
  test.each(OPERATIONS)('the response to $method $path matches its schema', async (sample) => {
    expect(await compare(sample)).toEqual([])
  })

  test.each(OPERATIONS)('the errors of $method $path match their schemas', async (sample) => {
    expect(await compare(sample, { token: null })).toEqual([])
    if (sample.method !== 'GET') expect(await compare({ ...sample, body: { channel_type: 1 } })).toEqual([])
    else
      expect(
        await compare({ ...sample, path: `${sample.path.split('?')[0]}?cursor=x&channel_group=main` }),
      ).toEqual([])
  })

  test.each(OPERATIONS)('the sample request for $method $path matches its schema', (sample) => {
    const { path, body } = sample
    const operation = operationOf(sample)!
    if (body !== undefined) {
      expect(check(body, operation.requestBody!.content['application/json'].schema)).toEqual([])
      return
    }
    const parameters = operation.parameters.filter((each) => 'in' in each)
    const required = (place: string) =>
      parameters.filter((each) => each.in === place && each.required).map(({ name }) => name)
    expect([...new URLSearchParams(path.split('?')[1]).keys()]).toEqual(required('query'))
    expect(Array.from(pathTemplate(sample).matchAll(/\{(\w+)\}/g), ([, name]) => name!)).toEqual(
      required('path'),
    )
    expect(operation.requestBody?.content).toBeUndefined()
  })

  test('the schema checker finds mismatches', () => {
    const { schemas } = document.components
    const good = {
      gamer_id: 'x',
      count: 1,
      start_time: '2026-11-15T03:00:00Z',
      end_time: '2026-11-15T03:00:00Z',
    }
    expect(check(good, schemas['RestrictedUser']!)).toEqual([])
    for (const wrong of [
      { count: 1.5 },
      { gamer_id: 3 },
      { end_time: '2026-11-15 03:00:00' },
      { more: 1 },
      { gamer_id: null },
    ])
      expect(check({ ...good, ...wrong }, schemas['RestrictedUser']!)).toHaveLength(1)
    expect(check({}, schemas['RestrictedUser']!)).toHaveLength(4)
  })
})

describe('length limits', () => {
  const CHARACTERS = ['a', 'é', '한', '👾']
  const longest = (schema: Schema, character: string) => {
    const fits = (count: number) => check(character.repeat(count), schema).length === 0
    let count = 0
    while (fits(count + 1)) count++
    return character.repeat(count)
  }

  const PROPERTIES = [
    { path: '/open_channels', method: 'put', name: 'channel_group', bytes: 128 },
    { path: '/open_channels', method: 'put', name: 'channel_name', bytes: 128 },
    { path: '/block_user_chat', method: 'put', name: 'gamer_id', bytes: 128 },
    { path: '/player_tokens', method: 'post', name: 'gamer_name', bytes: 64 },
    { path: '/system_message', method: 'post', name: 'message', bytes: 1000 },
  ]

  test.each(PROPERTIES)(
    'the server accepts the longest $name that the schema allows',
    async ({ path, method, name, bytes }) => {
      const { schema } = document.paths[path]![method]!.requestBody!.content['application/json']
      const property = schema.properties![name]!
      expect(property).toMatchObject({ 'x-max-bytes': bytes, maxLength: bytes })
      const sample = OPERATIONS.find((each) => each.path === path && each.method === method.toUpperCase())!
      const send = (value: string) => s.call(sample.method, path, { body: { ...sample.body, [name]: value } })
      for (const character of CHARACTERS) {
        const value = longest(property, character)
        expect(Buffer.byteLength(value)).toBeGreaterThan(bytes - Buffer.byteLength(character))
        expect((await send(value)).json?.code).not.toBe(400110)
        expect((await send(value + character)).json.code).toBe(400110)
      }
    },
  )

  test('the server accepts the longest expressions and texts that the schema allows', async () => {
    const { schema } = document.paths['/filter_check']!['post']!.requestBody!.content['application/json']
    const { texts, filters } = schema.properties!
    for (const character of CHARACTERS) {
      const longText = longest(texts!.items!, character)
      const longExpression = longest(filters!.items!, character)
      expect([...longExpression].length).toBe(128)
      const send = (text: string, expression: string) =>
        s.call('POST', '/filter_check', { body: { language: 'en', texts: [text], filters: [expression] } })
      expect((await send(longText, longExpression)).status).toBe(200)
      expect((await send(longText + character, longExpression)).json.code).toBe(400110)
      expect((await send(longText, longExpression + character)).json.code).toBe(400110)
    }
    expect(check(' ', filters!.items!)).toEqual(['$: pattern'])
  })
})

describe('every operation documents', () => {
  test('X-Request-Id and RateLimit on every response, and Retry-After on 429 and 503', () => {
    for (const { operation } of described())
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
        )
        expect([status, 'Retry-After' in headers]).toEqual([status, status === '429' || status === '503'])
      }
  })

  test('429, 500 and 503, and with a body 413 and 415', () => {
    for (const { method, operation } of described()) {
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['200', '400', '429', '500', '503']),
      )
      if (method !== 'GET')
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['413', '415']))
    }
  })

  test('paging errors, on every list', () => {
    const lists = described().filter(({ operation }) =>
      JSON.stringify(operation.parameters).includes('parameters/cursor'),
    )
    expect(lists.length).toBeGreaterThanOrEqual(5)
    for (const { operation } of lists)
      expect(Object.keys(operation.responses['400']!.content['application/json'].examples!)).toEqual(
        expect.arrayContaining(['invalid', 'bad-cursor']),
      )
  })

  test('the ETag of a list, on GET and PUT', () => {
    for (const path of ['/bad_word_list', '/allow_list'])
      for (const method of ['get', 'put'])
        expect(JSON.stringify(document.paths[path]![method]!.responses['200'])).toContain('headers/ETag')
  })

  test('every parameter, with an example where its input is required', () => {
    for (const { method, operation } of described())
      for (const parameter of operation.parameters) {
        if ('$ref' in parameter) continue
        expect(parameter.description).toMatch(/\.$/)
        if (parameter.required || method === 'DELETE') expect(parameter.example).toBeString()
      }
    for (const { description } of Object.values(document.components.parameters))
      expect(description).toMatch(/\.$/)
  })

  test('its tag and the credentials', () => {
    const { tags, components } = document
    for (const { description } of tags) expect(description).toMatch(/\.$/)
    expect(components.securitySchemes.masterToken.description).toContain('400701')
  })
})

test('the examples in the document match its schemas', () => {
  for (const { operation } of described()) {
    // A 304 has no content.
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap(
      (each) => each?.content ?? [],
    )
    for (const content of contents) {
      const { schema, example, examples } = content['application/json']
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples ?? {}).map(({ value }) => value),
      ]
      expect(values.length).toBeGreaterThan(0)
      expect(values.flatMap((value) => check(value, schema))).toEqual([])
    }
  }
})

test('every operation documents the error 400701', () => {
  for (const { operation } of described())
    expect(JSON.stringify(operation.responses['400'])).toContain(
      'There is a problem with the user credentials.',
    )
})

describe('the documentation pages', () => {
  test.each(['/openapi.json', '/docs'])('%s needs no token, and HEAD works', async (path) => {
    const url = new URL(`/chat/v1${path}`, s.url)
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url, { headers: { Authorization: 'Bearer wrong' } })).status).toBe(200)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('/openapi.json is an OpenAPI 3.1 document for the base path', async () => {
    const { headers } = await fetch(new URL('/chat/v1/openapi.json', s.url))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.servers).toEqual([{ url: '/chat/v1' }])
  })

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(`/chat/v1/${path}`, s.url), { headers, decompress: false })

  /** The scripts and styles that the page links. */
  const assetsOf = (html: string) =>
    [...html.matchAll(/<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, link]) => link!,
    )

  test('/docs loads everything from its own origin and enforces that by its content security policy', async () => {
    const response = await get('docs')
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).not.toMatch(/https?:|(src|href)="\/|<script>|style=|<style| on\w+=/i)
    expect(assetsOf(html)).toHaveLength(3)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/https?:|\*|unsafe/)
  })

  test('the assets of /docs are compressed on request, cacheable, and revalidated by ETag', async () => {
    for (const link of assetsOf(await (await get('docs')).text())) {
      const plain = await get(link, { 'Accept-Encoding': 'identity' })
      const packed = await get(link, { 'Accept-Encoding': 'br, gzip' })
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
      const content = await plain.bytes()
      const isLong = content.length >= 1024
      expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, isLong ? 'gzip' : null])
      if (isLong) expect(Buffer.compare(gunzipSync(await packed.bytes()), content)).toBe(0)
      expect(packed.headers.get('vary')).toBe('Accept-Encoding')
      const isVersioned = /\d+\.\d+\.\d+/.test(link)
      expect(packed.headers.get('cache-control')).toBe(
        isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
      expect(plain.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/)
      const again = await get(link, { 'If-None-Match': plain.headers.get('etag') ?? '' })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect((await get(link, { 'If-None-Match': 'W/"other"' })).status).toBe(200)
      expect((await get(link, { 'Accept-Encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull()
    }
  })

  test('/docs transfers less than 500 kB', async () => {
    const links = assetsOf(await (await get('docs')).text())
    const sizes = await Promise.all(
      links.map(async (link) => (await (await get(link, { 'Accept-Encoding': 'gzip' })).bytes()).length),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(500_000)
  })

  test('/openapi.json explains authentication, errors, paging and retries', () => {
    for (const title of ['Authentication', 'Errors', 'Paging', 'Idempotency', 'Rate limits', 'Versioning'])
      expect(document.info.description).toContain(`## ${title}`)
  })

  test('neither page contains the token', async () => {
    for (const path of ['/openapi.json', '/docs'])
      expect(await (await fetch(new URL(`/chat/v1${path}`, s.url))).text()).not.toContain(TOKEN)
  })
})
