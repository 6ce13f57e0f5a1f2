import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { describeStorageError, isUnreadable, openReadOnly } from '../database.ts'
import { isStorageFailure } from '../executor.ts'

const MAX_OPEN = 16

interface FileKind<K, R> {
  readonly pathOf: (key: K) => string
  readonly createReads: (db: Database, key: K) => R
}

/** Read-only connections to message files. A file that is damaged counts as missing. */
export class FileCache<K, R> {
  readonly #kind: FileKind<K, R>
  readonly #onDamage: (description: string) => void
  /** Least recently used first. */
  readonly #open = new Map<K, { readonly db: Database; readonly reads: R }>()

  constructor(kind: FileKind<K, R>, onDamage: (description: string) => void) {
    this.#kind = kind
    this.#onDamage = onDamage
  }

  /** Undefined if the file is missing or damaged. */
  use<T>(key: K, read: (reads: R) => T): T | undefined {
    const path = this.#kind.pathOf(key)
    if (!existsSync(path)) {
      this.close(key)
      return undefined
    }
    try {
      return read(this.#find(key, path))
    } catch (thrown) {
      this.close(key)
      // A file without the expected tables is damaged, too.
      if (!isUnreadable(thrown) && isStorageFailure(thrown)) throw thrown
      this.#onDamage(`${path}: ${describeStorageError(thrown)}`)
      return undefined
    }
  }

  close(key: K): void {
    this.#open.get(key)?.db.close()
    this.#open.delete(key)
  }

  /** Lets go of files that were removed, so that their space is freed. */
  closeRemoved(): void {
    for (const key of this.#open.keys()) if (!existsSync(this.#kind.pathOf(key))) this.close(key)
  }

  closeAll(): void {
    for (const key of this.#open.keys()) this.close(key)
  }

  #find(key: K, path: string): R {
    const known = this.#open.get(key)
    this.#open.delete(key)
    const file = known ?? this.#connect(key, path)
    this.#open.set(key, file)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.close(oldest)
    return file.reads
  }

  #connect(key: K, path: string) {
    const db = openReadOnly(path)
    try {
      return { db, reads: this.#kind.createReads(db, key) }
    } catch (thrown) {
      db.close()
      throw thrown
    }
  }
}
