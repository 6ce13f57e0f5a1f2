import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { chooseSeed, errorLines, fuzzCases } from '../fuzz/support.ts'
import { type Frame, signToken, TestPlayer } from '../support/player.ts'
import type { ServerProcess } from '../support/process.ts'
import { makeFolder } from '../support/server.ts'
import { encodeFrame, NO_CLOSE_FRAME, NO_CODE, OP, RawWebSocket } from './raw-websocket.ts'
import { findReplyError, hasKeys, MESSAGE_KEYS, type ParsedFrame, parseRequest } from './replies.ts'
import {
  bytesOf,
  MAX_FRAME_BYTES,
  type Placeholders,
  type Script,
  type Step,
  scripts,
  splitAt,
  textOf,
} from './scripts.ts'
import { createChannel, spawnGateway } from './support.ts'

const seed = chooseSeed('frames')
const folder = makeFolder()
/** Disables the runner's timeout: each script has its own, and long runs are started on purpose. */
const NO_LIMIT = 2 ** 31 - 1
const CONCURRENT_SCRIPTS = 16
const RUNS_PER_ROUND = 20
const ROUND_MS = 30_000
const REPLY_TIMEOUT_MS = 30_000

const PUSHED = new Set(['player_joined', 'player_left'])
/** Close codes of WebSocket itself; the last one means no close frame. */
const PROTOCOL_CLOSES = [1002, 1007, 1009, NO_CLOSE_FRAME]

let server: ServerProcess
let players: Placeholders[]
/** Reply types, error codes and close codes seen so far. */
const seen = new Set<string>()

beforeAll(async () => {
  server = await spawnGateway(folder)
  await createChannel(server, 'fuzz', 'a', { max_count: 5 })
  await createChannel(server, 'fuzz', 'lobby', { is_default: true })
  await createChannel(server, 'small', 's', { max_count: 1, is_autoscaling: false })
  // Stays until the end, so that the channel is full.
  const sitter = await TestPlayer.connect(server.url, 'sitter')
  await sitter.join('small', 's')
  using author = await TestPlayer.connect(server.url, 'author')
  await author.join('fuzz', 'lobby')
  const { message_id: messageId } = await author.say('fuzz', 'report me')
  const tokens = await Promise.all(
    Array.from({ length: CONCURRENT_SCRIPTS }, (_, index) => signToken(`p${index}`)),
  )
  players = tokens.map((token) => ({ token, messageId }))
})

