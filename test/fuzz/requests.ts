import fc from 'fast-check'
import { TOKEN } from '../support/server.ts'
import { bodies, names } from './bodies.ts'
import { show, type WireRequest } from './client.ts'
import { OPERATIONS } from './contract.ts'

const words = (text: string) => text.split(' ')

const METHODS = words(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND SEARCH QUERY PURGE LINK MKCOL COPY LOCK M-SEARCH REPORT',
)

const headerText = fc
  .array(
    fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(9)),
    { maxLength: 60 },
  )
  .map((units) => String.fromCharCode(...units))
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'Content-Type': ['', 'text/plain', 'application/json; charset=utf8', 'multipart/form-data', 'a/b;;;='],
  'Idempotency-Key': ['', 'k1', 'k2', 'k3', 'x'.repeat(255), 'x'.repeat(256), 'a b'],
  'If-Match': ['*', '"0"', '"1"', 'W/"1"', '"1", "2"', '"', '"99999999999999999999"', '"-1"'],
  'If-None-Match': ['*', '"0"', '"1"', 'W/"1"', '"1", "2"', '"'],
  'X-Request-Id': ['', 'mine', 'x'.repeat(128), 'x'.repeat(129), 'a b', '<script>'],
  'Content-Encoding': ['gzip', 'br', 'identity', 'x'],
  Expect: ['100-continue', '200-ok'],
  Accept: ['*/*', 'text/html', 'application/xml;q=nonsense', ''],
  'Accept-Encoding': ['gzip', 'br;q=1.0, *;q=0', 'zstd'],
  'Accept-Language': ['ko', '*'],
  Range: ['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'items=1-2'],
  'If-Range': ['"1"'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'],
  'If-Unmodified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'tomorrow'],
  Origin: ['null', 'https://example.com'],
  Cookie: ['a=b', '__proto__=1'],
  'X-Forwarded-For': ['127.0.0.1', '::1', 'nonsense'],
  'X-HTTP-Method-Override': ['DELETE'],
  Upgrade: ['websocket', 'h2c'],
  Connection: ['close', 'keep-alive', 'x-request-id'],
  __proto__x: ['1'],
  constructor: ['1'],
}

const oneHeader = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...(HEADERS[name] ?? [])) },
        { weight: 1, arbitrary: headerText },
      ),
    ),
  )
const someHeaders = fc.uniqueArray(oneHeader, { maxLength: 4, selector: ([name]) => name })

const HOSTS = ['', 'a b', ...words('a/livez? [ \xe9 a@b:1 a?x \\ a:99999 localhost:80 A.B %41 ../..')]
/** Bun does not resolve dots in a path when the Host is invalid, so only plain paths get an unusual Host. */
const hosts = (path: string) =>
  /^(\/\w+)+$/.test(path) ? fc.option(fc.constantFrom(...HOSTS), { freq: 10 }) : fc.constant(null)

const cursors = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.array(fc.oneof(names, fc.integer()), { minLength: 1, maxLength: 2 }),
)
const queryValues = fc.oneof(
  fc.constantFrom('', ...words('0 1 2 1000 1001 -1 1e3 0x10 １ %00 %FF %ED%A0%80 %zz % + //x/livez')),
  names.map((name) => encodeURIComponent(name.toWellFormed())),
  cursors.map((position) => Buffer.from(JSON.stringify(position)).toString('base64url')),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
)
const queryKeys = fc.constantFrom(
  '',
  ...words('limit cursor channel_group channel_name gamer_id backtest_id %zz __proto__'),
)
const queries = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.tuple(queryKeys, fc.constantFrom('=', '', '=='), queryValues), { maxLength: 5 })
    .map((parts) => `?${parts.map((part) => part.join('')).join('&')}`),
)

const segments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...words('chat v1 open_channels block_user_list docs')) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      ...words('. .. %2e%2E ..%2f %2F %5c %00 %zz % ;a=b é 한 \u{1d11e} ~ livez metrics * @ : etc passwd'),
      ...words('"<>{}|^` __proto__ V1 open%5Fchannels openapi.json'),
    ),
  },
  { weight: 1, arbitrary: fc.nat(1500).map((length) => 'a'.repeat(length)) },
)
const oddPaths = fc
  .tuple(
    fc.constantFrom('', '/x/chat/v1', '/chat/v1', 'http://other.example/chat/v1'),
    fc.array(fc.tuple(fc.constantFrom('/', '/', '/', '//', '/\\'), segments), { minLength: 1, maxLength: 8 }),
  )
  .map(([start, parts]) => start + parts.flat().join(''))

const TABLE = Object.entries(OPERATIONS).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method, path: `/chat/v1${path}` })),
)
const routes = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...TABLE) },
  { weight: 2, arbitrary: fc.record({ method: fc.constantFrom(...METHODS), path: oddPaths }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...METHODS), fc.constantFrom(...TABLE), fc.constantFrom('', '', '/x'))
      .map(([method, { path }, before]) => ({ method, path: before + path })),
  },
)

const requestsWith = (authorization: fc.Arbitrary<readonly string[]>): fc.Arbitrary<WireRequest> =>
  routes.chain(({ method, path }) =>
    fc
      .record({
        query: queries,
        authorization,
        host: hosts(path),
        extra: someHeaders,
        body: /^(GET|HEAD)$/.test(method)
          ? fc.constant(undefined)
          : bodies(`${method} ${path.replace('/chat/v1', '')}`),
        chunked: fc.nat(4).map((n) => n === 0),
      })
      .map(({ query, authorization, host, extra, body, chunked }) => {
        const credentials = authorization.map((value) => ['Authorization', value] as const)
        const named = host === null ? [] : [['Host', host] as const]
        const request = {
          method,
          target: path + query,
          headers: [...named, ...credentials, ...extra],
          body,
          chunked,
        }
        return { ...request, [fc.toStringMethod]: () => show(request) }
      }),
  )

export const requests = requestsWith(
  fc.constantFrom('Bearer ', 'bearer ', 'BEARER   ').map((scheme) => [scheme + TOKEN]),
)

export const strangers = requestsWith(
  fc.oneof(
    fc.constantFrom(
      ...[[], [''], ['Bearer'], ['Bearer '], [TOKEN], [`Bearer${TOKEN}`], [`Basic ${TOKEN}`]],
      ...[[`Bearer ${TOKEN}x`], [`Bearer x${TOKEN}`], [`Bearer ${TOKEN.slice(1)}`], [`Bearer "${TOKEN}"`]],
      ...[[`Bearer\t${TOKEN}`], [`Bearer ${TOKEN},`], ['Bearer x', 'Bearer y']],
      ...[[`Bearer ${TOKEN.toUpperCase()}`], [`Bearer ${'x'.repeat(4000)}`]],
    ),
    headerText.map((value) => [`Bearer ${value}`]),
    headerText.map((value) => [value]),
  ),
)
