import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../test/support/server.ts'
import { openDatabase } from './database.ts'
import { FACT_MIGRATIONS } from './facts/migrations.ts'
import { EARLIER_MIGRATIONS } from './messages/migrations.ts'
import { migrate, schemaVersion } from './migrate.ts'

const steps = { facts: FACT_MIGRATIONS, messages: EARLIER_MIGRATIONS }
const earlier = Object.entries(steps).flatMap(([name, migrations]) =>
  migrations.slice(1).map((_, index) => ({ name, migrations, version: index + 1 })),
)

test.each(earlier)('upgrades a $name file of schema $version', ({ migrations, version }) => {
  const folder = makeFolder()
  const file = path.join(folder, 'earlier.db')
  const former = new Database(file, { create: true, strict: true })
  migrate(former, migrations.slice(0, version))
  former.close()
  const db = openDatabase(file, { migrations, isInitialized: true, integrity: {} })
  expect(schemaVersion(db)).toBe(migrations.length)
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
