import fc from 'fast-check'
import { encodeFrame, OP } from './raw-websocket.ts'

/** One step of a scripted client. */
export type Step =
  | { readonly kind: 'text'; readonly text: string; readonly splits: readonly number[] }
  | { readonly kind: 'ping'; readonly payload: Uint8Array }
  | { readonly kind: 'pong'; readonly payload: Uint8Array }
  | { readonly kind: 'fatal'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly kind: 'close'; readonly payload: Uint8Array }
  | { readonly kind: 'noise'; readonly bytes: Uint8Array }

export interface Script {
  readonly opening: 'unauthenticated' | 'connected' | 'joined'
  readonly steps: readonly Step[]
  /** Where the stream is split into writes, in thousandths of its length; undefined: each step waits for the previous one. */
  readonly writes: readonly number[] | undefined
}

/** Values of the placeholders in a script. */
export interface Placeholders {
  readonly token: string
  readonly messageId: string
}

export const MAX_FRAME_BYTES = 16_384
/** Placeholder for the sender's token. */
export const OWN_TOKEN = '$TOKEN'
/** Placeholder for the id of an existing message. */
export const SAID_MESSAGE = '$MESSAGE'
const HUGE = '$HUGE'

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, HUGE, [], {}),
  fc.constantFrom('__proto__', 'constructor', 'toString', '\ud800', 'a\udc00b', '\u0000', '\ufeff', '\u2028'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(64, 65, 999, 1001, 8000, 15_000).map((length) => 'x'.repeat(length)),
)

const ids = fc.oneof({ weight: 3, arbitrary: fc.nat() }, { weight: 2, arbitrary: fc.uuid() }, odd)
const groups = fc.constantFrom('fuzz', 'fuzz', 'fuzz', 'small', 'nowhere', '__proto__', '\ud800')
const names = fc.constantFrom('a', 'a', 'lobby', 's', 'nowhere', '__proto__')
const numbers = fc.constantFrom(1, 1, 2, 3, 2 ** 31, Number.MAX_SAFE_INTEGER)
const messages = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' \n ',
    ' padded \n',
    'x'.repeat(1000),
    'é'.repeat(500),
    'é'.repeat(501),
    ` ${'x'.repeat(1000)} `,
    '\ud800',
  ),
)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const fieldsOf = {
  connect: { token: fc.constant(OWN_TOKEN), language: optional(fc.constantFrom('en', 'ko-KR', 'x')) },
  join: { channel_group: groups, channel_name: optional(names), channel_id: optional(numbers) },
  leave: { channel_group: groups },
  players: { channel_group: groups, cursor: optional(fc.constantFrom('1.1.1', '1.1.x', '')) },
  say: { channel_group: groups, message: messages },
  report: {
    message_id: fc.constantFrom(SAID_MESSAGE, 'unknown'),
    keyword: fc.constant('SPAM'),
    reason: optional(messages),
  },
  resume: {
    channel_group: groups,
    channel_name: names,
    channel_id: numbers,
    epoch: fc.uuid(),
    seq: fc.oneof(fc.nat(100), numbers),
  },
  ping: {},
}

const valid = fc.oneof(
  ...Object.entries(fieldsOf).map(([type, fields]) =>
    fc.record<Record<string, unknown>>({ type: fc.constant(type), id: ids, ...fields }),
  ),
)

/** Sets an own property, even `__proto__`. */
const set = (fields: object, key: string, value: unknown) =>
  Object.fromEntries([...Object.entries(fields).filter(([each]) => each !== key), [key, value]])

/** A valid frame with one defect: a wrong value, a missing key or an extra key. */
const almostValid = fc
  .record({
    fields: valid,
    place: fc.nat(),
    value: odd,
    change: fc.constantFrom('value', 'remove', 'add', 'rename', 'type'),
    key: fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', 'extra', ''),
    type: fc.constantFrom('', 'Ping', 'ping ', 'connected', 'error', '__proto__', 'toString', 'message'),
  })
  .map(({ fields, place, value, change, key, type }) => {
    const keys = Object.keys(fields)
    const chosen = keys[place % keys.length] ?? 'id'
    const without = Object.fromEntries(Object.entries(fields).filter(([each]) => each !== chosen))
    if (change === 'value') return set(fields, chosen, value)
    if (change === 'remove') return without
    if (change === 'rename') return set(without, key, fields[chosen])
    return change === 'add' ? set(fields, key, value) : set(fields, 'type', type)
  })

const encode = (fields: object) => JSON.stringify(fields).replaceAll(`"${HUGE}"`, '1e400')

/** Frames within a few bytes of the size limit. */
const long = fc.record({ id: fc.nat(), over: fc.integer({ min: -3, max: 3 }) }).map(({ id, over }) => {
  const bare = encode({ type: 'ping', id, pad: '' })
  return encode({ type: 'ping', id, pad: 'x'.repeat(MAX_FRAME_BYTES + over - bare.length) })
})

