import fc from 'fast-check'
import { TOKEN } from '../support/server.ts'

/** Bytes that are not a well-formed HTTP/1.1 request, or a valid one followed by garbage. */

const GOOD =
  `PUT /chat/v1/block_user_chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
  'Content-Length: 27\r\n\r\n{"gamer_id":"raw","days":1}'
const latin1 = (text: string) => Buffer.from(text, 'latin1')

const junk = fc.uint8Array({ maxLength: 80 })
const junkText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '\0',
    '\n',
    '\r',
    ':',
    'é',
    '\x7f',
    '-1',
    '1e3',
    '0x2',
    '99999999999999999999',
  ),
  junk.map((bytes) => Buffer.from(bytes).toString('latin1')),
)

const requestLines = fc
  .tuple(
    fc.oneof(fc.constantFrom('GET', 'get', 'FOO', 'PRI', 'G\0T', ''), junkText),
    fc.oneof(
      fc.constantFrom('/livez', '*', 'x', '', '/a b', '/a\tb', '/\0', 'http://', 'http://[', '//', '/#x'),
      junkText,
    ),
    fc.oneof(
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1', 'http/1.1', ''),
      junkText,
    ),
    fc.constantFrom('\r\n', '\n', '\r', '\r\n\r\n'),
  )
  .map(([method, target, version, end]) =>
    latin1(`${method} ${target} ${version}${end}Host: localhost\r\n\r\n`),
  )

const headerLines = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'Content-Length: 2',
          'Content-Length: 3',
          'Content-Length: -1',
          'Content-Length: 1e9',
          'Content-Length:',
        ],
        ...[
          'Transfer-Encoding: chunked',
          'Transfer-Encoding: gzip, chunked',
          'Transfer-Encoding : chunked',
          'no colon',
        ],
        ...[
          ': x',
          ' folded',
          'X : y',
          'Host: a/livez?',
          'Host:',
          'Host: a b',
          'Host: [',
          'Expect: 100-continue',
          'a\0: b',
        ],
        ...[
          'Connection: upgrade\r\nUpgrade: websocket',
          'Upgrade: h2c\r\nHTTP2-Settings: x',
          'X: a\0b',
          'X: a\rb',
          'X: a\nb',
        ],
      ),
      fc.tuple(junkText, junkText).map(([name, value]) => `${name}: ${value}`),
    ),
    { maxLength: 5 },
  )
  .map((lines) => {
    const head = [
      `PUT /chat/v1/open_channels HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${TOKEN}`,
      ...lines,
    ]
    return latin1(`${head.join('\r\n')}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)
  })

const hugeHeads = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3000 }), fc.boolean())
  .filter(([count, length]) => count * length < 300_000)
  .map(([count, length, isWhole]) =>
    latin1(
      `GET /livez HTTP/1.1\r\nHost: a\r\n${`X: ${'a'.repeat(length)}\r\n`.repeat(count)}${isWhole ? '\r\n' : ''}`,
    ),
  )

const chunks = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '2\r\n{}\r\n',
        '0\r\n\r\n',
        'zz\r\n',
        '-1\r\n',
        'ffffffffffffffff\r\n',
        '2\r\n{}x',
        '5\r\n{}',
        '2;a=b\r\n{}\r\n',
        '\r\n',
      ),
      junkText,
    ),
    { maxLength: 5 },
  )
  .map((parts) =>
    latin1(
      `PUT /chat/v1/open_channels HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${parts.join('')}`,
    ),
  )

const mutated = fc
  .array(fc.tuple(fc.nat(GOOD.length), fc.nat(3), junkText), { minLength: 1, maxLength: 4 })
  .map((edits) =>
    latin1(edits.reduce((text, [at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone), GOOD)),
  )

export const malformed: fc.Arbitrary<Buffer> = fc.oneof(
  requestLines,
  headerLines,
  chunks,
  mutated,
  hugeHeads,
  junk.map((bytes) => Buffer.from(bytes)),
  fc.nat(GOOD.length - 1).map((length) => latin1(GOOD.slice(0, length))),
  fc.tuple(fc.nat(3), junk).map(([count, bytes]) => Buffer.concat([latin1(GOOD.repeat(count)), bytes])),
)
