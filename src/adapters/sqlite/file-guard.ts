import { closeSync, openSync, read } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const HEADER = Buffer.from('SQLite format 3\0')
const REMEDY = 'Parley is stopping. Put the file back or restore a backup, then start again.'

/** A file was lost or changed from outside while in use. A retry cannot help. */
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
 * Detects that a file in use was deleted, replaced, truncated or overwritten, which SQLite does not report. A full or
 * read-only disk is not a loss: it can recover.
 */
export class FileGuard {
  readonly #companions: readonly Identity[]
  readonly #databases: OpenFile[]
  #watched: readonly Identity[] = []

  private constructor(databases: OpenFile[], companions: readonly Identity[]) {
    this.#databases = databases
    this.#companions = companions
  }

  /** The databases must be open already. Companions that do not exist are ignored. */
  static async open(databases: readonly string[], companions: readonly string[]): Promise<FileGuard> {
    const found = await Promise.all([...databases.flatMap(sidecarsOf), ...companions].map(identify))
    const opened = await Promise.all(databases.map(openFile))
    return new FileGuard(
      opened,
      found.filter((each) => each !== undefined),
    )
  }

  /** Replaces the further databases to watch. They must be open already. Throws a `FileLostError` if one is missing. */
  async watch(databases: readonly string[]): Promise<void> {
    const found = await Promise.all(databases.flatMap((each) => [each, ...sidecarsOf(each)]).map(identify))
    this.#watched = found.filter((each) => each !== undefined)
    await Promise.all(databases.map(requireExisting))
  }

  /** Throws a `FileLostError`. */
  async inspect(): Promise<void> {
    await Promise.all([...this.#databases, ...this.#companions, ...this.#watched].map(requireSame))
    await Promise.all(this.#databases.map(requireContent))
  }

  /**
   * Call this after every connection to the files is closed: closing any descriptor of a file releases all locks that
   * the process holds on it.
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

async function requireExisting(path: string): Promise<void> {
  if ((await statIfExists(path)) === 'missing')
    throw new FileLostError(path, 'was deleted or moved while in use.')
}

async function requireSame({ path, dev, ino }: Identity): Promise<void> {
  const now = await statIfExists(path)
  if (now === 'missing') throw new FileLostError(path, 'was deleted or moved while in use.')
  if (now === 'unknown') return
  if (now.dev !== dev || now.ino !== ino)
    throw new FileLostError(path, 'was replaced by another file while in use.')
}

async function requireContent(file: OpenFile): Promise<void> {
  const now = await statIfExists(file.path)
  if (typeof now === 'string') return
  // After a VACUUM, the header declares the smaller size.
  if (now.size < file.size && now.size < Math.max(1, await declaredSize(file.fd)))
    throw new FileLostError(file.path, 'was truncated while in use.')
  file.size = now.size
  if (file.size > 0 && !(await hasHeader(file.fd)))
    throw new FileLostError(file.path, 'was overwritten while in use and is no longer a SQLite database.')
}

const readInto = promisify(read)

const SIZE_FIELDS = 32
const PAGE_SIZE_AT = 16
const PAGE_COUNT_AT = 28
/** The largest page size does not fit in two bytes and is encoded as 1. */
const LARGEST_PAGE = { written: 1, bytes: 65_536 }

/** The size of the database according to its header, in bytes. */
async function declaredSize(fd: number): Promise<number> {
  const header = Buffer.alloc(SIZE_FIELDS)
  await readInto(fd, header, 0, SIZE_FIELDS, 0).catch(() => undefined)
  const written = header.readUInt16BE(PAGE_SIZE_AT)
  const pageSize = written === LARGEST_PAGE.written ? LARGEST_PAGE.bytes : written
  return pageSize * header.readUInt32BE(PAGE_COUNT_AT)
}

async function hasHeader(fd: number): Promise<boolean> {
  const found = Buffer.alloc(HEADER.length)
  try {
    await readInto(fd, found, 0, HEADER.length, 0)
  } catch {
    // A read error may be transient.
    return true
  }
  return found.equals(HEADER)
}

async function statIfExists(path: string) {
  try {
    return await stat(path)
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unknown'
  }
}
