import { closeSync, openSync, read } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const HEADER = Buffer.from('SQLite format 3\0')
const REMEDY = 'Parley stops. Put the file back or restore a backup, then start again.'

/** A file in use that is no longer what it was. Trying again cannot help. */
export class FileLostError extends Error {
  constructor(path: string, reason: string) {
    super(`The file ${path} ${reason} ${REMEDY}`)
    this.name = 'FileLostError'
  }
}

interface Identity {
  readonly path: string
  readonly dev: number
  readonly ino: number
}

interface OpenFile extends Identity {
  readonly fd: number
  size: number
}

/**
 * Notices that a file in use was deleted, replaced, truncated or overwritten, none of which SQLite tells. A full or
 * read-only disk is no loss: it heals.
 */
export class FileGuard {
  readonly #companions: readonly Identity[]
  readonly #databases: OpenFile[]

  private constructor(databases: OpenFile[], companions: readonly Identity[]) {
    this.#databases = databases
    this.#companions = companions
  }

  /** The databases must be open already. Of the companions those that exist are guarded. */
  static async open(databases: readonly string[], companions: readonly string[]): Promise<FileGuard> {
    const found = await Promise.all([...databases.flatMap(sidecarsOf), ...companions].map(identify))
    const opened = await Promise.all(databases.map(openFile))
    return new FileGuard(
      opened,
      found.filter((each) => each !== undefined),
    )
  }

  /** Throws a `FileLostError`. */
  async inspect(): Promise<void> {
    await Promise.all([...this.#databases, ...this.#companions].map(requireSame))
    await Promise.all(this.#databases.map(requireContent))
  }

  /**
   * To be called once every connection to the files is closed: closing a handle of a file gives up all locks that the
   * process has on it.
   */
  close(): void {
    for (const { fd } of this.#databases.splice(0)) closeSync(fd)
  }
}

const sidecarsOf = (database: string) => [`${database}-wal`, `${database}-shm`]

async function identify(path: string): Promise<Identity | undefined> {
  try {
    const { dev, ino } = await stat(path)
    return { path, dev, ino }
  } catch {
    return undefined
  }
}

async function openFile(path: string): Promise<OpenFile> {
  const { dev, ino, size } = await stat(path)
  return { path, dev, ino, size, fd: openSync(path, 'r') }
}

async function requireSame({ path, dev, ino }: Identity): Promise<void> {
  const now = await statIfThere(path)
  if (now === 'gone') throw new FileLostError(path, 'was deleted or moved while in use.')
  if (now === 'unknown') return
  if (now.dev !== dev || now.ino !== ino)
    throw new FileLostError(path, 'was replaced by another file while in use.')
}

async function requireContent(file: OpenFile): Promise<void> {
  const now = await statIfThere(file.path)
  if (typeof now === 'string') return
  // Parley never makes a file smaller: that would take a VACUUM.
  if (now.size < file.size) throw new FileLostError(file.path, 'was truncated while in use.')
  file.size = now.size
  if (file.size > 0 && !(await hasHeader(file.fd)))
    throw new FileLostError(file.path, 'was overwritten while in use: it is no SQLite database any more.')
}

const readInto = promisify(read)

async function hasHeader(fd: number): Promise<boolean> {
  const found = Buffer.alloc(HEADER.length)
  try {
    await readInto(fd, found, 0, HEADER.length, 0)
  } catch {
    // A disk that fails to read may read again.
    return true
  }
  return found.equals(HEADER)
}

async function statIfThere(path: string) {
  try {
    return await stat(path)
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unknown'
  }
}
