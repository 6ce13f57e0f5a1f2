import { describe, expect, test } from 'bun:test'
import { makeChannel } from '../api/helpers.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'

/** A player of the language ko-KR in a channel, where `rude` and `욕` are forbidden. */
async function sit(env: Record<string, string> = {}) {
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
  { start: 0, end: 4, expression: 'rude', language: 'all' },
  { start: 5, end: 7, expression: '욕설', language: 'ko' },
]

describe('what the filter found in a message', () => {
  test('is kept in the log, with the language that chose the lists', async () => {
    await using s = await sit()
    const { message_id } = await s.player.say('main', '  rude 욕설 ')
    await s.server.app.messages.flush()
    expect(await s.server.app.messages.find(message_id)).toMatchObject({
      original: 'rude 욕설',
      language: 'ko-KR',
      hits: HITS,
    })
  })

  test('is not told to players by default, and never to the others', async () => {
    await using s = await sit()
    expect(await s.player.say('main', 'rude 욕설')).not.toHaveProperty('hits')
    expect(await s.player.push('message')).not.toHaveProperty('hits')
  })

  test('is told to the one who said it with PARLEY_TELL_FILTER_HITS=on', async () => {
    await using s = await sit({ PARLEY_TELL_FILTER_HITS: 'on' })
    expect(await s.player.say('main', '  rude 욕설 ')).toMatchObject({
      type: 'said',
      filtered: true,
      hits: HITS,
    })
    expect(await s.player.say('main', 'fine')).toMatchObject({ filtered: false, hits: [] })
    expect(await s.player.push('message')).not.toHaveProperty('hits')
  })

  test('is told with the refusal in mode `block`, where it is told at all', async () => {
    const refusal = { type: 'error', code: 'MESSAGE_FILTERED' }
    await using told = await sit({ PARLEY_FILTER_MODE: 'block', PARLEY_TELL_FILTER_HITS: 'on' })
    expect(await told.player.say('main', 'rude 욕설')).toMatchObject({ ...refusal, hits: HITS })
    await using untold = await sit({ PARLEY_FILTER_MODE: 'block' })
    const refused = await untold.player.say('main', 'rude 욕설')
    expect(refused).toMatchObject(refusal)
    expect(refused).not.toHaveProperty('hits')
  })
})
