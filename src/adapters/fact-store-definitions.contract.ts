import { describe, expect, test } from 'bun:test'
import { ban, channel, DAY, edit, keyed, QUOTA, readState } from '../../test/support/facts.ts'
import { NOW } from '../../test/support/message.ts'
import { type CreateHarness, useStore } from '../../test/support/store.ts'
import { SYSTEM_CALL } from '../core/context.ts'
import { packExpressions } from '../core/expressions.ts'
import type { ChannelSettings } from '../core/model.ts'
import type { FactStore } from '../core/ports/fact-store.ts'

/** Tests the part of the `FactStore` contract that concerns channels, bans and filter lists. */
export function testDefinitions(createHarness: CreateHarness<FactStore>): void {
  describe('channels, bans and lists', () => {
    let store: FactStore
    const reopen = useStore(createHarness, (opened: FactStore) => {
      store = opened
    })

    describe('channels', () => {
      test('an inserted channel appears in the snapshot and in a change', async () => {
        const { value, version, changes } = await store.insertChannel(channel('a'), QUOTA, SYSTEM_CALL)
        expect(value).toMatchObject({ outcome: 'inserted', channel: channel('a') })
        expect(changes).toMatchObject([{ kind: 'channel-set', channel: channel('a'), version: 1 }])
        expect(version).toBe(1)
        expect(await readState(store, NOW)).toMatchObject({ version: 1, channels: [channel('a')] })
      })

      test('inserting an existing channel returns it and changes nothing', async () => {
        await store.insertChannel(channel('a'), QUOTA, SYSTEM_CALL)
        const { value, version, changes } = await store.insertChannel(
          channel('a', { maxMembers: 9 }),
          QUOTA,
          SYSTEM_CALL,
        )
        expect(value).toMatchObject({ outcome: 'taken', channel: channel('a') })
        expect({ version, changes }).toEqual({ version: 1, changes: [] })
      })

      test('a new fallback channel takes the flag from the previous one atomically', async () => {
        await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL)
        await store.insertChannel(channel('x', { group: 'other', isFallback: true }), QUOTA, SYSTEM_CALL)
        const { changes } = await store.insertChannel(channel('b', { isFallback: true }), QUOTA, SYSTEM_CALL)
        expect(changes.map(({ version }) => version)).toEqual([3, 4])
        const { channels } = await readState(store, NOW)
        const fallbacks = channels
          .filter(({ isFallback }) => isFallback)
          .map(({ group, name }) => `${group}/${name}`)
        expect(fallbacks.sort()).toEqual(['global/b', 'other/x'])
      })

      test('quotas of channels and groups hold under concurrent calls', async () => {
        const many = await Promise.all(
          ['a', 'b', 'c', 'd', 'e', 'f'].map((n) => store.insertChannel(channel(n), QUOTA, SYSTEM_CALL)),
        )
        expect(many.filter(({ value }) => value.outcome === 'inserted')).toHaveLength(QUOTA.channels)
        for (const { name } of (await readState(store, NOW)).channels) await remove(name)
        const groups = ['g1', 'g2', 'g3', 'g4'].map((group) =>
          store.insertChannel(channel('a', { group }), QUOTA, SYSTEM_CALL),
        )
        const outcomes = (await Promise.all(groups)).map(({ value }) => value.outcome)
        expect(outcomes.filter((outcome) => outcome === 'limit')).toHaveLength(1)
      })

      const remove = (name: string, protectFallback = false) =>
        store.deleteChannel({ key: { group: 'global', name }, numbers: [1, 2], protectFallback }, SYSTEM_CALL)

      const update = (name: string, settings: Partial<ChannelSettings>, protectFallback = false) =>
        store.updateChannel({ key: { group: 'global', name }, settings, protectFallback }, SYSTEM_CALL)

      test('an update cannot clear the flag of a protected fallback, but another channel can take it', async () => {
        await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL)
        await store.insertChannel(channel('b'), QUOTA, SYSTEM_CALL)
        const refused = await update('a', { isFallback: false, maxMembers: 7 }, true)
        expect([refused.value, refused.changes]).toEqual(['protected', []])
        expect((await update('b', { isFallback: false }, true)).value).toMatchObject(channel('b'))
        expect((await update('b', { isFallback: true }, true)).value).toMatchObject({ isFallback: true })
        expect((await update('a', { isFallback: false }, true)).value).toMatchObject(channel('a'))
      })

      test('an update changes only the given settings and moves the fallback flag', async () => {
        await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL)
        await store.insertChannel(channel('b'), QUOTA, SYSTEM_CALL)
        const { value } = await update('b', { isFallback: true, maxMembers: 7 })
        expect(value).toMatchObject(channel('b', { isFallback: true, maxMembers: 7 }))
        const { channels } = await readState(store, NOW)
        expect(channels.find(({ name }) => name === 'a')?.isFallback).toBe(false)
      })

      test('updating an unknown channel changes nothing', async () => {
        const { value, changes } = await update('none', { maxMembers: 7 })
        expect(value).toBeUndefined()
        expect(changes).toEqual([])
      })

      test('a deletion returns the numbers; unknown and protected channels are not deleted', async () => {
        await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL)
        expect((await remove('none')).value).toEqual({ outcome: 'unknown' })
        expect((await remove('a', true)).value).toEqual({ outcome: 'protected' })
        const { value, changes } = await remove('a')
        expect(value).toMatchObject({ outcome: 'deleted', numbers: [1, 2] })
        expect(changes).toEqual([
          { kind: 'channel-deleted', key: { group: 'global', name: 'a' }, version: 2 },
        ])
        expect((await readState(store, NOW)).channels).toEqual([])
      })
    })

    describe('incarnations', () => {
      const key = { group: 'global', name: 'a' }
      const create = async (name = 'a') =>
        (await store.insertChannel(channel(name), QUOTA, SYSTEM_CALL)).value
      const incarnationOf = (insertion: Awaited<ReturnType<typeof create>>) =>
        insertion.outcome === 'limit' ? undefined : insertion.channel.incarnation

      test('differ for every created channel, even across a restart', async () => {
        const first = incarnationOf(await create())
        const other = incarnationOf(await create('b'))
        await store.deleteChannel({ key, numbers: [1], protectFallback: false }, SYSTEM_CALL)
        await reopen()
        const again = incarnationOf(await create())
        expect(new Set([first, other, again]).size).toBe(3)
      })

      test('stay the same when an existing channel is inserted again or updated', async () => {
        const first = incarnationOf(await create())
        expect(incarnationOf(await create())).toBe(first)
        const { value } = await store.updateChannel(
          {
            key,
            settings: { maxMembers: 3 },
            protectFallback: false,
          },
          SYSTEM_CALL,
        )
        expect(value).toMatchObject({ incarnation: first })
        await reopen()
        expect((await readState(store, NOW)).channels[0]?.incarnation).toBe(first)
      })

      test('are returned by a repeated deletion as by the first', async () => {
        const first = incarnationOf(await create())
        const remove = () =>
          store.deleteChannel({ key, numbers: [1], protectFallback: false }, keyed('deletion'))
        expect((await remove()).value).toMatchObject({ outcome: 'deleted', incarnation: first })
        await create()
        expect((await remove()).value).toMatchObject({ outcome: 'deleted', incarnation: first })
      })
    })

    describe('bans', () => {
      test('each ban of a player increases the count, even after earlier ones were lifted or expired', async () => {
        expect((await store.putBan(ban('p'), SYSTEM_CALL)).value.count).toBe(1)
        expect((await store.putBan(ban('p'), SYSTEM_CALL)).value.count).toBe(2)
        await store.liftBan('p', NOW, SYSTEM_CALL)
        expect((await store.putBan(ban('p', 1, NOW + 5 * DAY), SYSTEM_CALL)).value.count).toBe(3)
        expect((await store.putBan(ban('other'), SYSTEM_CALL)).value.count).toBe(1)
      })

      test('the snapshot contains unexpired bans in the order they were applied', async () => {
        await store.putBan(ban('a', 2), SYSTEM_CALL)
        await store.putBan(ban('b', 3), SYSTEM_CALL)
        await store.putBan(ban('short', 1), SYSTEM_CALL)
        await store.putBan(ban('a', 4), SYSTEM_CALL)
        const { bans } = await readState(store, NOW + DAY)
        expect(bans.map(({ playerId, count, endsAt }) => [playerId, count, endsAt])).toEqual([
          ['b', 1, NOW + 3 * DAY],
          ['a', 2, NOW + 4 * DAY],
        ])
      })

      test('with the same end are all listed, in the order of application', async () => {
        for (const id of ['a', 'b', 'c']) await store.putBan(ban(id), SYSTEM_CALL)
        const { bans } = await readState(store, NOW)
        expect(bans.map(({ playerId }) => playerId)).toEqual(['a', 'b', 'c'])
      })

      test('lifting ends an active ban and returns whether there was one', async () => {
        await store.putBan(ban('p'), SYSTEM_CALL)
        const lifted = await store.liftBan('p', NOW, SYSTEM_CALL)
        expect(lifted.value).toBe(true)
        expect(lifted.changes).toEqual([{ kind: 'ban-lifted', playerId: 'p', version: 2 }])
        expect(await store.liftBan('p', NOW, SYSTEM_CALL)).toEqual({
          value: false,
          version: 2,
          changes: [],
          repeated: false,
        })
        expect((await store.liftBan('nobody', NOW, SYSTEM_CALL)).value).toBe(false)
        expect((await readState(store, NOW)).bans).toEqual([])
      })

      test('lifting a ban that has expired changes nothing', async () => {
        const { value } = await store.putBan(ban('p'), SYSTEM_CALL)
        expect(await store.liftBan('p', value.endsAt, SYSTEM_CALL)).toMatchObject({
          value: false,
          changes: [],
        })
      })

      test('concurrent bans are all counted', async () => {
        const counts = await Promise.all(
          Array.from({ length: 50 }, () => store.putBan(ban('p'), SYSTEM_CALL)),
        )
        expect(counts.map(({ value }) => value.count).sort((a, b) => a - b)).toEqual(
          Array.from({ length: 50 }, (_, i) => i + 1),
        )
      })
    })

    describe('filter lists', () => {
      test('a list is read back exactly, with the spelling of its language last written', async () => {
        await store.replaceFilterList(edit('ko_KR', ['욕', '  욕2 ', '*x']), SYSTEM_CALL)
        await store.replaceFilterList(edit('ko-kr', ['한', '글', '한']), SYSTEM_CALL)
        const { filterLists, filterVersions } = await readState(store, NOW)
        expect(filterLists).toEqual([
          { kind: 'forbidden', language: 'ko-kr', expressions: packExpressions(['한', '글', '한']) },
        ])
        expect(filterVersions).toEqual({ forbidden: 2, allowed: 0 })
      })

      test('an empty list is stored', async () => {
        await store.replaceFilterList(edit('en', []), SYSTEM_CALL)
        expect((await readState(store, NOW)).filterLists).toEqual([
          { kind: 'forbidden', language: 'en', expressions: packExpressions([]) },
        ])
      })

      test('each kind has separate lists, versions and quotas', async () => {
        await store.replaceFilterList(edit('en', ['1', '2', '3', '4', '5', '6']), SYSTEM_CALL)
        const allowed = edit('en', ['7', '8', '9', '10', '11', '12'], [0], 'allowed')
        const { value, changes } = await store.replaceFilterList(allowed, SYSTEM_CALL)
        expect(value).toBe('replaced')
        expect(changes).toEqual([{ kind: 'filter-list-set', list: allowed.list, version: 2 }])
        expect((await store.replaceFilterList(edit('en', ['1'], [2]), SYSTEM_CALL)).value).toBe('stale')
        const { filterLists, filterVersions } = await readState(store, NOW)
        expect(filterLists.find(({ kind }) => kind === 'forbidden')?.expressions.count).toBe(6)
        expect(filterLists.find(({ kind }) => kind === 'allowed')).toEqual(allowed.list)
        expect(filterVersions).toEqual({ forbidden: 1, allowed: 2 })
      })

      test('of several edits based on the same version only the first succeeds', async () => {
        await store.replaceFilterList(edit('en', ['a']), SYSTEM_CALL)
        const edits = ['b', 'c', 'd'].map((word) =>
          store.replaceFilterList(edit('en', [word], [1]), SYSTEM_CALL),
        )
        expect((await Promise.all(edits)).map(({ value }) => value)).toEqual(['replaced', 'stale', 'stale'])
      })

      test('quotas limit languages and the total of expressions', async () => {
        await store.replaceFilterList(edit('en', ['1', '2', '3', '4', '5', '6']), SYSTEM_CALL)
        expect(
          (await store.replaceFilterList(edit('ko', ['1', '2', '3', '4', '5']), SYSTEM_CALL)).value,
        ).toBe('limit')
        expect((await store.replaceFilterList(edit('ko', ['1', '2', '3', '4']), SYSTEM_CALL)).value).toBe(
          'replaced',
        )
        expect((await store.replaceFilterList(edit('ja', ['1']), SYSTEM_CALL)).value).toBe('limit')
        expect(
          (await store.replaceFilterList(edit('en', ['1', '2', '3', '4', '5', '7']), SYSTEM_CALL)).value,
        ).toBe('replaced')
      })
    })
  })
}
