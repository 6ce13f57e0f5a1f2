import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { BrowserPage, CHROMIUM } from '../support/browser.ts'
import { PLAYER_SECRET, signToken, TestPlayer } from '../support/player.ts'
import { ROOT } from '../support/process.ts'
import { makeFolder, startTestServer } from '../support/server.ts'

const CLIENT = path.join(ROOT, 'client')

/** Builds the SDK and serves its folder over HTTP. */
async function serveClient() {
  const dist = makeFolder()
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc')
  const build = Bun.spawn([tsc, '-p', 'client/tsconfig.build.json', '--outDir', dist], { cwd: ROOT })
  expect(await build.exited).toBe(0)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/dist/:file': ({ params }) => new Response(Bun.file(path.join(dist, params.file))),
      '/examples/browser.html': () => new Response(Bun.file(`${CLIENT}/examples/browser.html`)),
    },
  })
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server.stop(true)
      rmSync(dist, { recursive: true, force: true })
    },
  }
}

const logHas = (text: string) =>
  `document.querySelector('#log').textContent.includes(${JSON.stringify(text)})`

const submit = (form: string, fields: Record<string, string>) => `{
  const form = document.querySelector(${JSON.stringify(form)})
  for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value
  form.requestSubmit()
}`

test.skipIf(CHROMIUM === undefined)(
  'the example page rejects a bad token, joins, chats, removes deleted messages and renders no markup',
  async () => {
    await using parley = await startTestServer({
      PARLEY_PLAYER_SECRET: PLAYER_SECRET,
      PARLEY_FLOOD_LIMIT: 'off',
    })
    await parley.call('PUT', '/open_channels', {
      body: { channel_group: 'global', channel_name: 'lobby', is_default: true },
    })
    using joon = await TestPlayer.connect(parley.url, 'joon', { name: 'Joon' })
    await joon.join('global')
    await joon.say('global', 'said before')
    await using client = await serveClient()
    await using page = await BrowserPage.open(
      CHROMIUM ?? '',
      new URL('/examples/browser.html', client.url).href,
    )

    const url = new URL('/gateway/v1', parley.url.replace('http', 'ws')).href
    const join = (token: string) => page.evaluate(submit('#enter', { url, token, group: 'global' }))
    await join('nonsense')
    await page.until(logHas('NOT_AUTHENTICATION'))
    await page.until(logHas('Closed (4101).'))
    await join(await signToken('mina', { name: 'Mina' }))
    await page.until(logHas('You are in lobby 1.'))
    await page.until(logHas('Joon: said before'))

    const { message_id } = await joon.say('global', '<b>hello</b>')
    await page.until(logHas('Joon: <b>hello</b>'))
    expect(await page.evaluate(`document.querySelector('#log b')`)).toBeNull()

    await page.evaluate(submit('#speak', { text: 'hello from a browser' }))
    expect(await joon.until(({ gamer_name }) => gamer_name === 'Mina')).toMatchObject({
      type: 'player_joined',
    })
    await joon.until(({ message }) => message === 'hello from a browser')
    await page.until(logHas('Mina: hello from a browser'))

    await parley.call('DELETE', `/messages/${message_id}`)
    await page.until(`!${logHas('<b>hello</b>')}`)
    await page.until(logHas('Joon: said before'))
  },
  60_000,
)
