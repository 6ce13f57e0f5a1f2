import { expect, test } from 'bun:test'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { readMessageTexts, temporaryFolder, until } from './support.ts'

/** What a crash may lose, as docs/operating.md says. */
const MAY_LOSE_MS = 1000
const TIMEOUT_MS = 60_000
const ENV = { PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_FLOOD_LIMIT: 'off' }

async function seat(server: ServerProcess): Promise<TestPlayer> {
  await server.call('PUT', '/open_channels', { body: { channel_group: 'g', channel_name: 'a' } })
  const mina = await TestPlayer.connect(server.url, 'mina')
  await mina.join('g', 'a')
  return mina
}

test(
  'writes messages to disk within seconds, and kill -9 loses at most the latest ones',
  async () => {
    using folder = temporaryFolder()
    const server = await spawnServer(folder.path, ENV)
    using mina = await seat(server)
    const said: string[] = []
    const speak = async () => {
      const text = `m${said.length}`
      await mina.say('g', text)
      said.push(text)
    }
    for (let spoken = 0; spoken < 50; spoken++) await speak()
    const startedAt = performance.now()
    await until(
      async () => readMessageTexts(folder.path),
      (texts) => texts.length >= 50,
    )
    expect(performance.now() - startedAt).toBeLessThan(10 * MAY_LOSE_MS)
    // Only a suffix of these may be lost.
    for (let spoken = 0; spoken < 50; spoken++) await speak()
    await server.kill('SIGKILL')
    const kept = readMessageTexts(folder.path)
    expect(kept.length).toBeGreaterThanOrEqual(50)
    expect(kept).toEqual(said.slice(0, kept.length))
  },
  TIMEOUT_MS,
)

test(
  'writes all messages on stop',
  async () => {
    using folder = temporaryFolder()
    const server = await spawnServer(folder.path, ENV)
    using mina = await seat(server)
    const texts = Array.from({ length: 50 }, (_, index) => `m${index}`)
    for (const text of texts) await mina.say('g', text)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(readMessageTexts(folder.path)).toEqual(texts)
  },
  TIMEOUT_MS,
)
