import { expect, test } from 'bun:test'
import { ChatError } from '../../src/core/errors.ts'
import type { FilterCompiler } from '../../src/core/text-filter.ts'
import { expectRefusal, makeChannel } from '../api/helpers.ts'
import { compileHere } from '../support/filters.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { spawnServer } from '../support/process.ts'
import { startTestServer } from '../support/server.ts'
import { temporaryFolder } from './support.ts'

/** Makes filters where it is called, unless it is broken. */
class FragileCompiler implements FilterCompiler {
  isBroken = false

  async compile(source: Parameters<FilterCompiler['compile']>[0]) {
    if (this.isBroken) throw new ChatError('unavailable')
    return compileHere(source)
  }

  async openTrial(): Promise<never> {
    throw new ChatError('unavailable')
  }

  async close(): Promise<void> {}
}

const UNAVAILABLE = 'The service is temporarily unavailable.'

test('when no filter can be made the old one stays, the edit answers 503, and the same edit again heals it', async () => {
  const compiler = new FragileCompiler()
  await using s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET }, { compiler })
  await makeChannel(s.call, 'main', 'lobby')
  using player = await TestPlayer.connect(s.url, 'mina', { lang: 'en' })
  await player.join('main', 'lobby')
  const edit = (word: string) =>
    s.call('PUT', '/bad_word_list', {
      body: { language: 'en', filters: [word] },
      headers: { 'Idempotency-Key': word },
    })
  const isReady = async () => (await fetch(new URL('/readyz', s.url))).status === 200

  await edit('rude')
  compiler.isBroken = true
  expectRefusal(await edit('coarse'), 503100, UNAVAILABLE)
  expect((await s.call('GET', '/bad_word_list')).json).toEqual([{ language: 'en', filters: ['coarse'] }])
  expect(await player.say('main', 'rude and coarse')).toMatchObject({ message: '**** and coarse' })
  expect(await isReady()).toBe(false)
  expectRefusal(await edit('coarse'), 503100, UNAVAILABLE)

  compiler.isBroken = false
  expect((await edit('coarse')).status).toBe(200)
  expect(await player.say('main', 'rude and coarse')).toMatchObject({ message: 'rude and ******' })
  expect(await isReady()).toBe(true)
})

test('after a crash the lists are in force from the first request on', async () => {
  using folder = temporaryFolder()
  const first = await spawnServer(folder.path)
  await first.call('PUT', '/bad_word_list', { body: { language: 'en', filters: ['rude', '*thorpe'] } })
  await first.call('PUT', '/allow_list', { body: { language: 'en', filters: ['Scunthorpe'] } })
  await first.kill('SIGKILL')
  await using second = await spawnServer(folder.path)
  const body = { language: 'en', texts: ['rude', 'Scunthorpe'] }
  const { json } = await second.call('POST', '/filter_check', { body })
  expect(json.results.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['masked', 'clean'])
})
