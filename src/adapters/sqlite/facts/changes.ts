import type { Database } from 'bun:sqlite'
import type { Change } from '../../../core/events.ts'
import { languageKey, type Timestamp } from '../../../core/model.ts'
import { WithAttachments, withoutText } from '../envelope.ts'
import type { Draft } from './record.ts'
import { type FilterRow, readFilterList } from './rows.ts'

export interface ChangeRetention {
  readonly count: number
  readonly ms: Timestamp
}

export const CHANGE_RETENTION: ChangeRetention = { count: 100_000, ms: 86_400_000 }

/** Bounds what one commit spends on deleting old changes. */
const DELETED_PER_COMMIT = 1000

/** Writes the table of changes, inside the transaction of the writes that caused them. */
export function createChangeWrites(db: Database, { count, ms }: ChangeRetention) {
  const insert = db.query<null, [number, number, string]>('INSERT INTO change VALUES (?, ?, ?)')
  const setVersion = db.query<null, [number]>('UPDATE control SET version = ?')
  const oldest = db.query<{ version: number; at: number }, []>(
    'SELECT version, at FROM change ORDER BY version LIMIT 1',
  )
  const prune = db.query<null, [number]>('DELETE FROM change WHERE version <= ?')
  const pruneExpired = db.query<null, [number, number]>('DELETE FROM change WHERE version < ? AND at < ?')
  return {
    insert(draft: Draft, version: number, at: Timestamp): void {
      insert.run(version, at, JSON.stringify(storedForm(draft)))
    },
    finish(version: number, at: Timestamp): void {
      setVersion.run(version)
      prune.run(version - count)
      const first = oldest.get()
      if (first !== null && first.at < at - ms) pruneExpired.run(first.version + DELETED_PER_COMMIT, at - ms)
    },
  }
}

/** A change of a list refers to the list, whose text is stored once. */
function storedForm(draft: Draft): object {
  if (draft.kind !== 'filter-list-set') return draft
  const { kind, language } = draft.list
  return { kind: draft.kind, list: { kind, language } }
}

interface ChangeRow {
  readonly version: number
  readonly body: string
}

export function changeReads(db: Database) {
  const list = db.query<ChangeRow, [number, number]>(
    'SELECT version, body FROM change WHERE version > ? ORDER BY version LIMIT ?',
  )
  const findList = db.query<FilterRow, [string, string]>(
    'SELECT * FROM filter_list WHERE kind = ? AND language_key = ?',
  )
  return {
    readVersion: (): number => readVersion(db),

    /** Returns the text of each list once, in the order of the first changes of the lists. */
    readChanges: db.transaction((after: number, limit: number): WithAttachments<Change[] | undefined> => {
      const rows = list.all(after, limit)
      const isComplete = rows.length === 0 ? readVersion(db) <= after : rows[0]?.version === after + 1
      if (!isComplete) return new WithAttachments(undefined, {})
      const texts = new Map<string, string>()
      const changes = rows.map(({ version, body }): Change => {
        const change: Change = { ...JSON.parse(body), version }
        if (change.kind !== 'filter-list-set') return change
        const row = findList.get(change.list.kind, languageKey(change.list.language))
        if (row === null) throw new Error(`There is no list for change ${version}.`)
        texts.set(listKey(change.list), row.expressions)
        return { ...change, list: withoutText(readFilterList(row)) }
      })
      return new WithAttachments(changes, { texts: [...texts.values()] })
    }),
  }
}

export const listKey = ({ kind, language }: { readonly kind: string; readonly language: string }) =>
  `${kind} ${languageKey(language)}`

export const readVersion = (db: Database): number =>
  db.query<{ version: number }, []>('SELECT version FROM control').get()?.version ?? 0
