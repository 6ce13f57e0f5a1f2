import { describe, expect, test } from 'bun:test'
import { messageFixture, NOW } from '../../test/support/message.ts'
import { type CreateHarness, useStore } from '../../test/support/store.ts'
import { type CallContext, type Idempotency, SYSTEM_CALL } from '../core/context.ts'
import { packExpressions } from '../core/expressions.ts'
import type { Ban, Channel, ChannelSettings, FilterListKind, NewReport } from '../core/model.ts'
import type { FactStore, NewChannel, ReportQuota, StoredFilterList } from '../core/ports/fact-store.ts'

const DAY = 86_400_000
const QUOTA = { groups: 3, channels: 4 }
const REPORT_QUOTA = { reports: 100, since: NOW - DAY }
const FILTER_QUOTA = { languages: 2, expressions: 10 }

const channel = (name: string, changes: Partial<NewChannel> = {}): NewChannel => ({
  group: 'global',
  name,
  maxMembers: 50,
  isFallback: false,
  isAutoscaling: true,
  createdAt: NOW,
  ...changes,
})

/** The context of a call with an idempotency key. */
const keyed = (key: string, changes: Partial<Idempotency> = {}): CallContext => ({
  ...SYSTEM_CALL,
  idempotency: { key, fingerprint: 'a', at: NOW, expiresAt: NOW + DAY, ...changes },
})

const ban = (playerId: string, days = 1, startsAt = NOW) => ({
  playerId,
  startsAt,
  endsAt: startsAt + days * DAY,
})

const report = (message: string, reporterId = '2'): NewReport => ({
  reported: { id: '1', name: 'Mina' },
  reporter: { id: reporterId, name: 'Joon' },
  message,
  messageId: `id of ${message}`,
  context: [],
  keyword: 'SPAM',
  reason: '',
  createdAt: NOW,
})

const edit = (
  language: string,
  expressions: string[],
  expectedVersions?: number[],
  kind: FilterListKind = 'forbidden',
) => ({
  list: { kind, language, expressions: packExpressions(expressions) },
  expectedVersions,
  quota: FILTER_QUOTA,
})

async function readPages<T>(read: (after: T | undefined) => Promise<readonly T[]>): Promise<T[]> {
  const items: T[] = []
  for (;;) {
    const page = await read(items.at(-1))
    items.push(...page)
    if (page.length === 0) return items
  }
}

