import { expect, test } from 'bun:test'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'

/** More than the filter caches. */
const LANGUAGES = Array.from(
  { length: 40 },
  (_, index) => `q${String.fromCharCode(97 + (index % 26))}${'xy'[Math.floor(index / 26)]}`,
)

test('masks each message by the lists of its sender’s language, with 40 languages in use', async () => {
  await using s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_FLOOD_LIMIT: 'off' })
  const put = async (path: string, body: object) =>
    expect((await s.call('PUT', path, { body })).status).toBe(200)
  await put('/open_channels', { channel_group: 'g', channel_name: 'a' })
  await put('/bad_word_list', { language: 'all', filters: ['everywhere'] })
  for (const language of LANGUAGES) await put('/bad_word_list', { language, filters: [`bad${language}`] })
  const players = await Promise.all(LANGUAGES.map((lang) => TestPlayer.connect(s.url, lang, { lang })))
  for (const each of players) await each.join('g', 'a')
  const expected: string[] = []
  for (let round = 0; round < 3; round++) {
    for (const [index, player] of players.entries()) {
      const [own, other] = [LANGUAGES[index], LANGUAGES[(index + 7) % LANGUAGES.length]]
      await player.say('g', `bad${own} bad${other} everywhere`)
      expected.push(`****** bad${other} **********`)
    }
  }
  await players[0]!.say('g', 'the end')
  for (const each of players) {
    await each.hear('the end')
    expect(each.heard).toEqual([...expected, 'the end'])
    each[Symbol.dispose]()
  }
}, 60_000)
