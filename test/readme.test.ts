import { expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ROOT, spawnServer } from './support/process.ts'
import { makeFolder, TOKEN } from './support/server.ts'

const CURL = Bun.which('curl')

/** Shell commands of the README, each with the JSON output shown below it. */
const examples = [
  ...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n([^`]+)```\n\n```json\n([^`]+)```/g),
].map(([, command = '', output = '']) => ({ command, output }))

/** Runs a command as pasted, but against another port and without npm. */
async function run(command: string, url: string, folder: string): Promise<string> {
  const script = command
    .replaceAll('http://127.0.0.1:4140', url)
    .replaceAll('npx parley', 'bin/parley')
    .replaceAll('curl -X', 'curl --silent --show-error -X')
  const { PATH = '', HOME = '' } = process.env
  const { port } = new URL(url)
  const child = Bun.spawn(['sh', '-euc', script], {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      PARLEY_DATA_DIR: folder,
      PARLEY_PORT: port,
      CHAT_TOKEN: TOKEN,
      PARLEY_MASTER_TOKEN: TOKEN,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(`${script}\n${stderr}`)
  return stdout
}

const withoutTimes = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME').trim()

test.skipIf(CURL === null)(
  'the commands of the README print the output that it shows',
  async () => {
    await using cleanup = new AsyncDisposableStack()
    const folder = cleanup.adopt(makeFolder(), (each) => rmSync(each, { recursive: true, force: true }))
    await using server = await spawnServer(folder)
    expect(examples).toHaveLength(4)
    for (const { command, output } of examples) {
      const printed = await run(command, new URL(server.url).origin, folder)
      expect(withoutTimes(printed.trim().split('\n').at(-1) ?? '')).toBe(withoutTimes(output))
    }
  },
  60_000,
)
