import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { packExpressions } from '../../../core/expressions.ts'
import { migrate } from '../migrate.ts'
import { FACT_MIGRATIONS } from './migrations.ts'
import { type FilterRow, readFilterList } from './rows.ts'

const context = (...texts: string[]) =>
  JSON.stringify(texts.map((text) => ({ text, hits: [{ start: 0, end: 1 }], at: 1 })))

test('an upgrade keeps reports and the context of the first report of each message, without hits', () => {
  const db = new Database(':memory:')
  migrate(db, FACT_MIGRATIONS.slice(0, 3))
  const insert = db.query(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason, status,
       outcome, updated_at, created_at, message_id, context) VALUES ('1', 'Mina', ?, 'Joon', 'x', 'SPAM', '', 1, 0, 5, 5, ?, ?)`,
  )
  insert.run('j', '', '[]')
  insert.run('j', 'm1', context('a', 'b', 'c'))
  insert.run('j', 'm1', context('a', 'b', 'c', 'd'))
  insert.run('k', 'm2', context('e'))
  migrate(db, FACT_MIGRATIONS)
  expect(db.query('SELECT id, reporter_id, message_id FROM report').values()).toEqual([
    [1, 'j', ''],
    [2, 'j', 'm1'],
    [3, 'j', 'm1'],
    [4, 'k', 'm2'],
  ])
  const kept = db.query<{ message_id: string; messages: string }, []>('SELECT * FROM report_context').all()
  expect(kept.map(({ message_id, messages }) => [message_id, JSON.parse(messages)])).toEqual([
    ['m1', ['a', 'b', 'c'].map((text) => ({ text, at: 1 }))],
    ['m2', [{ text: 'e', at: 1 }]],
  ])
})

test('an upgrade keeps profanity lists from before allow lists existed', () => {
  const db = new Database(':memory:')
  migrate(db, FACT_MIGRATIONS.slice(0, 2))
  const expressions = ['욕', ' "b" ', '\\', '👾', '욕', ...Array.from({ length: 20 }, (_, i) => `w${i}`)]
  const insert = db.query('INSERT INTO filter_list VALUES (?, ?, ?, ?, ?)')
  insert.run('ko-kr', 'ko_KR', JSON.stringify(expressions), expressions.length, 7)
  insert.run('en', 'en', '[]', 0, 8)
  migrate(db, FACT_MIGRATIONS)
  expect(db.query<FilterRow, []>('SELECT * FROM filter_list').all().map(readFilterList)).toEqual([
    { kind: 'forbidden', language: 'en', expressions: packExpressions([]) },
    { kind: 'forbidden', language: 'ko_KR', expressions: packExpressions(expressions) },
  ])
})