const texts = fc.oneof(
  { weight: 12, arbitrary: valid.map(encode) },
  { weight: 12, arbitrary: almostValid.map(encode) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 2, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{}', '[]', 'null', '{"type":"ping"', '\ufeff{"type":"ping"}'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('['.repeat(16_000), '{"id":'.repeat(2700), `{"id":${'9'.repeat(400)}}`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(valid, valid).map(([a, b]) => encode(a).replace(/\}$/, `,${encode(b).slice(1)}`)),
  },
  { weight: 1, arbitrary: long },
)

const empty = new Uint8Array()
const payloads = fc.uint8Array({ maxLength: 125 })
const openText = encodeFrame(OP.text, Buffer.from('{'), { isLast: false })
const notUtf8 = ['ff', 'c0af', 'eda080', 'f4908080', 'e282', '80', 'f8888080'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

/** Frames for which the WebSocket standard or the protocol requires a close. */
const fatal = fc.oneof(
  payloads.map((bytes) => ['binary', encodeFrame(OP.binary, bytes)]),
  fc.constantFrom(...notUtf8).map((bytes) => ['not UTF-8', encodeFrame(OP.text, bytes)]),
  fc
    .constantFrom(...notUtf8)
    .map((bytes) => [
      'not UTF-8, in fragments',
      Buffer.concat([openText, encodeFrame(OP.continuation, bytes)]),
    ]),
  fc
    .tuple(fc.constantFrom(3, 4, 5, 6, 7, 11, 12, 13, 14, 15), payloads)
    .map(([opcode, bytes]) => ['reserved opcode', encodeFrame(opcode, bytes)]),
  fc
    .tuple(fc.constantFrom(OP.text, OP.ping, OP.close), fc.integer({ min: 1, max: 7 }))
    .map(([opcode, reserved]) => ['reserved bits', encodeFrame(opcode, empty, { reserved })]),
  fc
    .constantFrom(OP.ping, OP.pong, OP.close)
    .map((opcode) => ['control in fragments', encodeFrame(opcode, empty, { isLast: false })]),
  fc
    .tuple(fc.constantFrom(OP.ping, OP.pong, OP.close), fc.integer({ min: 126, max: 300 }))
    .map(([opcode, length]) => ['control too long', encodeFrame(opcode, Buffer.alloc(length, 3))]),
  payloads.map((bytes) => ['continuation without a start', encodeFrame(OP.continuation, bytes)]),
  fc.constant(['a text within a text', Buffer.concat([openText, encodeFrame(OP.text, Buffer.from('}'))])]),
  fc
    .constantFrom(
      16_385n,
      65_536n,
      2n ** 31n,
      2n ** 32n,
      2n ** 53n,
      2n ** 63n - 1n,
      2n ** 63n,
      2n ** 64n - 1n,
    )
    .map((length) => ['declared too long', encodeFrame(OP.text, Buffer.alloc(200, 32), { length })]),
  fc
    .integer({ min: 16_385, max: 70_000 })
    .map((length) => ['too long', encodeFrame(OP.text, Buffer.alloc(length, 32))]),
  fc
    .integer({ min: 8193, max: 16_384 })
    .map((length) => [
      'too long in total',
      Buffer.concat([
        encodeFrame(OP.text, Buffer.alloc(length, 32), { isLast: false }),
        encodeFrame(OP.continuation, Buffer.alloc(length, 32)),
      ]),
    ]),
) as fc.Arbitrary<[string, Uint8Array]>

const closing = fc.oneof(
  fc
    .constantFrom('', '03e8', '0fa1', '03e9', '03ed', '0000', '03e7', 'ffff', '03', '03e8ff', '03e86279')
    .map((hex) => Buffer.from(hex, 'hex')),
  payloads,
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 160,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      text: texts,
      splits: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(fc.nat(1000), { maxLength: 5 })),
    }),
  },
  { weight: 12, arbitrary: payloads.map((payload) => ({ kind: 'ping' as const, payload })) },
  { weight: 8, arbitrary: payloads.map((payload) => ({ kind: 'pong' as const, payload })) },
  { weight: 6, arbitrary: fatal.map(([name, bytes]) => ({ kind: 'fatal' as const, name, bytes })) },
  {
    weight: 1,
    arbitrary: closing.map((payload) => ({ kind: 'close' as const, payload })),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => ({ kind: 'noise' as const, bytes })),
  },
)

/** Leaves room for the ping that ends a script, within the frames allowed before connect. */
const UNAUTHENTICATED_STEPS = 11

export const scripts: fc.Arbitrary<Script> = fc
  .record({
    opening: fc.constantFrom('unauthenticated', 'connected', 'joined', 'joined'),
    steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
    writes: optional(fc.array(fc.nat(1000), { maxLength: 4 })),
  })
  .map((script) =>
    script.opening === 'unauthenticated'
      ? { ...script, steps: script.steps.slice(0, UNAUTHENTICATED_STEPS) }
      : script,
  )

/** Splits bytes at thousandths of their length. */
export function splitAt(bytes: Buffer, splits: readonly number[]): Buffer[] {
  const places = [0, ...splits.map((split) => Math.floor((bytes.length * split) / 1000)), bytes.length]
  places.sort((a, b) => a - b)
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

/** Returns the bytes of a step, with its placeholders filled in. */
export function bytesOf(step: Step, known: Placeholders): Buffer {
  switch (step.kind) {
    case 'text': {
      const pieces = splitAt(Buffer.from(textOf(step.text, known)), step.splits)
      return Buffer.concat(
        pieces.map((piece, index) =>
          encodeFrame(index === 0 ? OP.text : OP.continuation, piece, {
            isLast: index === pieces.length - 1,
          }),
        ),
      )
    }
    case 'fatal':
    case 'noise':
      return Buffer.from(step.bytes)
    default:
      return encodeFrame(OP[step.kind], step.payload)
  }
}

export const textOf = (text: string, { token, messageId }: Placeholders) =>
  text.replaceAll(OWN_TOKEN, token).replaceAll(SAID_MESSAGE, messageId)
