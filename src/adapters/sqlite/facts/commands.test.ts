import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { SYSTEM_CALL } from '../../../core/context.ts'
import { type Call, SeparateExecutor } from '../executor.ts'
import { migrate } from '../migrate.ts'
import { ACTIVE_BANS, banWrites } from './bans.ts'
import { createReads } from './commands.ts'
import { FACT_MIGRATIONS } from './migrations.ts'
import { FIND_REPORT, LIST_REPORTS } from './reports.ts'
import { FactWriter } from './writer.ts'

function open(): Database {
  const db = new Database(':memory:', { strict: true })
  migrate(db, FACT_MIGRATIONS)
  return db
}

test('a replaced ban ends at its replacement or its own end, whichever is earlier', () => {
  const db = open()
  const { putBan, liftBan } = banWrites(db, (draft) => ({ ...draft, version: 1 }))
  putBan({ playerId: 'p', startsAt: 0, endsAt: 100 })
  putBan({ playerId: 'p', startsAt: 50, endsAt: 200 })
  putBan({ playerId: 'p', startsAt: 300, endsAt: 400 })
  liftBan('p', 350)
  expect(db.query('SELECT starts_at, ends_at, ended_at FROM ban ORDER BY seq').values()).toEqual([
    [0, 100, 50],
    [50, 200, 200],
    [300, 400, 350],
  ])
})

test('reads report pages by primary key and finds the report of a message by index', () => {
  const db = open()
  const plan = (sql: string, ...values: (string | number)[]) =>
    db
      .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail)
  expect(plan(LIST_REPORTS, 500, 100)).toEqual(['SEARCH report USING INTEGER PRIMARY KEY (rowid<?)'])
  expect(plan(FIND_REPORT, 'm', 'p')).toEqual([
    'SEARCH report USING COVERING INDEX report_message (message_id=? AND reporter_id=?)',
  ])
})

test('the writer runs no reads, and the reader no writes', () => {
  const db = open()
  const list: Call = { name: 'listReports', args: [{ before: 9, limit: 9 }] }
  const ban: Call = { name: 'putBan', args: [{ playerId: 'p', startsAt: 0, endsAt: 1 }] }
  expect(new FactWriter(db).run([list, ban])).toMatchObject([{ error: 'failed' }, { value: { count: 1 } }])
  const reader = new SeparateExecutor(db, createReads(db))
  expect(reader.run([list, ban])).toMatchObject([{ value: [] }, { error: 'failed' }])
})

test('evicts the oldest idempotent outcomes over the limit', () => {
  const writer = new FactWriter(open(), { maxRemembered: 3 })
  const remember = (key: string, outcome: string) => {
    const idempotency = { key, fingerprint: '', at: 0, expiresAt: 1000 }
    const call: Call = { name: 'remember', args: [outcome], context: { ...SYSTEM_CALL, idempotency } }
    return writer.run([call])[0]
  }
  for (const key of ['a', 'b', 'c', 'd']) remember(key, 'first')
  expect(['b', 'c', 'd'].map((key) => remember(key, 'again'))).toMatchObject(
    Array(3).fill({ value: 'first', repeated: true }),
  )
  expect(remember('a', 'again')).toMatchObject({ value: 'again', repeated: false })
})

test('stores the outcome of an idempotent list edit without the list', () => {
  const facts = open()
  const writer = new FactWriter(facts)
  const list = { kind: 'forbidden', language: 'en', expressions: { text: '', count: 1 } }
  const edit = { list, quota: { languages: 9, expressions: 9 } }
  const idempotency = { key: 'k', fingerprint: '', at: 0, expiresAt: 1000 }
  const call: Call = {
    name: 'replaceFilterList',
    args: [edit],
    attachments: { texts: ['x'.repeat(100_000)] },
    context: { ...SYSTEM_CALL, idempotency },
  }
  expect(writer.run([call])).toMatchObject([{ value: 'replaced', repeated: false }])
  expect(writer.run([call])).toMatchObject([{ value: 'replaced', repeated: true, changes: [] }])
  expect(facts.query('SELECT outcome FROM remembered').values()).toEqual([
    ['{"value":"replaced","version":1}'],
  ])
  expect(facts.query('SELECT length(expressions) FROM filter_list').values()).toEqual([[100_000]])
})

const banCall = (playerId: string, endsAt: number | null = 9): Call => ({
  name: 'putBan',
  args: [{ playerId, startsAt: 0, endsAt }],
})

test('rolls back a write that fails, so that the next one is committed', () => {
  const db = open()
  const writer = new FactWriter(db)
  expect(writer.run([banCall('broken', null)])).toMatchObject([{ error: 'failed' }])
  expect(db.inTransaction).toBe(false)
  expect(writer.run([banCall('sound')])).toMatchObject([{ value: { count: 1 } }])
})

test('assigns versions without gaps when a write of a batch fails', () => {
  const db = open()
  const writer = new FactWriter(db)
  expect(writer.run([banCall('a')])).toMatchObject([{ version: 1 }])
  const results = writer.run([banCall('b'), banCall('broken', null), banCall('c')])
  expect(results).toMatchObject([{ version: 2 }, { error: 'failed' }, { version: 3 }])
  expect(db.query('SELECT version FROM control').values()).toEqual([[3]])
})

describe('the table of changes', () => {
  const versions = (db: Database) => db.query('SELECT version FROM change').values().flat()

  test('is bounded by count', () => {
    const db = open()
    const writer = new FactWriter(db, { changeRetention: { count: 3, ms: 1000 } })
    writer.run(['a', 'b'].map((id) => banCall(id)))
    writer.run(['c', 'd', 'e'].map((id) => banCall(id)))
    expect(versions(db)).toEqual([3, 4, 5])
    expect(createReads(db).readChanges(1, 10).value).toBeUndefined()
    expect(createReads(db).readChanges(2, 10).value).toHaveLength(3)
  })

  test('is bounded by age', () => {
    const db = open()
    let now = 0
    const writer = new FactWriter(db, { changeRetention: { count: 9, ms: 1000 }, clock: () => now })
    for (const [id, time] of [
      ['a', 0],
      ['b', 500],
      ['c', 1001],
    ] as const) {
      now = time
      writer.run([banCall(id)])
    }
    expect(versions(db)).toEqual([2, 3])
  })

  test('does not contain the text of a list', () => {
    const db = open()
    const list = { kind: 'forbidden', language: 'en', expressions: { text: '', count: 1 } }
    const args = [{ list, quota: { languages: 9, expressions: 9 } }]
    new FactWriter(db).run([{ name: 'replaceFilterList', args, attachments: { texts: ['secret'] } }])
    expect(db.query('SELECT body FROM change').values()).toEqual([
      ['{"kind":"filter-list-set","list":{"kind":"forbidden","language":"en"}}'],
    ])
  })

  test('keeps no change of a write that failed', () => {
    const db = open()
    const writer = new FactWriter(db)
    writer.run([banCall('a'), banCall('broken', null), banCall('c')])
    expect(versions(db)).toEqual([1, 2])
  })
})

test.each([
  ['withSameEnd', '(ends_at=? AND seq>?)'],
  ['withLaterEnd', '(ends_at>?)'],
] as const)('reads active bans %s from an index alone', (name, range) => {
  const plan = open().query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${ACTIVE_BANS[name]}`).all()
  expect(plan.map(({ detail }) => detail)).toEqual([`SEARCH ban USING COVERING INDEX ban_active ${range}`])
})
