import type {
  Ban,
  Channel,
  Message,
  MessageDeleted,
  Moved,
  ParleyError,
  Place,
  PlayerCount,
  PlayerEvent,
  Session,
} from './protocol.ts'

/**
 * Messages may be missing. `jump`: a sequence number was skipped; `unrecovered`: the server no longer had all missed
 * messages; `rejoined`: the seat was gone and another was taken; `lost`: no seat was available.
 */
export interface Gap extends Place {
  readonly reason: 'jump' | 'unrecovered' | 'rejoined' | 'lost'
}

export interface Resumed extends Channel {
  readonly recovered: boolean
}

export interface Disconnected {
  readonly code: number
  readonly reason: string
  readonly retryInMs: number
  readonly error: ParleyError | undefined
}

export interface Closed {
  readonly code: number
  readonly reason: string
  readonly error: ParleyError | undefined
}

export interface Events {
  message: Message
  playerJoined: PlayerEvent
  playerLeft: PlayerEvent
  /** The number of members of a large channel. Very large ones announce no joins and leaves. */
  playerCount: PlayerCount
  banned: Ban
  banLifted: undefined
  moved: Moved
  channelDeleted: Place
  messageDeleted: MessageDeleted
  gap: Gap
  /** A channel was resumed after a reconnect; carries its current players. */
  resumed: Resumed
  connected: Session
  /** The client reconnects automatically. */
  disconnected: Disconnected
  /** The client does not reconnect until `connect` is called again. */
  closed: Closed
}

export type Handler<Name extends keyof Events> = (event: Events[Name]) => void

type AnyHandler = (event: never) => void

export class Emitter {
  readonly #handlers = new Map<keyof Events, Set<AnyHandler>>()

  on<Name extends keyof Events>(name: Name, handler: Handler<Name>): () => void {
    const handlers = this.#handlers.get(name) ?? new Set()
    this.#handlers.set(name, handlers)
    // A handler registered twice is called twice, and each unsubscribe function removes its own registration.
    const own: Handler<Name> = (event) => handler(event)
    handlers.add(own)
    return () => void handlers.delete(own)
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const handler of [...(this.#handlers.get(name) ?? [])]) {
      try {
        ;(handler as Handler<Name>)(event)
      } catch (thrown) {
        // An error in a handler must reach the application's error reporting without breaking the connection.
        queueMicrotask(() => {
          throw thrown
        })
      }
    }
  }
}
