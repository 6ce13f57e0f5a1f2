import type { Change, ChatEvent, Topic } from '../events.ts'
import type { ChatMessage, SequencedMessage, Shard } from '../model.ts'

/** Carries what happened between nodes. A node hears itself too: one node and many take the same path. */
export interface Bus {
  /** Called once, before anything else. Resolves when this node hears every later announcement. */
  open(listener: BusListener): Promise<void>
  /**
   * Spreads committed changes. Resolves when `applyChanges` has finished on every live node, this one
   * included; a node that dies meanwhile is not waited for. Throws `ChatError('unavailable')` when the bus
   * cannot tell. One node's announcements arrive everywhere in the order they were made.
   */
  announce(changes: readonly Change[]): Promise<void>
  /** At most once, to nodes subscribed to the topic; one node's events of a topic arrive in order. */
  publish(topic: Topic, event: ChatEvent): Promise<void>
  /**
   * Publishes a message to its shard's topic under the next number of the shard's sequence, and keeps it among the recent
   * ones. Every node hears the messages of a shard in the order of their numbers.
   */
  append(message: ChatMessage): Promise<SequencedMessage>
  /**
   * Takes a message out of the recent ones, when it is among them, and publishes that it was deleted. Its number stays
   * used. When it resolves, every node's `history` knows. Every node hears of it after the message itself.
   */
  retract(message: ChatMessage): Promise<void>
  /** The newest messages of a shard. One that nobody has used or heard for `HISTORY_MS` may begin anew, in a new epoch. */
  history(shard: Shard): Promise<ChannelHistory>
  /** When it resolves, every event published later is heard. */
  subscribe(topic: Topic): Promise<void>
  /** When it resolves, no more events of the topic are heard. */
  unsubscribe(topic: Topic): Promise<void>
  /** Resolves when announcements reach this node; throws otherwise. */
  check(): Promise<void>
  /** The node is no longer live: nobody waits for it, and it hears nothing more. */
  close(): Promise<void>
}

export interface BusListener {
  applyChanges(changes: readonly Change[]): Promise<void>
  deliver(topic: Topic, event: ChatEvent): void
  /** The sequence of a shard as the log has it, for a bus that does not keep it itself. Undefined: it begins anew. */
  restore(shard: Shard): Promise<ChannelHistory | undefined>
}

export const HISTORY_MESSAGES = 50
export const HISTORY_MS = 3_600_000

/** `seq` is that of the newest message, 0 when there was none in this epoch. */
export interface ChannelHistory {
  readonly epoch: string
  readonly seq: number
  /** Whatever came after this number is in `messages`, unless it was retracted. */
  readonly since: number
  /** Oldest first, at most `HISTORY_MESSAGES`. */
  readonly messages: readonly SequencedMessage[]
  /** Ids of the messages that were retracted last, newest last, at most `HISTORY_MESSAGES`. */
  readonly retracted: readonly string[]
}
