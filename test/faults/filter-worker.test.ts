import { expect, test } from 'bun:test'
import { WorkerFilterCompiler } from '../../src/adapters/filter/compiler.ts'
import { startWorker } from '../../src/adapters/filter/filter-worker.ts'
import { ChatError } from '../../src/core/errors.ts'
import type { FilterCompiler } from '../../src/core/ports/filter-compiler.ts'
import { expectError, makeChannel } from '../api/helpers.ts'
import { compileInProcess } from '../support/filters.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { spawnServer } from '../support/process.ts'
import { startTestServer } from '../support/server.ts'
import { temporaryFolder } from './support.ts'

/** Compiles in process, unless `isBroken`. */
class FailingCompiler implements FilterCompiler {
  isBroken = false

  async compile(source: Parameters<FilterCompiler['compile']>[0]) {
    if (this.isBroken) throw new ChatError('unavailable')
    return compileInProcess(source)
  }

  async openTrial(): Promise<never> {
    throw new ChatError('unavailable')
  }

  async close(): Promise<void> {}
}

const UNAVAILABLE = 'The service is temporarily unavailable.'

test('keeps the previous filter when compilation fails, rejects the edit with 503, and recovers when it is retried', async () => {
  const compiler = new FailingCompiler()
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
  expectError(await edit('coarse'), 503100, UNAVAILABLE)
  expect((await s.call('GET', '/bad_word_list')).json).toEqual([{ language: 'en', filters: ['coarse'] }])
  expect(await player.say('main', 'rude and coarse')).toMatchObject({ message: '**** and coarse' })
  expect(await isReady()).toBe(false)
  expectError(await edit('coarse'), 503100, UNAVAILABLE)

  compiler.isBroken = false
  expect((await edit('coarse')).status).toBe(200)
  expect(await player.say('main', 'rude and coarse')).toMatchObject({ message: 'rude and ******' })
  expect(await isReady()).toBe(true)
})

test.each([
  ['hangs', 'self.onmessage = () => undefined'],
  ['dies', 'self.onmessage = ({ data }) => { if (data.kind === "compile") process.exit(1) }'],
])(
  'a filter worker that %s fails the edit with 503 and the readiness check, and the next edit succeeds',
  async (_, script) => {
    const failures: string[] = []
    const broken = () => new Worker(URL.createObjectURL(new Blob([script])))
    const options = {
      start: broken,
      timeoutMs: 100,
      onFailure: ({ message }: Error) => failures.push(message),
    }
    await using s = await startTestServer({}, { compiler: new WorkerFilterCompiler(options) })
    const edit = (word: string) =>
      s.call('PUT', '/bad_word_list', { body: { language: 'en', filters: [word] } })
    const readiness = async () => (await fetch(new URL('/readyz', s.url))).json()

    expect(await readiness()).toMatchObject({ status: 'ready' })
    expectError(await edit('rude'), 503100, UNAVAILABLE)
    expect(await readiness()).toMatchObject({
      status: 'not ready',
      checks: { filter: 'failing', store: 'ok' },
    })
    expect(failures.length).toBeGreaterThan(0)

    Object.assign(options, { start: startWorker, timeoutMs: 60_000 })
    expect((await edit('coarse')).status).toBe(200)
    expect(await readiness()).toMatchObject({ status: 'ready' })
    const { json } = await s.call('POST', '/filter_check', {
      body: { language: 'en', texts: ['rude coarse'] },
    })
    expect(json.results[0].filtered).toBe('rude ******')
  },
)

test('limits concurrent drafts and back-tests, without delaying chat', async () => {
  await using s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET })
  await makeChannel(s.call, 'main', 'lobby')
  using mina = await TestPlayer.connect(s.url, 'mina')
  using joon = await TestPlayer.connect(s.url, 'joon')
  await mina.join('main', 'lobby')
  await joon.join('main', 'lobby')
  const filters = Array.from({ length: 5000 }, (_, index) => `word${index} and more`)
  const draft = { language: 'en', filters }
  const trials = [
    s.call('POST', '/filter_backtest', { body: draft }),
    ...Array.from({ length: 8 }, () =>
      s.call('POST', '/filter_check', { body: { ...draft, texts: ['word4999 and more'] } }),
    ),
  ]
  await mina.say('main', 'still here')
  expect(await joon.push('message')).toMatchObject({ message: 'still here' })
  const responses = await Promise.all(trials)
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4)
  for (const rejected of responses.filter(({ status }) => status !== 200))
    expectError(rejected, 400205, 'The limit for this resource is reached.')
  const again = await s.call('POST', '/filter_check', { body: { ...draft, texts: ['word1 and more'] } })
  expect(again.json.results).toMatchObject([{ verdict: 'masked' }])
})

test('the lists are active from the first request after a crash', async () => {
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
