import type { Database } from 'bun:sqlite'
import path from 'node:path'
import type { LoggedMessage, SequencedMessage, Shard, Timestamp } from '../../../core/model.ts'
import type { ChannelHistory } from '../../../core/ports/bus.ts'
import type { LogLimits, MessagePage } from '../../../core/ports/message-store.ts'
import { openReadOnly, readUncached } from '../database.ts'
import { createDayReads, type DayReads } from './day-rows.ts'
import { type Day, dayOf, dayPath, listDays } from './days.ts'
import { createEarlierReads, type EarlierReads, earlierPath } from './earlier.ts'
import { FileCache } from './file-cache.ts'
import { keyOf } from './keys.ts'
import { type Excess, findExcess } from './retention.ts'
import { createSequenceReads } from './sequences.ts'

/** Days that the file of a message may be off: if the clock was set back over midnight, later messages are in an earlier file. */
const CLOCK_DAYS = 1

/** A position in a sequence. */
export type Place = Pick<SequencedMessage, 'id' | 'shard' | 'epoch' | 'seq'>

/** Reads of the message log: of its sequences, and of its messages across the files of all days. */
export class LogReader {
  /** The file that the errors of a command are about. */
  filename: string
  readonly #sequencesPath: string
  readonly #folder: string
  readonly #db: Database
  readonly #sequences: ReturnType<typeof createSequenceReads>
  readonly #days: FileCache<Day, DayReads>
  readonly #earlier: FileCache<'earlier', EarlierReads>
  #damaged: string[] = []