afterAll(async () => {
  await server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const isPush = ({ type }: Frame) => type === 'message' || PUSHED.has(type)

/** Steps after which the connection must end, or after which the state of the stream is unknown. */
const isLast = (step: Step, known: Placeholders) =>
  step.kind === 'text'
    ? Buffer.byteLength(textOf(step.text, known)) > MAX_FRAME_BYTES
    : step.kind !== 'ping' && step.kind !== 'pong'

function allowedCodes(last: Step | undefined): number[] {
  if (last === undefined) return []
  if (last.kind === 'fatal' && last.name === 'binary') return [4103]
  if (last.kind !== 'close') return PROTOCOL_CLOSES
  const own = last.payload.length < 2 ? [] : [Buffer.from(last.payload).readUInt16BE(0)]
  return [...PROTOCOL_CLOSES, ...own, 1000, NO_CODE]
}

/** Runs a script on a connection and checks everything received. */
class ScriptRun implements Disposable {
  readonly #requests: ParsedFrame[] = []
  readonly #pings: string[] = []
  readonly #last: Step | undefined

  readonly client: RawWebSocket
  readonly script: Script
  readonly known: Placeholders

  private constructor(client: RawWebSocket, script: Script, known: Placeholders) {
    this.client = client
    this.script = script
    this.known = known
    this.#last = script.steps.find((step) => isLast(step, known))
  }

  /** Resolves to the number of frames checked: those with a reply, and the one that closed the connection. */
  static async run(script: Script, known: Placeholders): Promise<number> {
    using play = new ScriptRun(await RawWebSocket.open(server.url), script, known)
    const late = Bun.sleep(REPLY_TIMEOUT_MS).then(() => 'no reply in time')
    const fault = await Promise.race([play.#play(), late])
    if (fault !== undefined)
      throw new Error(
        `${fault}\nin ${Bun.inspect(play.client.received.slice(-5).map(({ payload }) => String(payload)))}`,
      )
    return play.#replies().length + play.#pongs().length + (play.client.isClosed ? 1 : 0)
  }

  async #play(): Promise<string | undefined> {
    const { script, known, client } = this
    if (script.opening !== 'unauthenticated') await this.#step({ type: 'connect', token: known.token })
    if (script.opening === 'joined')
      await this.#step({ type: 'join', channel_group: 'fuzz', channel_name: 'a' })
    const { steps, writes } = script
    const before = this.#last === undefined ? steps : steps.slice(0, steps.indexOf(this.#last))
    const after = steps.slice(before.length).map((step) => bytesOf(step, known))
    if (writes === undefined) {
      for (const step of before) {
        this.#expect(step)
        client.write(bytesOf(step, known))
        await client.until(() => this.#isSettled)
      }
      for (const bytes of after) client.write(bytes)
    } else {
      for (const step of before) this.#expect(step)
      const stream = Buffer.concat([...before.map((step) => bytesOf(step, known)), ...after])
      for (const piece of splitAt(stream, writes)) {
        client.write(piece)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    if (this.#last === undefined) await this.#step({ type: 'ping' })
    else await client.until(() => client.isClosed || (this.#last?.kind === 'noise' && this.#isSettled))
    return this.#findError()
  }

  /** Sends a valid frame and waits for its reply. */
  async #step(fields: object): Promise<void> {
    const text = JSON.stringify({ id: `own-${this.#requests.length}`, ...fields })
    this.#expect({ kind: 'text', text, splits: [] })
    this.client.write(bytesOf({ kind: 'text', text, splits: [] }, this.known))
    await this.client.until(() => this.#isSettled)
  }

  #expect(step: Step): void {
    if (step.kind === 'text') this.#requests.push(parseRequest(textOf(step.text, this.known)))
    if (step.kind === 'ping') this.#pings.push(Buffer.from(step.payload).toString('hex'))
  }

  get #isSettled(): boolean {
    const { client } = this
    return (
      client.isClosed ||
      (this.#replies().length >= this.#requests.length && this.#pongs().length >= this.#pings.length)
    )
  }

  readonly #replies = () => this.client.frames().filter((frame) => !isPush(frame))
  readonly #pongs = () =>
    this.client.received.flatMap(({ opcode, payload }) =>
      opcode === OP.pong ? [payload.toString('hex')] : [],
    )

  #findError(): string | undefined {
    const { client } = this
    const replies = this.#replies()
    for (const [index, reply] of replies.entries()) {
      const request = this.#requests[index]
      const isAfterNoise = request === undefined && this.#last?.kind === 'noise'
      if (isAfterNoise) return undefined
      seen.add(reply.code ?? reply.type)
      const fault = request === undefined ? 'an unexpected reply' : findReplyError(request, reply)
      if (fault !== undefined) return `${fault}: ${JSON.stringify(reply)} to ${JSON.stringify(request)}`
    }
    const odd = client
      .frames()
      .find((frame) => frame.type === 'message' && !hasKeys(frame, `type ${MESSAGE_KEYS}`))
    if (odd !== undefined) return `not a valid message: ${JSON.stringify(odd)}`
    const isPong = (pong: string, index: number) =>
      pong === this.#pings[index] || (index >= this.#pings.length && this.#last?.kind === 'noise')
    if (!this.#pongs().every(isPong)) return 'pong with the wrong payload'
    return client.fault ?? this.#findCloseError(replies)
  }

  #findCloseError(replies: readonly Frame[]): string | undefined {
    const { closeCode } = this.client
    // Noise can be anything, even a close frame.
    if (closeCode === undefined || this.#last?.kind === 'noise') return undefined
    seen.add(String(closeCode))
    const isBadToken =
      replies.at(-1)?.code === 'NOT_AUTHENTICATION' && this.#requests[replies.length - 1]?.type === 'connect'
    if (closeCode === 4101 && isBadToken) return undefined
    return allowedCodes(this.#last).includes(closeCode) ? undefined : `closed with ${closeCode}`
  }

  [Symbol.dispose](): void {
    this.client[Symbol.dispose]()
  }
}

async function checkAlive(): Promise<void> {
  using mina = await TestPlayer.connect(server.url, 'mina')
  using joon = await TestPlayer.connect(server.url, 'joon')
  expect(await mina.join('fuzz', 'lobby')).toMatchObject({ type: 'joined', max_count: 50 })
  expect(await joon.join('fuzz', 'lobby')).toMatchObject({ type: 'joined' })
  expect(await mina.say('fuzz', 'still here?')).toMatchObject({ type: 'said', filtered: false })
  await joon.until(({ message, gamer_id }) => message === 'still here?' && gamer_id === 'mina')
  expect(process.kill(server.pid, 0)).toBe(true)
  expect(errorLines(server.output())).toEqual([])
}

test(
  'replies to or closes on any input, and keeps serving',
  async () => {
    let checked = 0
    const batches = fc.array(scripts, { minLength: 1, maxLength: CONCURRENT_SCRIPTS, size: 'max' })
    const property = fc.asyncProperty(batches, async (batch) => {
      const plays = batch.map((script, index) => ScriptRun.run(script, players[index]!))
      for (const outcome of await Promise.allSettled(plays)) {
        if (outcome.status === 'rejected') throw outcome.reason
        checked += outcome.value
      }
    })
    for (let round = 0; checked < fuzzCases; round++) {
      await fc.assert(property, {
        seed: seed + round,
        numRuns: RUNS_PER_ROUND,
        interruptAfterTimeLimit: ROUND_MS,
      })
      await checkAlive()
    }
    // These occur in every run; the others depend on the seed and have tests of their own.
    expect([...seen]).toContainValues(['connected', 'joined', 'said', 'pong'])
    expect([...seen]).toContainValues(['NOT_AUTHENTICATION', 'INVALID_PARAMETER', 'CHANNEL_NOT_FOUND'])
    expect([...seen]).toContainValues(['NOT_JOIN_CHANNEL', 'ALREADY_JOIN_CHANNEL'])
    expect([...seen]).toContainValues(['MESSAGE_TOO_SHORT', 'reported'])
  },
  NO_LIMIT,
)

test('replies in order or closes with 4103 when too many requests are pending', async () => {
  for (const count of [60, 65, 500, 5000]) {
    using client = await RawWebSocket.open(server.url)
    await client.ask({ type: 'connect', id: -1, token: await signToken(`asks-${count}`) })
    const ids = Array.from({ length: count }, (_, index) => index)
    client.write(
      Buffer.concat(ids.map((id) => encodeFrame(OP.text, Buffer.from(JSON.stringify({ type: 'ping', id }))))),
    )
    await client.until(() => client.isClosed || client.received.length > count)
    const answered = client.frames().slice(1)
    expect(answered).toEqual(ids.slice(0, answered.length).map((id) => ({ type: 'pong', id })))
    expect([undefined, 4103]).toContain(client.closeCode)
    if (count === 60) expect(answered.length).toBe(60)
  }
  await checkAlive()
}, 30_000)

test('shuts down cleanly afterwards', async () => {
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(errorLines(server.output())).toEqual([])
}, 30_000)
