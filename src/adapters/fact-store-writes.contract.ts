import { describe, expect, test } from 'bun:test'
import {
  ban,
  channel,
  DAY,
  edit,
  fileReport,
  keyed,
  QUOTA,
  REPORT_QUOTA,
  readState,
  report,
} from '../../test/support/facts.ts'
import { NOW } from '../../test/support/message.ts'
import { type CreateHarness, useStore } from '../../test/support/store.ts'
import { SYSTEM_CALL } from '../core/context.ts'
import type { FactStore } from '../core/ports/fact-store.ts'

/** Tests the part of the `FactStore` contract that all writes have in common. */
export function testWrites(createHarness: CreateHarness<FactStore>): void {
  describe('writes', () => {
    let store: FactStore
    const reopen = useStore(createHarness, (opened: FactStore) => {
      store = opened
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
        expect((await readState(store, NOW)).bans).toHaveLength(1)
      })

      test('allow a key again after it expires', async () => {
        await store.putBan(ban('p'), keyed('k'))
        const later = keyed('k', { at: NOW + DAY, expiresAt: NOW + 2 * DAY, fingerprint: 'b' })
        expect((await store.putBan(ban('p'), later)).value.count).toBe(2)
      })

      test('run again after a stale edit', async () => {
        const write = (...expected: number[]) =>
          store.replaceFilterList(edit('en', ['x'], expected), keyed('k'))
        expect((await write(7)).value).toBe('stale')
        expect(await write(0)).toMatchObject({ value: 'replaced', repeated: false })
        expect(await write(7)).toMatchObject({ value: 'replaced', repeated: true })
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
        await fileReport(store, report(`message ${count}`), REPORT_QUOTA)
        const { version, bans } = await readState(store, NOW)
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
        expect((await readState(store, NOW)).version).toBe(30)
      })
    })

    test('keeps everything across a restart', async () => {
      await store.insertChannel(channel('a', { isFallback: true }), QUOTA, SYSTEM_CALL)
      await store.putBan(ban('p', 2), keyed('k'))
      await store.replaceFilterList(edit('all', ['x']), SYSTEM_CALL)
      await fileReport(store, report('one'), REPORT_QUOTA)
      const before = await readState(store, NOW)
      await reopen()
      expect(await readState(store, NOW)).toEqual(before)
      expect((await store.putBan(ban('p'), keyed('k'))).changes).toEqual([])
      expect(await fileReport(store, report('two'), REPORT_QUOTA)).toEqual({
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
