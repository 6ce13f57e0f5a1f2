import type { Topic } from '../core/events.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { HubSession } from './hub.ts'

/** A client with this many bytes unread for this long is a slow consumer and is disconnected. */
const SLOW_BYTES = 262_144
const SLOW_MS = 5000
/** A client with this many bytes unread is disconnected at the next check. */
const STUCK_BYTES = 1_048_576
/** After this many bytes of broadcasts that met backpressure, clients are checked without waiting for the next tick. */
const CHECK_BYTES = 131_072
/** Bytes a connection must buffer without dropping, so that a check sees a stuck client before frames are lost. */
export const MAX_BUFFERED_BYTES = STUCK_BYTES + 2 * CHECK_BYTES

/** Disconnects slow consumers. Checks only sessions with unread bytes, and the recipients of broadcasts that met backpressure. */
export class SlowConsumers {
  readonly #membersOf: (audience: Topic) => Iterable<HubSession>
  readonly #clock: Clock
  /** Sessions with unread bytes, and since when they have been slow. */
  readonly #unread = new Map<HubSession, number | undefined>()
  /** Audiences of broadcasts that met backpressure since the last check. */
  readonly #audiences = new Set<Topic>()
  #bytes = 0

  /** The clock must be monotonic. */
  constructor(membersOf: (audience: Topic) => Iterable<HubSession>, clock: Clock) {
    this.#membersOf = membersOf
    this.#clock = clock
  }

  /** Called for a broadcast that at least one recipient could not take immediately. */
  onBroadcast(audience: Topic, bytes: number): void {
    this.#audiences.add(audience)
    this.#bytes += bytes
    if (this.#bytes >= CHECK_BYTES) this.check()
  }

  /** Called when a client could not take a frame immediately. */
  onSend(session: HubSession): void {
    if (!this.#unread.has(session)) this.#unread.set(session, undefined)
  }

  /** Must be called when the session ends. */
  forget(session: HubSession): void {
    this.#unread.delete(session)
  }

  check(): void {
    for (const audience of this.#audiences)
      for (const session of this.#membersOf(audience))
        if (session.socket.bufferedBytes() > 0) this.onSend(session)
    this.#audiences.clear()
    this.#bytes = 0
    const now = this.#clock()
    for (const [session, slowSince] of this.#unread) this.#checkSession(session, slowSince, now)
  }

  #checkSession(session: HubSession, slowSince: number | undefined, now: number): void {
    const bytes = session.socket.bufferedBytes()
    if (bytes === 0) this.#unread.delete(session)
    else if (bytes < SLOW_BYTES) this.#unread.set(session, undefined)
    else {
      const since = slowSince ?? now
      this.#unread.set(session, since)
      if (bytes >= STUCK_BYTES || now - since >= SLOW_MS) session.close('slow')
    }
  }
}
