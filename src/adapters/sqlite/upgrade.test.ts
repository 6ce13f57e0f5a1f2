import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { FACTS, migrate } from './migrations.ts'

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
