import type { LoggedMessage, SequencedMessage, Shard, Timestamp } from '../model.ts'
import type { ChannelHistory } from './bus.ts'

/**
 * The message log, with limited retention. Players never wait for it. Writes are atomic and durable, reads see every
 * acknowledged write and never delay one, and failures are reported as by `FactStore`.
 */
export interface MessageStore extends SequenceStore {
  /** Also advances the stored sequences of the channel numbers, atomically. */
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
  /** Deletes up to `limit` messages and up to `limit` sequences older than `before`. Returns the larger of the two counts. */
  pruneMessages(before: Timestamp, limit: number): Promise<number>
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
  /** Times of the last player message in each channel number of a group, in a fixed order, starting after `after`. */
  listLastChatTimes(page: LastChatTimePage): Promise<LastChatTime[]>
}

export interface LastChatTime {
  readonly shard: Shard
  readonly at: Timestamp
}

export interface LastChatTimePage {
  readonly group: string
  readonly after: Shard | undefined
  readonly limit: number
}

export interface MessagePage {
  readonly since: Timestamp
  readonly before: Pick<SequencedMessage, 'at' | 'id'> | undefined
  readonly limit: number
}
