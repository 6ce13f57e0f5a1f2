import type { LoggedMessage, SequencedMessage, Shard, Timestamp } from '../model.ts'
import type { ChannelHistory } from './bus.ts'

/**
 * The message log, with limited retention. Players never wait for it. Writes are durable, reads see every acknowledged
 * write and never delay one, and failures are reported as by `FactStore`. The order and the time of messages are those of
 * their ids, which are UUIDs of version 7.
 */
export interface MessageStore extends SequenceStore {
  /** Stores each message once, however often it is appended. Also advances the sequences of the channel numbers. */
  appendMessages(messages: readonly SequencedMessage[]): Promise<void>
  findMessage(id: string): Promise<LoggedMessage | undefined>
  /** Marks a message as deleted but keeps it, including its text. Repeated calls do not change `deletedAt`. */
  deleteMessage(id: string, at: Timestamp): Promise<LoggedMessage | undefined>
  /** The message and up to `eachSide` messages before and after it in its channel number, oldest first. */
  listAround(message: SequencedMessage, eachSide: number): Promise<LoggedMessage[]>
  /** Messages sent at or after `since` and before the message `before`, newest first. */
  listMessages(page: MessagePage): Promise<LoggedMessage[]>
  /** Counts messages sent at or after `since`, up to `limit`. */
  countMessages(since: Timestamp, limit: number): Promise<number>
  /** Drops messages by the day, oldest first, until the log is within its limits. Also drops sequences past the age limit. */
  pruneMessages(limits: LogLimits): Promise<PrunedLog>
  /** Throws if the store cannot write. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The sequences of channel numbers, so that they can be resumed after a planned restart. */
export interface SequenceStore {
  /**
   * Called once before the first message is appended. Returns the lineage of the sequences: that of the last process if it
   * sealed its sequences, otherwise a new one.
   */
  openSequences(): Promise<string>
  /** Called after the last message is appended. Allows the next process to resume the sequences. */
  sealSequences(): Promise<void>
  /** The sequence of a channel number with its newest messages, or undefined if it has none in the current lineage. */
  readSequence(shard: Shard, messages: number): Promise<ChannelHistory | undefined>
  /** When a player last sent a message in each of these channel numbers, in the same order. */
  readLastChatTimes(shards: readonly Shard[]): Promise<(Timestamp | undefined)[]>
}

export interface LogLimits {
  /** A day is dropped when all of it is before this time. */
  readonly before: Timestamp
  readonly maxBytes: number
}

export interface PrunedLog {
  /** Oldest first. */
  readonly dropped: readonly DroppedMessages[]
  /** Size of what is left. */
  readonly bytes: number
}

/** A day that was dropped from the message log. */
export interface DroppedMessages {
  /** The day in UTC, such as 2026-11-15. */
  readonly name: string
  readonly bytes: number
  readonly reason: 'age' | 'size'
  /** Whether it was the newest day, so that the log is empty now. */
  readonly isNewest: boolean
}

export interface MessagePage {
  readonly since: Timestamp
  readonly before: Pick<SequencedMessage, 'at' | 'id'> | undefined
  readonly limit: number
}
