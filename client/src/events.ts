import type {
  Ban,
  Channel,
  ChannelRef,
  Message,
  MessageDeletedEvent,
  MovedEvent,
  ParleyError,
  PlayerCountEvent,
  PlayerEvent,
  Session,
} from './protocol.ts'

/**
 * Messages may be missing. `jump`: a sequence number was skipped; `unrecovered`: the server no longer had all missed
 * messages; `rejoined`: the seat was gone and another was taken; `lost`: no seat was available.
 */
export interface GapEvent extends ChannelRef {
  readonly reason: 'jump' | 'unrecovered' | 'rejoined' | 'lost'
}

export interface ResumedEvent extends Channel {
  readonly recovered: boolean
}

export interface DisconnectedEvent {
  readonly code: number
  readonly reason: string
  readonly retryInMs: number
  readonly error: ParleyError | undefined
}

export interface ClosedEvent {
  readonly code: number
  readonly reason: string
  readonly error: ParleyError | undefined
}

export interface ClientEvents {
  message: Message
  playerJoined: PlayerEvent
  playerLeft: PlayerEvent
  /** The number of members of a large channel. Very large ones announce no joins and leaves. */
  playerCount: PlayerCountEvent
  banned: Ban
  banLifted: undefined
  moved: MovedEvent
  channelDeleted: ChannelRef
  messageDeleted: MessageDeletedEvent
  gap: GapEvent
  /** A channel was resumed after a reconnect; carries its current players. */
  resumed: ResumedEvent
  connected: Session
  /** The client reconnects automatically. */
  disconnected: DisconnectedEvent
  /** The client does not reconnect until `connect` is called again. */
  closed: ClosedEvent
}

export type EventHandler<Name extends keyof ClientEvents> = (event: ClientEvents[Name]) => void

type AnyHandler = (event: never) => void

export class Emitter {
  readonly #handlers = new Map<keyof ClientEvents, Set<AnyHandler>>()

  on<Name extends keyof ClientEvents>(name: Name, handler: EventHandler<Name>): () => void {
    const handlers = this.#handlers.get(name) ?? new Set()
    this.#handlers.set(name, handlers)
    // A handler registered twice is called twice, and each unsubscribe function removes its own registration.
    const own: EventHandler<Name> = (event) => handler(event)
    handlers.add(own)
    return () => void handlers.delete(own)
  }

  emit<Name extends keyof ClientEvents>(name: Name, event: ClientEvents[Name]): void {
    for (const handler of [...(this.#handlers.get(name) ?? [])]) {
      try {
        ;(handler as EventHandler<Name>)(event)
      } catch (thrown) {
        // An error in a handler must reach the application's error reporting without breaking the connection.
        queueMicrotask(() => {
          throw thrown
        })
      }
    }
  }
}
