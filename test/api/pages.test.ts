import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createAssetFolder } from '../../src/http/pages/asset-folder.ts'
import { makeFolder, startTestServer, type TestServer } from '../support/server.ts'

const INDEX = '<!doctype html><title>App</title>'
const SCRIPT = 'console.log("hello")\n'.repeat(200)
const ICON = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) & 0xff)
const FILES = {
  'index.html': INDEX,
  'assets/main-1a2b3c4d.js': SCRIPT,
  'icon.png': ICON,
  'robots.txt': 'User-agent: *',
}

const root = makeFolder()
const folder = path.join(root, 'app')
let s: TestServer

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  for (const [name, content] of Object.entries(FILES)) writeFileSync(path.join(folder, name), content)
  writeFileSync(path.join(root, 'secret.txt'), 'secret')
  const headers = { 'Content-Security-Policy': "default-src 'self'" }
  const page = await createAssetFolder({ prefix: '/', folder, headers })
  const inner = () => ({ status: 200, body: 'inner', headers: {} })
  const pages = new Map([
    ['/*', page],
    ['/inner/*', inner],
  ])
  s = await startTestServer({}, {}, { pages })
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

const get = (target: string, init: BunFetchRequestInit = {}) =>
  fetch(new URL(target, s.url), { decompress: false, ...init })

test.each(['/reports', '/channels/global/server-1', '/index.html'])(
  'serves the index at %s, to be revalidated',
  async (target) => {
    const response = await get(target)
    expect([response.status, await response.text()]).toEqual([200, INDEX])
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'self'")
  },
)

test('serves a hashed asset compressed, and lets browsers cache it forever', async () => {
  const response = await get('/assets/main-1a2b3c4d.js', { headers: { 'Accept-Encoding': 'gzip' } })
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await response.bytes()).toString()).toBe(SCRIPT)
})

test('serves a binary asset byte for byte, without compressing it again', async () => {
  const response = await get('/icon.png', { headers: { 'Accept-Encoding': 'gzip' } })
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.bytes()).toEqual(ICON)
})

test('responds with 304 to the ETag of an asset', async () => {
  const etag = (await get('/icon.png')).headers.get('etag') ?? ''
  const response = await get('/icon.png', { headers: { 'If-None-Match': etag } })
  expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag])
})

test.each(['/assets/main-00000000.js', '/missing.css', '/..%2fsecret.txt', '/%2e%2e/secret.txt'])(
  'responds with 404 to the missing file %s',
  async (target) => {
    const response = await get(target)
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: 'The requested path was not found.', code: 404100, error: true },
    ])
  },
)

test('a folder hides neither other pages nor the API', async () => {
  expect(await (await get('/livez')).json()).toEqual({ status: 'alive' })
  expect((await get('/chat/v1/unknown')).status).toBe(400)
  expect((await s.call('GET', '/unknown')).json.code).toBe(404100)
  expect((await s.call('GET', '/open_channel_groups')).json).toEqual([])
})

test('a folder within another one serves what is below it', async () => {
  expect(await (await get('/inner/page')).text()).toBe('inner')
  expect(await (await get('/innermost')).text()).toBe(INDEX)
})

test('a file that could not be read is served once it can be', async () => {
  const file = path.join(folder, 'robots.txt')
  rmSync(file)
  expect((await get('/robots.txt')).status).toBe(500)
  writeFileSync(file, 'User-agent: *')
  const response = await get('/robots.txt')
  expect([response.status, await response.text()]).toEqual([200, 'User-agent: *'])
})

test('only GET and HEAD are allowed', async () => {
  const response = await get('/reports', { method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await get('/reports', { method: 'HEAD' })).status).toBe(200)
})

test('metrics count the folder under one name, whatever paths are requested', async () => {
  await get('/a-unique-path')
  const metrics = await (await get('/metrics')).text()
  expect(metrics).toContain('operation="/*"')
  expect(metrics).not.toContain('a-unique-path')
})

test('a folder without an index is rejected', async () => {
  await expect(createAssetFolder({ prefix: '/', folder: path.join(folder, 'assets') })).rejects.toThrow(
    'has no index.html',
  )
})
