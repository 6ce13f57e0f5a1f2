import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { ROOT } from '../support/process.ts'
import { startTestServer, TOKEN } from '../support/server.ts'
import { OPERATIONS } from './helpers.ts'

const CURL = Bun.which('curl')

/** The commands in docs/api.md with the responses shown for them, in order. */
function readExamples() {
  const text = readFileSync(path.join(ROOT, 'docs/api.md'), 'utf8')
  const blocks = /^### (.+)$|```(sh|json)\n([\s\S]*?)```/gm
  const examples: { title: string; command: string; response: unknown }[] = []
  let [title, command] = ['', '']
  for (const [, heading, language, content = ''] of text
    .slice(text.indexOf('## Operations'))
    .matchAll(blocks)) {
    if (heading !== undefined) title = heading
    else if (language === 'sh') command = content
    else examples.push({ title, command, response: JSON.parse(content) })
  }
  return examples
}

async function run(command: string, env: Record<string, string>): Promise<unknown> {
  const script = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${command}`
  const { PATH = '' } = process.env
  const child = Bun.spawn(['sh', '-euc', script], {
    env: { PATH, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, output, problem] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(`${command}\n${problem}${output}`)
  return JSON.parse(output)
}

/** Keys and types, and the format of times. Arrays are reduced to the shape of their first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
  return isTime ? value.replace(/\d/g, '9') : typeof value
}

test.skipIf(CURL === null)(
  'the examples in docs/api.md run in order on a new server and return what is shown',
  async () => {
    await using s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET })
    const examples = readExamples()
    expect(examples).toHaveLength(OPERATIONS.length)
    const env: Record<string, string> = { CHAT_URL: s.url.replace(/\/$/, ''), CHAT_TOKEN: TOKEN }
    const players: TestPlayer[] = []
    for (const { title, command, response } of examples) {
      const shape = shapeOf(await run(command, env))
      const expected = shapeOf(response)
      if (title === 'Back-test a list' || title === 'Show a back-test')
        expect(Object.keys(Object(shape))).toEqual(Object.keys(Object(expected)))
      else expect([title, shape]).toEqual([title, expected])
      if (title !== 'Create open channel') continue
      // The players in the examples: one sends a message, the other reports it.
      const mina = await TestPlayer.connect(s.url, '1234', { name: 'Mina' })
      const joon = await TestPlayer.connect(s.url, '5678', { name: 'Joon' })
      players.push(mina, joon)
      await mina.join('global')
      await joon.join('global')
      env['MESSAGE_ID'] = (await mina.say('global', 'me, darn it'))['message_id']
      const report = { message_id: env['MESSAGE_ID'], keyword: 'SPAM', reason: 'twice' }
      expect((await joon.ask('report', report)).type).toBe('reported')
    }
    for (const player of players) player[Symbol.dispose]()
  },
  60_000,
)
