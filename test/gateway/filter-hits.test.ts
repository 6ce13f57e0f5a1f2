import { describe, expect, test } from 'bun:test'
import { makeChannel } from '../api/helpers.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'

/** Joins a player with language ko-KR to a channel; `rude` and `욕설` are forbidden. */
async function joinWithFilter(env: Record<string, string> = {}) {
  const s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET, ...env })
  await makeChannel(s.call, 'main', 'lobby')
  await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: ['rude'] } })
  await s.call('PUT', '/bad_word_list', { body: { language: 'ko', filters: ['욕설'] } })
  const player = await TestPlayer.connect(s.url, 'mina', { lang: 'ko-KR' })
  await player.join('main', 'lobby')
  return {
    ...s,
    player,
    [Symbol.asyncDispose]: async () => {
      player[Symbol.dispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}

const HITS = [
  { start: 0, end: 4, expression: 'rude', language: 'all', rule: 'word' },
  { start: 5, end: 7, expression: '욕설', language: 'ko', rule: 'word' },
]

describe('filter hits', () => {
  test('are stored in the log, with the language that selected the lists', async () => {
    await using s = await joinWithFilter()
    const { message_id } = await s.player.say('main', '  rude 욕설 ')
    await s.server.app.messages.flush()
    expect(await s.server.app.messages.find(message_id)).toMatchObject({
      original: 'rude 욕설',
      language: 'ko-KR',
      hits: HITS,
    })
  })

  test('are not sent to players by default, and never to other players', async () => {
    await using s = await joinWithFilter()
    expect(await s.player.say('main', 'rude 욕설')).not.toHaveProperty('hits')
    expect(await s.player.push('message')).not.toHaveProperty('hits')
  })

  test('are sent to the sender with PARLEY_TELL_FILTER_HITS=on', async () => {
    await using s = await joinWithFilter({ PARLEY_TELL_FILTER_HITS: 'on' })
    expect(await s.player.say('main', '  rude 욕설 ')).toMatchObject({
      type: 'said',
      filtered: true,
      hits: HITS,
    })
    expect(await s.player.say('main', 'fine')).toMatchObject({ filtered: false, hits: [] })
    expect(await s.player.push('message')).not.toHaveProperty('hits')
  })

  test('come with the error in mode `block`, if the server reports them', async () => {
    const error = { type: 'error', code: 'MESSAGE_FILTERED' }
    await using reporting = await joinWithFilter({
      PARLEY_FILTER_MODE: 'block',
      PARLEY_TELL_FILTER_HITS: 'on',
    })
    expect(await reporting.player.say('main', 'rude 욕설')).toMatchObject({ ...error, hits: HITS })
    await using silent = await joinWithFilter({ PARLEY_FILTER_MODE: 'block' })
    const reply = await silent.player.say('main', 'rude 욕설')
    expect(reply).toMatchObject(error)
    expect(reply).not.toHaveProperty('hits')
  })
})
