import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { type Frame, PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { CONTEXT, type EarlierVersion, EPOCH, messageId, writeEarlierFolder } from './earlier-folder.ts'
import { databasePath, expectOk, temporaryFolder, until } from './support.ts'

const TIMEOUT_MS = 60_000
const EARLIER: readonly EarlierVersion[] = [
  { facts: 'facts-3', messages: 'messages-3' },
  { facts: 'facts-8', messages: 'messages-5' },
]

const start = (folder: string) => spawnServer(folder, { PARLEY_PLAYER_SECRET: PLAYER_SECRET })
const get = async ({ call }: ServerProcess, path: string) => expectOk(await call('GET', path)).json

async function expectFacts(server: ServerProcess): Promise<void> {
  expect(await get(server, '/open_channel_groups')).toEqual(['global', 'raid'])
  expect(await get(server, '/open_channels?channel_group=global')).toMatchObject([
    { channel_name: 'lobby', max_count: 50, is_default: true, is_autoscaling: true },
    { channel_name: 'trade', max_count: 20, is_default: false, is_autoscaling: false },
  ])
  expect(await get(server, '/block_user_list')).toMatchObject([
    { gamer_id: 'b2', count: 2 },
    { gamer_id: 'b1', count: 1 },
  ])
  expect(await get(server, '/bad_word_list')).toEqual([{ language: 'en', filters: ['darn', 'two words'] }])
  expect(await get(server, '/allow_list')).toEqual([{ language: 'en', filters: ['darning'] }])
  expect(await get(server, '/report_list')).toMatchObject([
    { report_id: 2, message: 'gate 2', to_gamer_id: 'p2', from_gamer_id: 'p1' },
    { report_id: 1, message: 'without a message id' },
  ])
}

/** The texts of all logged messages of players, newest first. */
async function loggedTexts(server: ServerProcess): Promise<string[]> {
  const body = { language: 'en', filters: ['gate'], days: 30 }
  expectOk(await server.call('POST', '/filter_backtest', { body }))
  const { newly_caught } = await until(
    () => get(server, '/filter_backtest'),
    ({ state }) => state !== 'running',
  )
  return newly_caught.samples.map(({ text }: Frame) => text)
}

test.each(EARLIER)(
  'a server starts on a folder with the schemas $facts and $messages, and has everything in it',
  async (version) => {
    using folder = temporaryFolder()
    writeEarlierFolder(folder.path, version)
    const before = ['gate 5', 'gate 4', 'gate 3', 'gate 2', 'gate 1']
    {
      await using server = await start(folder.path)
      await expectFacts(server)
      expect(await loggedTexts(server)).toEqual(before)
      const deleted = expectOk(await server.call('DELETE', `/messages/${messageId(3)}`)).json
      expect(deleted).toMatchObject({ message_id: messageId(3), original: 'gate 3', deleted: true })
      const headers = { 'Idempotency-Key': 'ban-b1' }
      expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'b1', days: 3 }, headers }))
      expect(await server.kill('SIGTERM')).toBe(0)
    }
    await using server = await start(folder.path)
    await expectFacts(server)
    using player = await TestPlayer.connect(server.url, 'p3', { lang: 'en' })
    await player.join('global', 'lobby')
    await player.say('global', 'gate 6')
    expect(await loggedTexts(server)).toEqual(['gate 6', ...before])
    using db = new Database(databasePath(folder.path), { readonly: true })
    const { messages } = db.query<{ messages: string }, []>('SELECT messages FROM report_context').get() ?? {}
    expect(JSON.parse(messages ?? '')).toEqual(CONTEXT)
  },
  TIMEOUT_MS,
)

test(
  'players resume where the earlier version stopped',
  async () => {
    using folder = temporaryFolder()
    writeEarlierFolder(folder.path, { facts: 'facts-8', messages: 'messages-5' })
    await using server = await start(folder.path)
    using player = await TestPlayer.connect(server.url, 'p3')
    const { epoch, seq, messages } = await player.join('global', 'lobby')
    expect([epoch, seq]).toEqual([EPOCH, 5])
    expect(messages.map(({ message }: Frame) => message)).toEqual(['gate 1', 'gate 2', 'gate 3', 'gate 5'])
  },
  TIMEOUT_MS,
)
