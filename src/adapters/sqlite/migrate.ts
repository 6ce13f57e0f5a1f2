import type { Database } from 'bun:sqlite'

/** Migrates to the newest schema. Throws when a newer version of Parley wrote the file. */
export function migrate(db: Database, migrations: readonly string[]): void {
  const version = schemaVersion(db)
  if (version > migrations.length) {
    throw new Error(
      `the file was written by a newer version of Parley (schema ${version}; this version supports up to ${migrations.length}). ` +
        'Start the version that wrote it, or restore a backup.',
    )
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue
    db.transaction(() => {
      db.run(sql)
      db.run(`PRAGMA user_version = ${index + 1}`)
    })()
  }
}

export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
}
