import { describeStorageError } from './database.ts'

interface Explanation {
  readonly reason: string
  /** Undefined when another folder is the only way out. */
  readonly remedy?: string
}

const LET_WRITE = 'Let the user running Parley write there'

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  EEXIST: { reason: 'not a folder', remedy: 'Move that file away' },
  ENOTDIR: { reason: 'part of the path is not a folder', remedy: 'Correct the path' },
  ENOENT: { reason: 'it cannot be created there', remedy: 'Correct the path' },
  EACCES: { reason: 'permission denied', remedy: LET_WRITE },
  EPERM: { reason: 'operation not permitted', remedy: LET_WRITE },
  EROFS: { reason: 'the file system is read-only', remedy: 'Mount it for writing' },
  ENOSPC: { reason: 'the disk is full', remedy: 'Free some space' },
  EBUSY: { reason: 'it is in use, for example as a mount point' },
  ENAMETOOLONG: { reason: 'the path is too long' },
}

/**
 * `attempt` names the path, as in "Cannot open the data folder /x"; `alternative` is what to do when the folder cannot be
 * made usable, as in "choose another folder".
 */
export function folderError(attempt: string, thrown: unknown, alternative: string): Error {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const { reason, remedy } = EXPLANATIONS[code] ?? { reason: undefined, remedy: undefined }
  if (reason === undefined) return new Error(`${attempt}: ${describeStorageError(thrown)}`, { cause: thrown })
  const advice = remedy === undefined ? capitalize(alternative) : `${remedy}, or ${alternative}`
  return new Error(`${attempt}: ${reason}. ${advice}.`, { cause: thrown })
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
