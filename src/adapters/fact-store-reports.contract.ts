import { describe, expect, test } from 'bun:test'
import { fileReport, REPORT_QUOTA, report } from '../../test/support/facts.ts'
import { messageFixture, NOW } from '../../test/support/message.ts'
import { type CreateHarness, useStore } from '../../test/support/store.ts'
import type { FactStore } from '../core/ports/fact-store.ts'

/** Tests the part of the `FactStore` contract that concerns reports. */
export function testReports(createHarness: CreateHarness<FactStore>): void {
  describe('reports', () => {
    let store: FactStore
    const reopen = useStore(createHarness, (opened: FactStore) => {
      store = opened
    })

    describe('reports', () => {
      test('have ids ascending from 1 and are listed newest first, in pages', async () => {
        for (const message of ['one', 'two', 'three']) await fileReport(store, report(message), REPORT_QUOTA)
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
        expect(await fileReport(store, report('a'), REPORT_QUOTA)).toEqual({
          outcome: 'inserted',
          id: 1,
        })
        const again = { ...report('a'), reason: 'once more', keyword: 'HARASSMENT', createdAt: NOW + 1 }
        expect(await fileReport(store, again, REPORT_QUOTA)).toEqual({
          outcome: 'known',
          id: 1,
        })
        expect(await store.listReports({ before: undefined, limit: 9 })).toMatchObject([
          { id: 1, reason: '', keyword: 'SPAM', updatedAt: NOW },
        ])
        expect(await fileReport(store, report('b'), REPORT_QUOTA)).toEqual({
          outcome: 'inserted',
          id: 2,
        })
      })

      test('concurrent reports of a message by one player are stored once', async () => {
        const made = Array.from({ length: 20 }, () => fileReport(store, report('a'), REPORT_QUOTA))
        const outcomes = (await Promise.all(made)).map(({ outcome }) => outcome)
        expect(outcomes).toEqual(['inserted', ...Array(19).fill('known')])
        expect(await store.listReports({ before: undefined, limit: 9 })).toHaveLength(1)
      })

      test('several players can report the same message', async () => {
        await fileReport(store, report('a', 'x'), REPORT_QUOTA)
        expect(await fileReport(store, report('a', 'y'), REPORT_QUOTA)).toEqual({
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
          [report('a'), report('b'), report('c'), other].map((each) => fileReport(store, each, quota)),
        )
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted', 'limit', 'inserted'])
        const later = { reports: 2, since: NOW }
        expect((await fileReport(store, report('d'), later)).outcome).toBe('inserted')
      })

      test('do not apply to a message that the player has already reported', async () => {
        const quota = { reports: 1, since: NOW - 1 }
        await fileReport(store, report('a'), quota)
        expect(await fileReport(store, report('a'), quota)).toEqual({ outcome: 'known', id: 1 })
        expect((await fileReport(store, report('b'), quota)).outcome).toBe('limit')
      })
    })

    describe('the context of a report', () => {
      const context = (...seqs: number[]) => seqs.map(messageFixture).map(({ hits: _, ...rest }) => rest)

      test('is read back exactly, even after a restart', async () => {
        await fileReport(store, { ...report('a'), context: context(1, 2) }, REPORT_QUOTA)
        await reopen()
        expect(await store.readContext('id of a')).toEqual(context(1, 2))
        expect(await store.readContext('none')).toEqual([])
      })

      test('is the one of the first report of the message', async () => {
        await fileReport(store, { ...report('a', 'x'), context: context(1, 2) }, REPORT_QUOTA)
        await fileReport(store, { ...report('a', 'y'), context: context(3) }, REPORT_QUOTA)
        expect(await store.readContext('id of a')).toEqual(context(1, 2))
      })

      test('is not stored for a report over the quota', async () => {
        await fileReport(store, { ...report('a'), context: context(1) }, { reports: 0, since: NOW - 1 })
        expect(await store.readContext('id of a')).toEqual([])
      })
    })
  })
}
