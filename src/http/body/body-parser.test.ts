import { afterEach, describe, expect, test } from 'bun:test'
import { readConfig } from '../../config.ts'
import type { BodyJob } from './body.ts'
import { BodyParser, startWorker } from './body-parser.ts'

const { limits } = readConfig({ flags: {}, env: {} })
const opened: BodyParser[] = []
afterEach(() => {
  for (const parser of opened.splice(0)) parser.close()
})

/** Opens a parser whose first workers run `scripts`, and later ones the real worker. */
function open({ scripts = [], timeoutMs = 60_000 }: { scripts?: string[]; timeoutMs?: number } = {}) {
  const failures: string[] = []
  const waiting = [...scripts]
  let started = 0
  const start = () => {
    started++
    const script = waiting.shift()
    return script === undefined ? startWorker() : new Worker(URL.createObjectURL(new Blob([script])))
  }
  const onFailure = ({ message }: Error) => failures.push(message)
  const parser = new BodyParser({ limits, start, onFailure, timeoutMs })
  opened.push(parser)
  return { parser, failures, started: () => started }
}

const job = (text: string): BodyJob => ({ bytes: Buffer.from(text), segments: {}, requestLine: undefined })
const ban = () => job('{"gamer_id":"p","days":1}')
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'parsed',
    (thrown) => thrown.kind ?? thrown.message,
  )

test('parses and validates the input of an operation within the configured limits', async () => {
  const { parser } = open()
  const requestLine = 'PUT /bad_word_list'
  const text = '{"language":"en","filters":["a","b"],"more":1}'
  expect(await parser.parse('editProfanityList', { ...job(text), requestLine })).toEqual({
    input: { language: 'en', filters: { text: 'a\nb', count: 2 } },
    fingerprint: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(await parser.parse('applyChatBan', ban())).toEqual({
    input: { gamer_id: 'p', days: 1 },
    fingerprint: undefined,
  })
})

test('rejects an invalid body as the main thread does, naming the property', async () => {
  const { parser } = open()
  const rejected = parser.parse('applyChatBan', job('{"gamer_id":"p","days":"1"}'))
  expect(await rejected.catch((thrown) => thrown)).toMatchObject({ kind: 'not-number', property: 'days' })
})

describe('a worker that fails', () => {
  test.each([
    ['throws', 'self.onmessage = () => { throw new Error("broken") }'],
    ['exits', 'self.onmessage = ({ data }) => { if (data.kind === "parse") process.exit(1) }'],
    ['does not start', 'import "./nowhere.ts"'],
  ])(
    '%s: the body gets `unavailable`, the failure is reported, and the next body starts a new worker',
    async (_, script) => {
      const { parser, failures, started } = open({ scripts: [script] })
      expect(await outcomeOf(parser.parse('applyChatBan', ban()))).toBe('unavailable')
      expect(failures).toHaveLength(1)
      expect(await outcomeOf(parser.parse('applyChatBan', ban()))).toBe('parsed')
      expect(started()).toBe(2)
    },
  )

  test('hangs: every pending body gets `unavailable`, and the failure is reported once', async () => {
    const { parser, failures, started } = open({
      scripts: ['self.onmessage = () => undefined'],
      timeoutMs: 50,
    })
    const waiting = [1, 2, 3].map(() => outcomeOf(parser.parse('applyChatBan', ban())))
    expect(await Promise.all(waiting)).toEqual(Array(3).fill('unavailable'))
    expect(failures).toEqual(['The worker that parses request bodies does not respond.'])
    expect(started()).toBe(1)
  })
})

test('a closed parser rejects pending and new bodies without reporting a failure', async () => {
  const { parser, failures } = open({ scripts: ['self.onmessage = () => undefined'] })
  const waiting = outcomeOf(parser.parse('applyChatBan', ban()))
  parser.close()
  expect(await waiting).toBe('unavailable')
  expect(() => parser.parse('applyChatBan', ban())).toThrow('unavailable')
  expect(failures).toEqual([])
})
