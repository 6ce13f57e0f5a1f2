import { statSync } from 'node:fs'
import path from 'node:path'
import type { Timestamp } from '../../../core/model.ts'
import type { DroppedMessages, LogLimits } from '../../../core/ports/message-store.ts'
import { dayName, dayPath, endOf, listDays } from './days.ts'
import { earlierPath } from './earlier.ts'

export interface ExcessFile extends DroppedMessages {
  readonly file: string
}

export interface Excess {
  /** Oldest first. */
  readonly files: readonly ExcessFile[]
  /** Size of the other files. */
  readonly keptBytes: number
}

interface LogFile {
  readonly file: string
  readonly name: string
  /** No message in the file is as recent as this. */
  readonly end: Timestamp
  readonly bytes: number
}

/** The files that exceed the limits. */
export function findExcess(
  folder: string,
  newestEarlier: Timestamp | undefined,
  { before, maxBytes }: LogLimits,
): Excess {
  const all = listMessageFiles(folder, newestEarlier)
  let keptBytes = all.reduce((sum, each) => sum + each.bytes, 0)
  const files: ExcessFile[] = []
  for (const [index, { end, ...file }] of all.entries()) {
    const isExpired = end <= before
    if (!isExpired && keptBytes <= maxBytes) break
    keptBytes -= file.bytes
    files.push({ ...file, reason: isExpired ? 'age' : 'size', isNewest: index === all.length - 1 })
  }
  return { files, keptBytes }
}

/** All message files, oldest first. The age of a damaged file of an earlier version is that of its last change. */
export function listMessageFiles(folder: string, newestEarlier?: Timestamp): LogFile[] {
  const days = listDays(folder)
    .reverse()
    .map((day) => ({ name: dayName(day), file: dayPath(folder, day), end: endOf(day) }))
  const file = earlierPath(folder)
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const end = (newestEarlier ?? written ?? 0) + 1
  const first = written === undefined ? [] : [{ name: path.basename(file), file, end }]
  return [...first, ...days].map((each) => ({ ...each, bytes: sizeOf(each.file) }))
}

const sizeOf = (file: string) =>
  [file, `${file}-wal`].reduce((sum, each) => sum + (statSync(each, { throwIfNoEntry: false })?.size ?? 0), 0)