/** Tests the contract of `FactStore`. */
export function testFactStore(name: string, createHarness: CreateHarness<FactStore>): void {
  describe(`${name} satisfies the FactStore contract`, () => {
    let store: FactStore
    const reopen = useStore(createHarness, (opened: FactStore) => {
      store = opened
    })
    /** Everything that nodes hold in memory, read in pages of one item. */
    const readState = async (at: number) => {
      const lists = await readPages<StoredFilterList>((last) =>
        store.listFilterLists({ after: last?.list, limit: 1 }),
      )
      const newest = (kind: FilterListKind) =>
        Math.max(0, ...lists.filter(({ list }) => list.kind === kind).map(({ version }) => version))
      return {
        version: await store.readVersion(),
        channels: await readPages<Channel>((after) => store.listChannels({ after, limit: 1 })),
        bans: await readPages<Ban>((after) => store.listActiveBans({ at, after, limit: 1 })),
        filterLists: lists.map(({ list }) => list),
        filterVersions: { forbidden: newest('forbidden'), allowed: newest('allowed') },
      }
    }
    const fileReport = async (filed: NewReport, quota: ReportQuota) =>
      (await store.insertReport(filed, quota, SYSTEM_CALL)).value

    describe('channels', () => {
      test('an inserted channel appears in the snapshot and in a change', async () => {
        const { value, version, changes } = await store.insertChannel(channel('a'), QUOTA, SYSTEM_CALL)
        expect(value).toMatchObject({ outcome: 'inserted', channel: channel('a') })
        expect(changes).toMatchObject([{ kind: 'channel-set', channel: channel('a'), version: 1 }])
        expect(version).toBe(1)
        expect(await readState(NOW)).toMatchObject({ version: 1, channels: [channel('a')] })
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
        const { channels } = await readState(NOW)
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
        for (const { name } of (await readState(NOW)).channels) await remove(name)
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
        const { channels } = await readState(NOW)
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
        expect((await readState(NOW)).channels).toEqual([])
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
        expect((await readState(NOW)).channels[0]?.incarnation).toBe(first)
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
        const { bans } = await readState(NOW + DAY)
        expect(bans.map(({ playerId, count, endsAt }) => [playerId, count, endsAt])).toEqual([
          ['b', 1, NOW + 3 * DAY],
          ['a', 2, NOW + 4 * DAY],
        ])
      })

      test('with the same end are all listed, in the order of application', async () => {
        for (const id of ['a', 'b', 'c']) await store.putBan(ban(id), SYSTEM_CALL)
        const { bans } = await readState(NOW)
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
        expect((await readState(NOW)).bans).toEqual([])
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
        const { filterLists, filterVersions } = await readState(NOW)
        expect(filterLists).toEqual([
          { kind: 'forbidden', language: 'ko-kr', expressions: packExpressions(['한', '글', '한']) },
        ])
        expect(filterVersions).toEqual({ forbidden: 2, allowed: 0 })
      })

      test('an empty list is stored', async () => {
        await store.replaceFilterList(edit('en', []), SYSTEM_CALL)
        expect((await readState(NOW)).filterLists).toEqual([
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
        const { filterLists, filterVersions } = await readState(NOW)
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

    describe('reports', () => {
      test('have ids ascending from 1 and are listed newest first, in pages', async () => {
        for (const message of ['one', 'two', 'three']) await fileReport(report(message), REPORT_QUOTA)
        const newest = await store.listReports({ before: undefined, limit: 2 })
        expect(newest.map(({ id, message }) => [id, message])).toEqual([
          [3, 'three'],
          [2, 'two'],
        ])
        const rest = await store.listReports({ before: 2, limit: 2 })
        const { context: _, ...filed } = report('one')
        expect(rest).toEqual([{ ...filed, id: 1, status: 1, outcome: 0, updatedAt: NOW }])
      })

      test('a second report of a message by the same player returns the first and changes nothing', async () => {
        expect(await fileReport(report('a'), REPORT_QUOTA)).toEqual({
          outcome: 'inserted',
          id: 1,
        })
        const again = { ...report('a'), reason: 'once more', keyword: 'HARASSMENT', createdAt: NOW + 1 }
        expect(await fileReport(again, REPORT_QUOTA)).toEqual({
          outcome: 'known',
          id: 1,
        })
        expect(await store.listReports({ before: undefined, limit: 9 })).toMatchObject([
          { id: 1, reason: '', keyword: 'SPAM', updatedAt: NOW },
        ])
        expect(await fileReport(report('b'), REPORT_QUOTA)).toEqual({
          outcome: 'inserted',
          id: 2,
        })
      })

      test('concurrent reports of a message by one player are stored once', async () => {
        const made = Array.from({ length: 20 }, () => fileReport(report('a'), REPORT_QUOTA))
        const outcomes = (await Promise.all(made)).map(({ outcome }) => outcome)
        expect(outcomes).toEqual(['inserted', ...Array(19).fill('known')])
        expect(await store.listReports({ before: undefined, limit: 9 })).toHaveLength(1)
      })

      test('several players can report the same message', async () => {
        await fileReport(report('a', 'x'), REPORT_QUOTA)
        expect(await fileReport(report('a', 'y'), REPORT_QUOTA)).toEqual({
          outcome: 'inserted',
          id: 2,
        })
        expect(await store.findReport('x', 'id of a')).toBe(1)
        expect(await store.findReport('y', 'id of a')).toBe(2)
        expect(await store.findReport('z', 'id of a')).toBeUndefined()
        expect(await store.findReport('x', 'id of b')).toBeUndefined()
      })
    })

    describe('report quotas', () => {
      test('limit the reports of each player in a period', async () => {
        const quota = { reports: 2, since: NOW - 1 }
        const other = { ...report('x'), reporter: { id: '9', name: 'Other' } }
        const outcomes = await Promise.all(
          [report('a'), report('b'), report('c'), other].map((each) => fileReport(each, quota)),
        )
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'limit', 'inserted'])
        const later = { reports: 2, since: NOW }
        expect((await fileReport(report('d'), later)).outcome).toBe('inserted')
      })

      test('do not apply to a message that the player has already reported', async () => {
        const quota = { reports: 1, since: NOW - 1 }
        await fileReport(report('a'), quota)
        expect(await fileReport(report('a'), quota)).toEqual({ outcome: 'known', id: 1 })
        expect((await fileReport(report('b'), quota)).outcome).toBe('limit')
      })
    })

    describe('the context of a report', () => {
      const context = (...seqs: number[]) => seqs.map(messageFixture).map(({ hits: _, ...rest }) => rest)

      test('is read back exactly, even after a restart', async () => {
        await fileReport({ ...report('a'), context: context(1, 2) }, REPORT_QUOTA)
        await reopen()
        expect(await store.readContext('id of a')).toEqual(context(1, 2))
        expect(await store.readContext('none')).toEqual([])
      })

      test('is the one of the first report of the message', async () => {
        await fileReport({ ...report('a', 'x'), context: context(1, 2) }, REPORT_QUOTA)
        await fileReport({ ...report('a', 'y'), context: context(3) }, REPORT_QUOTA)
        expect(await store.readContext('id of a')).toEqual(context(1, 2))
      })

      test('is not stored for a report over the quota', async () => {
        await fileReport({ ...report('a'), context: context(1) }, { reports: 0, since: NOW - 1 })
        expect(await store.readContext('id of a')).toEqual([])
      })
    })

    describe('idempotent writes', () => {
      test('return the first outcome when repeated, without running again', async () => {
        const first = await store.putBan(ban('p'), keyed('k'))
        const second = await store.putBan(ban('p', 9), keyed('k'))
        expect(second).toEqual({ value: first.value, version: 1, changes: [], repeated: true })
        expect((await store.putBan(ban('p'), SYSTEM_CALL)).value.count).toBe(2)
      })

      test('run once when repeated concurrently', async () => {
        const bans = await Promise.all(Array.from({ length: 20 }, () => store.putBan(ban('p'), keyed('k'))))
        expect(new Set(bans.map(({ value }) => value.count))).toEqual(new Set([1]))
      })

      test('repeat outcomes without a value', async () => {
        const key = { group: 'global', name: 'a' }
        expect(
          (
            await store.updateChannel(
              { key, settings: { maxMembers: 1 }, protectFallback: false },
              keyed('k'),
            )
          ).value,
        ).toBeUndefined()
        await store.insertChannel(channel('a'), QUOTA, SYSTEM_CALL)
        expect(
          (
            await store.updateChannel(
              { key, settings: { maxMembers: 1 }, protectFallback: false },
              keyed('k'),
            )
          ).value,
        ).toBeUndefined()
      })

      test('reject a key that was used for another request', async () => {
        await store.putBan(ban('p'), keyed('k'))
        const other = store.putBan(ban('q'), keyed('k', { fingerprint: 'b' }))
        expect(await other.catch((thrown: unknown) => thrown)).toMatchObject({ kind: 'key-reused' })
        expect((await readState(NOW)).bans).toHaveLength(1)
      })

      test('allow a key again after it expires', async () => {
        await store.putBan(ban('p'), keyed('k'))
        const later = keyed('k', { at: NOW + DAY, expiresAt: NOW + 2 * DAY, fingerprint: 'b' })
        expect((await store.putBan(ban('p'), later)).value.count).toBe(2)
      })

      test('return the first remembered outcome', async () => {
        expect(await store.remember('done', keyed('k'))).toMatchObject({ value: 'done', repeated: false })
        expect(await store.remember('not done', keyed('k'))).toMatchObject({
          value: 'done',
          repeated: true,
        })
      })
    })

    describe('changes', () => {
      const write = async () => {
        const writes = [
          await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL),
          await store.insertChannel(channel('b', { isFallback: true }), QUOTA, SYSTEM_CALL),
          await store.putBan(ban('p'), SYSTEM_CALL),
          await store.replaceFilterList(edit('en', ['x']), SYSTEM_CALL),
          await store.liftBan('p', NOW, SYSTEM_CALL),
        ]
        return writes.flatMap(({ changes }) => changes)
      }

      test('are read in order from any version, also after a restart', async () => {
        const committed = await write()
        await reopen()
        expect(await store.readChanges(0, 100)).toEqual(committed)
        expect(await store.readChanges(2, 2)).toEqual(committed.slice(2, 4))
        expect(await store.readChanges(committed.length, 100)).toEqual([])
      })

      test('of a list contain the list as it is now', async () => {
        await store.replaceFilterList(edit('en', ['old']), SYSTEM_CALL)
        await store.replaceFilterList(edit('ko', ['other']), SYSTEM_CALL)
        await store.replaceFilterList(edit('EN', ['new']), SYSTEM_CALL)
        const changes = (await store.readChanges(0, 100)) ?? []
        const { list: en } = edit('EN', ['new'])
        const { list: ko } = edit('ko', ['other'])
        expect(changes.map((change) => 'list' in change && change.list)).toEqual([en, ko, en])
      })

      test('are not recorded for writes that change nothing', async () => {
        await store.liftBan('nobody', NOW, SYSTEM_CALL)
        await store.putBan(ban('p'), keyed('k'))
        await store.putBan(ban('p'), keyed('k'))
        expect(await store.readChanges(0, 100)).toHaveLength(1)
      })
    })

    test('reads see every write that was acknowledged before', async () => {
      for (let count = 1; count <= 3; count++) {
        await store.putBan(ban(`p${count}`), SYSTEM_CALL)
        await fileReport(report(`message ${count}`), REPORT_QUOTA)
        const { version, bans } = await readState(NOW)
        const reports = await store.listReports({ before: undefined, limit: 10 })
        expect([version, bans.length, reports.length]).toEqual([count, count, count])
        expect(await store.readChanges(count - 1, 10)).toHaveLength(1)
      }
    })

    describe('versions', () => {
      test('increase by one with each change and match the state', async () => {
        const writes = Array.from({ length: 30 }, (_, i) => store.putBan(ban(`p${i % 7}`), SYSTEM_CALL))
        const versions = (await Promise.all(writes)).flatMap(({ changes }) =>
          changes.map(({ version }) => version),
        )
        expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
        expect((await readState(NOW)).version).toBe(30)
      })
    })

    test('keeps everything across a restart', async () => {
      await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL)
      await store.putBan(ban('p', 2), keyed('k'))
      await store.replaceFilterList(edit('all', ['x']), SYSTEM_CALL)
      await fileReport(report('one'), REPORT_QUOTA)
      const before = await readState(NOW)
      await reopen()
      expect(await readState(NOW)).toEqual(before)
      expect((await store.putBan(ban('p'), keyed('k'))).changes).toEqual([])
      expect(await fileReport(report('two'), REPORT_QUOTA)).toEqual({
        outcome: 'inserted',
        id: 2,
      })
    })

    test('check resolves while the store is open; a closed store is unavailable', async () => {
      await store.check()
      await store.close()
      const refused = await store.putBan(ban('p'), SYSTEM_CALL).catch((thrown: unknown) => thrown)
      expect(refused).toMatchObject({ kind: 'unavailable' })
      expect(await store.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(Error)
    })
  })
}
