import { describe, expect, test } from 'bun:test'
import type { Frame } from '../support/player.ts'
import { shareServer } from './support.ts'

const s = shareServer()
const TWO_SEATS = { max_count: 2 }

const remove = async (messageId: string) => {
  const { status, json } = await s.call('DELETE', `/messages/${messageId}`)
  expect(status).toBe(200)
  return json
}
const textsOf = ({ messages }: Frame) => messages.map(({ message }: Frame) => message)

/** A `resume` request for channel number 1. */
const resumeAt = (epoch: string, seq: number) => ({
  channel_group: s.group,
  channel_name: 'a',
  channel_id: 1,
  epoch,
  seq,
})

describe('a deleted message', () => {
  test('is retracted from every member of its channel number, and from nobody else', async () => {
    const [mina, joon, elsewhere] = await s.joinPlayers(['mina', 'joon', 'elsewhere'], TWO_SEATS)
    const { message_id } = await mina.say(s.group, 'hello')
    expect(await remove(message_id)).toMatchObject({ message_id, channel_id: 1, message: 'hello' })
    for (const member of [mina, joon]) {
      expect(await member.push('message_deleted')).toEqual({
        type: 'message_deleted',
        channel_group: s.group,
        channel_name: 'a',
        channel_id: 1,
        message_id,
      })
      const types = member.frames.map(({ type }) => type)
      expect(types.indexOf('message')).toBeLessThan(types.indexOf('message_deleted'))
    }
    await elsewhere.say(s.group, 'in number 2')
    await elsewhere.push('message')
    expect(elsewhere.frames.some(({ type }) => type === 'message_deleted')).toBe(false)
  })

  test('is not sent to players who join later; the sequence continues', async () => {
    const [mina] = await s.joinPlayers(['mina'], TWO_SEATS)
    for (const text of ['one', 'two', 'three']) await mina.say(s.group, text)
    const { message_id } = await mina.until(({ message }) => message === 'two')
    await remove(message_id)
    const joined = await (await s.connect('joon')).join(s.group, 'a')
    expect(textsOf(joined)).toEqual(['one', 'three'])
    expect(joined.seq).toBe(3)
    expect(await mina.say(s.group, 'four')).toMatchObject({ seq: 4 })
  })

  test('does not count as missed on resume, whether before or after the position of the client', async () => {
    const [mina] = await s.joinPlayers(['mina'], TWO_SEATS)
    const ids: string[] = []
    for (const text of ['one', 'two', 'three', 'four']) ids.push((await mina.say(s.group, text)).message_id)
    const { epoch } = await mina.push('joined')
    await remove(ids[0]!)
    await remove(ids[2]!)
    for (const [known, expected] of [
      [0, ['two', 'four']],
      [1, ['two', 'four']],
      [2, ['four']],
      [3, ['four']],
      [4, []],
    ] as const) {
      const joon = await s.connect('joon')
      const reply = await joon.ask('resume', resumeAt(epoch, known))
      expect([known, reply.recovered, reply.seq, textsOf(reply)]).toEqual([known, true, 4, [...expected]])
      await joon.ask('leave', { channel_group: s.group })
    }
    await remove(ids[3]!)
    const joon = await s.connect('joon')
    expect(await joon.ask('resume', resumeAt(epoch, 2))).toMatchObject({
      recovered: true,
      seq: 4,
      messages: [],
    })
  })

  test('is reported to a player who resumes, but not to one who joins', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'], TWO_SEATS)
    const { message_id } = await mina.say(s.group, 'on the screen of joon')
    await joon.push('message')
    const { epoch } = await joon.push('joined')
    joon.close()
    await mina.push('player_left')
    await remove(message_id)
    // Nothing is queued for the channel any more that the next member could receive.
    await mina.push('message_deleted')
    const again = await s.connect('joon')
    await again.ask('resume', resumeAt(epoch, 1))
    expect(await again.push('message_deleted')).toMatchObject({ channel_id: 1, message_id })
    await again.ask('leave', { channel_group: s.group })
    const newcomer = await s.connect('newcomer')
    await newcomer.join(s.group, 'a')
    await mina.say(s.group, 'after')
    await newcomer.hear('after')
    expect(newcomer.frames.some(({ type }) => type === 'message_deleted')).toBe(false)
  })

  test('does not hide a gap when messages are no longer available', async () => {
    const [mina] = await s.joinPlayers(['mina'], TWO_SEATS)
    const { epoch } = await mina.push('joined')
    const ids: string[] = []
    for (let i = 1; i <= 55; i++) ids.push((await mina.say(s.group, `m${i}`)).message_id)
    await remove(ids[20]!)
    const joon = await s.connect('joon')
    expect(await joon.ask('resume', resumeAt(epoch, 4))).toMatchObject({ recovered: false, seq: 55 })
    await joon.ask('leave', { channel_group: s.group })
    const reply = await joon.ask('resume', resumeAt(epoch, 5))
    expect([reply.recovered, reply.messages.length]).toEqual([true, 49])
  })

  test('may be a system message, a masked message, or one of a deleted channel', async () => {
    const [mina] = await s.joinPlayers(['mina'], TWO_SEATS)
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: ['rude'] } })
    const masked = await mina.say(s.group, 'a rude word')
    expect(await remove(masked.message_id)).toMatchObject({
      gamer_id: `${s.group}-mina`,
      message: 'a **** word',
      original: 'a rude word',
    })
    const key = { channel_group: s.group, channel_name: 'a' }
    await s.call('POST', '/system_message', { body: { channel_type: 1, ...key, message: 'hello' } })
    const announced = await mina.until(({ system }) => system === true)
    expect(await remove(announced.message_id)).toMatchObject({ gamer_id: '', message: 'hello' })
    await mina.until(
      ({ type, message_id }) => type === 'message_deleted' && message_id === announced.message_id,
    )
    const last = await mina.say(s.group, 'bye')
    await s.call('DELETE', '/open_channels', { body: key })
    expect(await remove(last.message_id)).toMatchObject({ ...key, deleted: true })
  })

  test('can still be reported, with its text', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'], TWO_SEATS)
    const { message_id } = await mina.say(s.group, 'seen by joon')
    await remove(message_id)
    expect(await joon.ask('report', { message_id, keyword: 'SPAM' })).toMatchObject({ type: 'reported' })
    expect((await s.call('GET', '/report_list?limit=1')).json).toMatchObject([{ message: 'seen by joon' }])
  })
})
