import type { Database } from 'bun:sqlite'
import { languageKey } from '../../../core/model.ts'
import type {
  FilterListEdit,
  FilterListOutcome,
  FilterListPage,
  StoredFilterList,
} from '../../../core/ports/fact-store.ts'
import { WithAttachments, withoutText } from '../envelope.ts'
import type { RecordChange } from './record.ts'
import { type FilterRow, readFilterList } from './rows.ts'

export function filterWrites(db: Database, record: RecordChange) {
  const statements = prepare(db)
  return {
    /** The text of the list is a separate argument, and no change contains it: the caller has it. */
    replaceFilterList({ list, expectedVersions, quota }: FilterListEdit, text: string): FilterListOutcome {
      const key = languageKey(list.language)
      const { version, others, expressions } = statements.totals.get(key, list.kind) ?? NO_FILTERS
      if (expectedVersions !== undefined && !expectedVersions.includes(version)) return 'stale'
      if (others >= quota.languages || expressions + list.expressions.count > quota.expressions)
        return 'limit'
      const change = record({ kind: 'filter-list-set', list })
      statements.put.run(list.kind, key, list.language, text, list.expressions.count, change.version)
      return 'replaced'
    },
  }
}

export function filterReads(db: Database) {
  const list = db.query<FilterRow, [string, string, number]>(
    'SELECT * FROM filter_list WHERE (kind, language_key) > (?, ?) ORDER BY kind, language_key LIMIT ?',
  )
  return {
    /** Returns the texts of the lists separately. */
    listFilterLists({ after, limit }: FilterListPage): WithAttachments<StoredFilterList[]> {
      const rows = list.all(after?.kind ?? '', languageKey(after?.language ?? ''), limit)
      return new WithAttachments(
        rows.map((row) => ({ list: withoutText(readFilterList(row)), version: row.version })),
        { texts: rows.map(({ expressions }) => expressions) },
      )
    },
  }
}

const NO_FILTERS = { version: 0, others: 0, expressions: 0 }

const prepare = (db: Database) => ({
  totals: db.query<typeof NO_FILTERS, [string, string]>(
    `SELECT ifnull(max(version), 0) AS version, count(*) FILTER (WHERE other) AS others,
       ifnull(sum(expression_count) FILTER (WHERE other), 0) AS expressions
     FROM (SELECT version, expression_count, language_key <> ? AS other FROM filter_list WHERE kind = ?)`,
  ),
  put: db.query<null, [string, string, string, string, number, number]>(
    'INSERT OR REPLACE INTO filter_list VALUES (?, ?, ?, ?, ?, ?)',
  ),
})

/** Lists whose number of lines differs from their count of expressions. */
export const MISCOUNTED_LISTS = `SELECT 1 FROM filter_list WHERE expression_count <> iif(expressions = '', 0,
  1 + octet_length(expressions) - octet_length(replace(expressions, char(10), ''))) LIMIT 1`
