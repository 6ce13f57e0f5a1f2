import { afterEach, describe, expect, test } from 'bun:test'
import { readConfig } from '../../config.ts'
import type { BodyJob } from './body.ts'
import { BodyParser, startWorker } from './body-parser.ts'

const { limits } = readConfig({ flags: {}, env: {} })
const opened: BodyParser[] = []
afterEach(() => {
  for (const thread of opened.splice(0)) thread.close()
})

/** A thread that runs `scripts` in turn, then the real one. */
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
  const thread = new BodyParser({ limits, start, onFailure, timeoutMs })
  opened.push(thread)
  return { thread, failures, started: () => started }
}

const job = (text: string): BodyJob => ({ bytes: Buffer.from(text), segments: {}, requestLine: undefined })
const ban = () => job('{"gamer_id":"p","days":1}')
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'parsed',
    (thrown) => thrown.kind ?? thrown.message,
  )

test('parses what an operation takes, by the bounds of the server', async () => {
  const { thread } = open()
  const requestLine = 'PUT /bad_word_list'
  const text = '{"language":"en","filters":["a","b"],"more":1}'
  expect(await thread.parse('editProfanityList', { ...job(text), requestLine })).toEqual({
    input: { language: 'en', filters: { text: 'a\nb', count: 2 } },
    fingerprint: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(await thread.parse('applyChatBan', ban())).toEqual({
    input: { gamer_id: 'p', days: 1 },
    fingerprint: undefined,
  })
})

test('refuses as the loop does, naming the property', async () => {
  const { thread } = open()
  const refused = thread.parse('applyChatBan', job('{"gamer_id":"p","days":"1"}'))
  expect(await refused.catch((thrown) => thrown)).toMatchObject({ kind: 'not-number', property: 'days' })
})

describe('a thread that fails', () => {
  test.each([
    ['throws', 'self.onmessage = () => { throw new Error("broken") }'],
    ['ends', 'self.onmessage = ({ data }) => { if (data.kind === "parse") process.exit(1) }'],
    ['does not start', 'import "./nowhere.ts"'],
  ])(
    '%s: the body is unavailable, the failure told, and the next body has a new thread',
    async (_, script) => {
      const { thread, failures, started } = open({ scripts: [script] })
      expect(await outcomeOf(thread.parse('applyChatBan', ban()))).toBe('unavailable')
      expect(failures).toHaveLength(1)
      expect(await outcomeOf(thread.parse('applyChatBan', ban()))).toBe('parsed')
      expect(started()).toBe(2)
    },
  )

  test('hangs: every body that waits is unavailable, and the failure told once', async () => {
    const { thread, failures, started } = open({
      scripts: ['self.onmessage = () => undefined'],
      timeoutMs: 50,
    })
    const waiting = [1, 2, 3].map(() => outcomeOf(thread.parse('applyChatBan', ban())))
    expect(await Promise.all(waiting)).toEqual(Array(3).fill('unavailable'))
    expect(failures).toEqual(['The thread that parses request bodies does not answer.'])
    expect(started()).toBe(1)
  })
})

test('a closed one gives up what it works on and refuses what comes, without a failure', async () => {
  const { thread, failures } = open({ scripts: ['self.onmessage = () => undefined'] })
  const waiting = outcomeOf(thread.parse('applyChatBan', ban()))
  thread.close()
  expect(await waiting).toBe('unavailable')
  expect(() => thread.parse('applyChatBan', ban())).toThrow('unavailable')
  expect(failures).toEqual([])
})
