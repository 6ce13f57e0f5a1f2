import fc from 'fast-check'

/** Bodies above this are too large for the server under test. */
export const BODY_BYTES = 65_536

/** Mostly from a small pool, so that requests collide; random names are rare, so that lists stay short. */
const oneOf = (pool: readonly string[]) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...pool) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }) },
  )
export const names = oneOf(['a', 'b', 'global', '한국어', '𝄞', 'x y', '__proto__', 'constructor', 'toString'])
const ids = oneOf(['1', '2', '3', '4', '__proto__', 'hasOwnProperty', '👩‍👩‍👧‍👦'])
const languages = oneOf(['all', 'ALL', 'ko', 'ko-kr', 'ko_KR', 'en', 'zh-Hant-TW', 'constructor'])
const counts = fc.constantFrom(1, 50, 100_000)

const anyOf = (model: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc.record(model, { requiredKeys })
const channelKey = { channel_group: names, channel_name: names }
const settings = { max_count: counts, is_default: fc.boolean(), is_autoscaling: fc.boolean() }
const filterList = {
  language: languages,
  filters: fc.array(oneOf(['GM', '*bad*', '지엠', '.*', '(']), { maxLength: 5 }),
}
const keyNames = Object.keys(channelKey)

const rightBodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'PUT /open_channels': anyOf({ ...channelKey, ...settings }, keyNames),
  'PATCH /open_channels': anyOf({ ...channelKey, ...settings }, keyNames),
  'DELETE /open_channels': anyOf(channelKey, keyNames),
  'PUT /block_user_chat': anyOf({ gamer_id: ids, days: fc.constantFrom(1, 0.5, 1e-9, 36_500) }, [
    'gamer_id',
    'days',
  ]),
  'DELETE /block_user_chat': anyOf({ gamer_id: ids }, ['gamer_id']),
  'PUT /bad_word_list': anyOf(filterList, ['language', 'filters']),
  'PUT /allow_list': anyOf(filterList, ['language', 'filters']),
  'POST /filter_backtest': anyOf({ ...filterList, days: fc.constantFrom(1, 0.5, 30) }, [
    'language',
    'filters',
  ]),
  'POST /filter_check': anyOf(
    { ...filterList, texts: fc.array(oneOf(['a GM', 'bad', '지엠', 'fine', '']), { maxLength: 5 }) },
    ['language', 'texts'],
  ),
  'POST /system_message': anyOf(
    { ...channelKey, channel_type: fc.constant(1), channel_id: fc.constantFrom(0, 1, 2), message: names },
    [...keyNames, 'channel_type', 'message'],
  ),
}

const rightBody = (operation: string) => rightBodies[operation] ?? fc.constant({})

/** JSON text that is rarely valid for a property, including text that JSON.stringify never produces. */
const strangeValues = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 300 }).map((value) => JSON.stringify(value)),
  fc.nat(9000).map((length) => JSON.stringify('x'.repeat(length))),
  fc.nat(3000).map((length) => JSON.stringify(Array(length).fill('x'))),
  fc.constantFrom(
    ...[
      'null',
      '1e400',
      '-1e400',
      '-0',
      '0.1e-400',
      '9007199254740993',
      '1e21',
      '123456789012345678901234567890',
    ],
    ...[
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '"\\u0000"',
      '""',
      '" "',
      '"\\u2028"',
      '"\\ufeff"',
      '[[]]',
      '[null]',
    ],
    ...[
      '["\\ud800"]',
      '[""]',
      '[1]',
      '{"__proto__":[]}',
      'NaN',
      'undefined',
      "'x'",
      '01',
      '1.',
      '+1',
      'tru',
      '"\n"',
    ],
  ),
)

/** Attempts at prototype pollution, which later requests without these properties would show. */
const POISON = '{"max_count":7,"is_default":true,"is_autoscaling":false,"days":5,"polluted":true}'
const poisoned = fc.constantFrom(
  `"__proto__":${POISON}`,
  `"constructor":{"prototype":${POISON}}`,
  `"prototype":${POISON}`,
  `"\\u005f_proto__":${POISON}`,
  `"__defineGetter__":1,"hasOwnProperty":1,"toString":1,"toJSON":1,"then":1`,
)

const member = (name: string, json: string) => `${JSON.stringify(name)}:${json}`
const members = (body: object) =>
  Object.entries(body).map(([name, value]) => member(name, JSON.stringify(value)))
const braced = (parts: readonly string[]) => `{${parts.join(',')}}`

const almostRight = (right: fc.Arbitrary<object>) =>
  fc
    .record({
      right,
      index: fc.nat(),
      strange: fc.option(strangeValues, { nil: undefined }),
      extra: fc.option(
        fc.oneof(
          poisoned,
          strangeValues.map((json) => member('extra', json)),
        ),
        { nil: undefined },
      ),
      twice: fc.boolean(),
    })
    .map(({ right, index, strange, extra, twice }) => {
      const parts = members(right)
      const at = index % Math.max(1, parts.length)
      const name = Object.keys(right)[at]
      const former = twice ? parts.slice(at, at + 1) : []
      parts.splice(
        at,
        1,
        ...former,
        ...(name === undefined || strange === undefined ? [] : [member(name, strange)]),
      )
      return braced(extra === undefined ? parts : [...parts, extra])
    })

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"a":'), fc.nat(3000))
  .map(([open, depth]) => open.repeat(depth))
const manyKeys = fc
  .nat(2500)
  .map((count) => braced(Array.from({ length: count }, (_, index) => member(`k${index}`, '1'))))

const damage: fc.Arbitrary<(bytes: Buffer) => Uint8Array> = fc.oneof(
  fc.constant((bytes: Buffer) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
  fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))),
  fc
    .tuple(fc.nat(), fc.constantFrom('ff', 'c080', 'eda080', 'f4908080', 'e2', '00', '0a', '22', '7d', '5c'))
    .map(([at, hex]) => (bytes: Buffer) => {
      const split = at % (bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, split), Buffer.from(hex, 'hex'), bytes.subarray(split)])
    }),
  fc.constant((bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(BODY_BYTES, ' ')])),
)

/** Any body, as bytes; undefined for none at all. */
export function bodies(operation: string): fc.Arbitrary<Uint8Array | undefined> {
  const right = rightBody(operation)
  const texts = fc.oneof(
    { weight: 4, arbitrary: right.map((body) => JSON.stringify(body)) },
    { weight: 8, arbitrary: almostRight(right) },
    { weight: 2, arbitrary: strangeValues },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: manyKeys },
  )
  const encoded = texts.map((text) => Buffer.from(text))
  return fc.oneof(
    { weight: 14, arbitrary: encoded },
    { weight: 3, arbitrary: fc.tuple(encoded, damage).map(([bytes, spoil]) => spoil(bytes)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, new Uint8Array()) },
  )
}