  constructor(sequencesPath: string) {
    this.filename = sequencesPath
    this.#sequencesPath = sequencesPath
    const folder = path.dirname(sequencesPath)
    this.#folder = folder
    this.#db = openReadOnly(sequencesPath)
    this.#sequences = createSequenceReads(this.#db)
    const onDamage = (description: string) => this.#damaged.push(description)
    this.#days = new FileCache(
      { pathOf: (day: Day) => dayPath(folder, day), createReads: createDayReads },
      onDamage,
    )
    this.#earlier = new FileCache(
      { pathOf: () => earlierPath(folder), createReads: createEarlierReads },
      onDamage,
    )
  }

  /** Each returns the damaged files that it skipped beside its result. */
  readonly commands = {
    findMessage: this.#reporting((id: string) => this.#find(id)),
    listAround: this.#reporting((place: Place, each: number) => this.#listAround(place, each)),
    listMessages: this.#reporting((page: MessagePage) => this.#list(page)),
    countWholeDays: this.#reporting((since: Timestamp, limit: number) => this.#countDays(since, limit)),
    countInDay: this.#reporting((day: Day, from: number, limit: number) =>
      this.#days.use(day, (reads) => reads.count(from, limit)),
    ),
    readSequence: this.#reporting((shard: Shard, messages: number) => this.#readSequence(shard, messages)),
    readLastChatTimes: this.#reporting((shards: readonly Shard[]) => this.#sequences.lastChatTimes(shards)),
    findExcess: this.#reporting((limits: LogLimits) => this.#findExcess(limits)),
    /** Throws if the sequences or one of these files are damaged. */
    inspect: (files: readonly string[] = []): void => {
      for (const cache of [this.#days, this.#earlier]) cache.closeRemoved()
      for (const file of [...files, this.#sequencesPath]) {
        this.filename = file
        readUncached(file)
      }
    },
  }

  close(): void {
    for (const cache of [this.#days, this.#earlier]) cache.closeAll()
    this.#db.close()
  }

  #reporting<A extends readonly unknown[], T>(read: (...args: A) => T) {
    return (...args: A): Reported<T> => {
      this.filename = this.#sequencesPath
      const value = read(...args)
      const damaged = this.#damaged
      this.#damaged = []
      return { value, damaged }
    }
  }

  #find(id: string): LoggedMessage | undefined {
    const key = keyOf(id)
    const found = key && this.#days.use(key.day, (reads) => reads.find(key))
    return found ?? this.#useEarlier((reads) => reads.find(id))
  }

  #listAround(place: Place, each: number): LoggedMessage[] {
    const { id, seq } = place
    const day = keyOf(id)?.day ?? -1
    const later = this.#listDays()
      .filter((other) => other >= day - CLOCK_DAYS)
      .reverse()
    return [
      ...this.#readDown(day, place, seq - each, seq),
      ...this.#readRange(['earlier', ...later], place, seq + 1, seq + each),
    ]
  }

  /** Messages of a sequence in ascending order, looked up in a day and then in those before it until none is missing. */
  #readDown(day: Day, sequence: Omit<Place, 'id' | 'seq'>, first: number, last: number): LoggedMessage[] {
    const days = this.#listDays().filter((other) => other <= day + CLOCK_DAYS)
    return this.#readRange([...days, 'earlier'], sequence, Math.max(first, 1), last)
  }

  /** In ascending order. The files are read in the given order until no message is missing. */
  #readRange(
    files: readonly (Day | 'earlier')[],
    { shard, epoch }: Omit<Place, 'id' | 'seq'>,
    first: number,
    last: number,
  ): LoggedMessage[] {
    const found: LoggedMessage[] = []
    for (const file of files) {
      if (found.length > last - first) break
      const messages =
        file === 'earlier'
          ? this.#useEarlier((reads) => reads.range(epoch, first, last))
          : this.#days.use(file, (reads) => reads.range(shard, epoch, first, last))
      found.push(...(messages ?? []))
    }
    return found.sort((a, b) => a.seq - b.seq)
  }

  /** The messages of an earlier version are older than those of any day. */
  #list({ since, before, limit }: MessagePage): LoggedMessage[] {
    const isEarlier = before && this.#useEarlier((reads) => reads.find(before.id)) !== undefined
    const key = before && keyOf(before.id)
    const found: LoggedMessage[] = []
    if (before !== undefined && key === undefined && !isEarlier) return found
    const first = dayOf(since)
    for (const day of isEarlier ? [] : this.#listDays()) {
      if (day < first || found.length === limit) break
      if (key !== undefined && day > key.day) continue
      const [from, end] = [day === first ? since : undefined, day === key?.day ? key : undefined]
      found.push(...(this.#days.use(day, (reads) => reads.list(from, end, limit - found.length)) ?? []))
    }
    const rest = { since, before: isEarlier ? before : undefined, limit: limit - found.length }
    if (rest.limit > 0) found.push(...(this.#useEarlier((reads) => reads.list(rest)) ?? []))
    return found
  }

  /** Counts the messages of an earlier version and of the days after that of `since`, up to `limit`. */
  #countDays(since: Timestamp, limit: number): number {
    let counted = 0
    for (const day of this.#listDays()) {
      if (day <= dayOf(since) || counted >= limit) break
      counted += this.#days.use(day, (reads) => reads.total()) ?? 0
    }
    if (counted < limit) counted += this.#useEarlier((reads) => reads.count(since, limit - counted)) ?? 0
    return Math.min(counted, limit)
  }

  #readSequence(shard: Shard, messages: number): ChannelHistory | undefined {
    const stored = this.#sequences.find(shard)
    if (stored === undefined) return undefined
    const { epoch, seq, at } = stored
    const found = this.#readDown(dayOf(at), { shard, epoch }, seq - messages + 1, seq)
    const unbroken = withoutGap(found, seq)
    return {
      epoch,
      seq,
      since: seq - unbroken.length,
      messages: unbroken.filter(({ deletedAt }) => deletedAt === undefined),
      retracted: this.#sequences.retracted(epoch, messages),
    }
  }

  /** Closes all files if some are in excess, so that removing them frees their space. */
  #findExcess(limits: LogLimits): Excess {
    const newestEarlier = this.#useEarlier((reads) => reads.newestAt())
    const excess = findExcess(this.#folder, newestEarlier, limits)
    if (excess.files.length > 0) for (const cache of [this.#days, this.#earlier]) cache.closeAll()
    return excess
  }

  /** Newest first. */
  #listDays(): Day[] {
    return listDays(this.#folder)
  }

  #useEarlier<T>(read: (reads: EarlierReads) => T): T | undefined {
    return this.#earlier.use('earlier', read)
  }
}

export interface Reported<T> {
  readonly value: T
  /** Descriptions of damaged files that were skipped. */
  readonly damaged: readonly string[]
}

/** The newest messages, up to the first gap below the newest sequence number. */
function withoutGap(messages: readonly LoggedMessage[], newestSeq: number): readonly LoggedMessage[] {
  let start = messages.length
  while (start > 0 && messages[start - 1]?.seq === newestSeq - (messages.length - start)) start--
  return messages.slice(start)
}
