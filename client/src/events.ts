import type {
  Ban,
  Channel,
  Message,
  MessageDeleted,
  Moved,
  ParleyError,
  Place,
  PlayerEvent,
  Session,
} from './protocol.ts'

/**
 * Something may be missing. `jump`: a number of the sequence was skipped; `unrecovered`: the server no longer
 * had all that was missed; `rejoined`: the old seat was gone, another was taken; `lost`: and none could be had.
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
  banned: Ban
  banLifted: undefined
  moved: Moved
  channelDeleted: Place
  messageDeleted: MessageDeleted
  gap: Gap
  /** A channel is back after a reconnect, with its players as they are now. */
  resumed: Resumed
  connected: Session
  /** It comes back by itself. */
  disconnected: Disconnected
  /** It does not come back, unless `connect` is called again. */
  closed: Closed
}

export type Handler<Name extends keyof Events> = (event: Events[Name]) => void

type AnyHandler = (event: never) => void

export class Emitter {
  readonly #handlers = new Map<keyof Events, Set<AnyHandler>>()

  on<Name extends keyof Events>(name: Name, handler: Handler<Name>): () => void {
    const handlers = this.#handlers.get(name) ?? new Set()
    this.#handlers.set(name, handlers)
    // A handler that is given twice is called twice, and each unsubscribing takes away its own.
    const own: Handler<Name> = (event) => handler(event)
    handlers.add(own)
    return () => void handlers.delete(own)
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const handler of [...(this.#handlers.get(name) ?? [])]) {
      try {
        ;(handler as Handler<Name>)(event)
      } catch (thrown) {
        // The application's fault must reach its error reporting, and must not break the connection.
        queueMicrotask(() => {
          throw thrown
        })
      }
    }
  }
}
