import type { Change, ChatEvent, Topic } from '../events.ts'
import type { ChatMessage, SequencedMessage, Shard, Timestamp } from '../model.ts'

/** Connects the nodes. A node also receives its own events, so that one node and many share the same code path. */
export interface Bus {
  /** Called once, before any other method. Once it resolves, this node receives every later announcement. */
  open(listener: BusListener): Promise<void>
  /**
   * Broadcasts committed changes. Resolves when `applyChanges` has finished on every live node, including this one;
   * nodes that fail in the meantime are not waited for. Throws `ChatError('unavailable')` if delivery cannot be
   * confirmed. Announcements of one node arrive everywhere in order.
   */
  announce(changes: readonly Change[]): Promise<void>
  /** Delivers an event at most once to each node subscribed to the topic. A node's events on a topic arrive in order. */
  publish(topic: Topic, event: ChatEvent): Promise<void>
  /**
   * Assigns the next sequence number of the message's shard, adds the message to the shard's history and publishes it to
   * the shard's topic. Every node receives the messages of a shard in sequence order.
   */
  append(message: ChatMessage): Promise<SequencedMessage>
  /**
   * Removes a message from the history and publishes its deletion. Its sequence number is not reused. Once it resolves,
   * `history` reflects it on every node. Every node receives the deletion after the message itself.
   */
  retract(message: ChatMessage): Promise<void>
  /** The newest messages of a shard. A shard unused and without subscribers for `HISTORY_MS` may restart in a new epoch. */
  history(shard: Shard): Promise<ChannelHistory>
  /** When players last spoke in these channel numbers, as far as the bus knows. */
  lastChatTimes(shards: readonly Shard[]): Promise<readonly (Timestamp | undefined)[]>
  /** Once it resolves, this node receives every event published later. */
  subscribe(topic: Topic): Promise<void>
  /** Once it resolves, this node receives no more events of the topic. */
  unsubscribe(topic: Topic): Promise<void>
  /** Throws if announcements do not reach this node. */
  check(): Promise<void>
  /** Takes the node off the bus: it receives nothing more, and no announcement waits for it. */
  close(): Promise<void>
}

export interface BusListener {
  applyChanges(changes: readonly Change[]): Promise<void>
  deliver(topic: Topic, event: ChatEvent): void
  /** Reads a shard's sequence from the log, for a bus that does not persist it. Undefined starts a new epoch. */
  restore(shard: Shard): Promise<ChannelHistory | undefined>
}

export const HISTORY_MESSAGES = 50
export const HISTORY_MS = 3_600_000

/** The newest messages of a channel number. */
export interface ChannelHistory {
  readonly epoch: string
  /** Sequence number of the newest message, 0 if there was none in this epoch. */
  readonly seq: number
  /** `messages` contains every message after this sequence number that was not retracted. */
  readonly since: number
  /** Oldest first, at most `HISTORY_MESSAGES`. */
  readonly messages: readonly SequencedMessage[]
  /** Ids of the most recently retracted messages, newest last, at most `HISTORY_MESSAGES`. */
  readonly retracted: readonly string[]
}
