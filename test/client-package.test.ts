import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PLAYER_SECRET, signToken, TestPlayer } from './support/player.ts'
import { ROOT, runCommand } from './support/process.ts'
import { makeFolder, startTestServer, type TestServer } from './support/server.ts'

const NODE = Bun.which('node')
const TIMEOUT_MS = 120_000

let folder: string
let tarball: string
beforeAll(async () => {
  folder = makeFolder()
  await runCommand(['npm', 'pack', path.join(ROOT, 'client'), '--pack-destination', folder], folder)
  tarball = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}, TIMEOUT_MS)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A game project with the SDK installed as its README describes, offline. */
async function createConsumer(name: string, source: string, ...others: string[]): Promise<string> {
  const consumer = path.join(folder, name)
  mkdirSync(consumer)
  writeFileSync(path.join(consumer, 'package.json'), '{"private": true, "type": "module"}')
  const packages = ['ws', ...others].map((each) => path.join(ROOT, 'node_modules', each))
  await runCommand(['npm', 'install', '--offline', source, ...packages], consumer)
  return consumer
}

/** Runs the example bot until it has replied to "!ping" from another player. */
async function pingBot(runtime: string, consumer: string, s: TestServer): Promise<void> {
  cpSync(path.join(ROOT, 'client/examples/bot.mjs'), path.join(consumer, 'bot.mjs'))
  using joon = await TestPlayer.connect(s.url, 'joon', { name: 'Joon' })
  await joon.join('global')
  const bot = Bun.spawn([runtime, 'bot.mjs', 'global'], {
    cwd: consumer,
    env: {
      PATH: process.env['PATH'] ?? '',
      CHAT_GATEWAY: new URL('/gateway/v1', s.url.replace('http', 'ws')).href,
      CHAT_PLAYER_TOKEN: await signToken('bot', { name: 'Bot' }),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const problem = bot.stderr.text()
  const isIn = joon.until(({ type, gamer_id }) => type === 'player_joined' && gamer_id === 'bot')
  await Promise.race([isIn, bot.exited.then(async () => Promise.reject(new Error(await problem)))])
  await joon.say('global', '!ping')
  await joon.until(({ message }) => message === 'pong, Joon')
  bot.kill('SIGINT')
  expect(await bot.exited).toBe(0)
  expect(await bot.stdout.text()).toContain('<Joon> !ping')
}

describe.skipIf(NODE === null)('the installed SDK', () => {
  test.each([
    ['tarball', () => tarball],
    ['folder', () => path.join(ROOT, 'client')],
  ])(
    'runs the example from a %s on Node and on Bun',
    async (name, source) => {
      const consumer = await createConsumer(name, source())
      await using s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET })
      const body = { channel_group: 'global', channel_name: 'plaza', is_default: true }
      await s.call('PUT', '/open_channels', { body })
      await pingBot(NODE ?? '', consumer, s)
      await pingBot(process.execPath, consumer, s)
    },
    TIMEOUT_MS,
  )

  test(
    'has types for Node and bundler module resolution',
    async () => {
      const consumer = await createConsumer('types', tarball, '@types/ws')
      writeFileSync(
        path.join(consumer, 'game.ts'),
        `import { type Message, ParleyClient, ParleyError } from 'parley-client'
        import { WebSocket } from 'ws'
        const client = new ParleyClient({ url: 'ws://x/gateway/v1', token: async () => 'token', WebSocket })
        client.on('message', ({ gamerName, message, time }: Message) => \`\${gamerName} \${message} \${time.getTime()}\`)
        const channel = await client.join({ channelGroup: 'global' })
        export const id: number = channel.channelId
        export const isBan = (error: unknown) => error instanceof ParleyError && error.code === 'CHAT_BAN'
        `,
      )
      writeFileSync(
        path.join(consumer, 'mistake.ts'),
        `import type { ParleyClient } from 'parley-client'
        export const speak = (client: ParleyClient) => client.say('global', 1)
        `,
      )
      const tsc = path.join(ROOT, 'node_modules/.bin/tsc')
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
      for (const module of [
        ['--module', 'nodenext'],
        ['--module', 'preserve', '--moduleResolution', 'bundler'],
      ]) {
        const check = (file: string) => runCommand([tsc, ...options, ...module, file], consumer)
        await check('game.ts')
        await expect(check('mistake.ts')).rejects.toThrow(
          "Argument of type 'number' is not assignable to parameter of type 'string'",
        )
      }
    },
    TIMEOUT_MS,
  )

  test('reports what to do when WebSocket is not available', async () => {
    const consumer = await createConsumer('no-websocket', tarball)
    const script = `globalThis.WebSocket = undefined
      const { ParleyClient } = await import('parley-client')
      try { new ParleyClient({ url: 'ws://x', token: 'x' }) } catch ({ name, message }) { console.log(name, message) }`
    const output = await runCommand([NODE ?? '', '--input-type=module', '-e', script], consumer)
    expect(output).toBe('TypeError WebSocket is not available. Pass one as the `WebSocket` option.\n')
  })

  test('is readable and has source maps to sources in the package', async () => {
    const installed = path.join(folder, 'no-websocket/node_modules/parley-client')
    const dist = path.join(installed, 'dist')
    const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'))
    expect(scripts).toContain('index.js')
    for (const script of scripts) {
      const text = readFileSync(path.join(dist, script), 'utf8')
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(200)
      expect(text).toContain(`sourceMappingURL=${script}.map`)
      const { sources } = JSON.parse(readFileSync(path.join(dist, `${script}.map`), 'utf8'))
      for (const source of sources)
        expect([source, existsSync(path.join(dist, source))]).toEqual([source, true])
    }
    const { dependencies, scripts: lifecycle } = JSON.parse(
      readFileSync(path.join(installed, 'package.json'), 'utf8'),
    )
    expect([dependencies, lifecycle.install, lifecycle.postinstall]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
