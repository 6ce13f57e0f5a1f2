import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { FACTS, migrate } from './migrations.ts'

const context = (...texts: string[]) =>
  JSON.stringify(texts.map((text) => ({ text, hits: [{ start: 0, end: 1 }], at: 1 })))

test('reports keep their ids and texts, and messages the context of their first report, without hits', () => {
  const db = new Database(':memory:')
  migrate(db, FACTS.slice(0, 3))
  const insert = db.query(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason, status,
       outcome, updated_at, created_at, message_id, context) VALUES ('1', 'Mina', ?, 'Joon', 'x', 'SPAM', '', 1, 0, 5, 5, ?, ?)`,
  )
  insert.run('j', '', '[]')
  insert.run('j', 'm1', context('a', 'b', 'c'))
  insert.run('j', 'm1', context('a', 'b', 'c', 'd'))
  insert.run('k', 'm2', context('e'))
  migrate(db, FACTS)
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

test('profanity lists of the time before there were allow lists stay what they were', () => {
  const db = new Database(':memory:')
  migrate(db, FACTS.slice(0, 2))
  db.run(`INSERT INTO filter_list VALUES ('ko-kr', 'ko_KR', '["욕"]', 1, 7)`)
  migrate(db, FACTS)
  expect(db.query('SELECT * FROM filter_list').all()).toEqual([
    {
      kind: 'forbidden',
      language_key: 'ko-kr',
      language: 'ko_KR',
      expressions: '["욕"]',
      expression_count: 1,
      version: 7,
    },
  ])
})
