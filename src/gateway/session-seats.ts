import type { App } from '../core/app.ts'
import type { JoinSnapshot, JoinTarget } from '../core/chat.ts'
import { PlayerError } from '../core/errors.ts'
import type { Player, SequencedMessage, Shard } from '../core/model.ts'
import type { ChannelHistory } from '../core/ports/bus.ts'
import type { FrameTurns } from './frame-turns.ts'
import { type HistoryEncoder, pushes, replies } from './frames.ts'
import type { Hub, HubSession } from './hub.ts'
import { type ClientFrame, FrameError, type FrameId } from './protocol.ts'

type Frame<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

/** Turn units of encoding and sending a snapshot, beyond the first. */
const REPLY_UNITS = 2

interface Recovery {
  readonly recovered?: boolean
  /** Instead of the whole history. */
  readonly messages?: readonly SequencedMessage[]
}

export interface SessionSeatsOptions {
  readonly app: App
  readonly hub: Hub
  readonly turns: FrameTurns
  readonly history: HistoryEncoder
  readonly groupsPerPlayer: number
}

/** The seats of one session, at most one per group. Methods return the encoded reply. */
export class SessionSeats {
  readonly #session: HubSession
  readonly #player: Player
  readonly #options: SessionSeatsOptions
  readonly #seats = new Map<string, Shard>()

  constructor(session: HubSession, player: Player, options: SessionSeatsOptions) {
    this.#session = session
    this.#player = player
    this.#options = options
  }

  /** Throws `not-joined` if the session has no seat in the group. */
  in(group: string): Shard {
    const shard = this.#seats.get(group)
    if (shard === undefined) throw new PlayerError('not-joined')
    return shard
  }

  async join({ id, group, name, number }: Frame<'join'>): Promise<string> {
    return this.#joined(id, await this.#take({ group, name, number }))
  }

  /** Joins the same channel number again; the reply says whether every message after `seq` was recovered. */
  async resume({ id, group, name, number, epoch, seq }: Frame<'resume'>): Promise<string> {
    const snapshot = await this.#take({ group, name, number, epoch })
    const { shard, history } = snapshot
    if (shard.name !== name || shard.number !== number)
      return this.#joined(id, snapshot, { recovered: false })
    // The client may still show messages that were deleted while it was disconnected.
    for (const each of history.retracted) this.#session.push(pushes.messageDeleted(shard, each))
    return this.#joined(id, snapshot, missed(history, epoch, seq))
  }

  async listPlayers({ id, group, cursor }: Frame<'players'>): Promise<string> {
    const shard = this.in(group)
    const after = cursor === undefined ? undefined : readCursor(cursor, shard)
    if (cursor !== undefined && after === undefined) throw new FrameError(id, 'cursor')
    const { members, count, next } = await this.#options.app.chat.listMembers(shard, after)
    const more = next === undefined ? undefined : cursorOf(shard, next)
    return replies.players(id, { shard, members, memberCount: count, cursor: more })
  }

  async leave({ id, group }: Frame<'leave'>): Promise<string> {
    const shard = this.in(group)
    this.#seats.delete(group)
    await this.#release(shard)
    return replies.left(id, group)
  }

  async leaveAll(): Promise<void> {
    for (const shard of this.#seats.values()) await this.#release(shard)
  }

  /** The seat in a group, if its channel was deleted and the session was not displaced yet. */
  findDeleted(group: string): Shard | undefined {
    const shard = this.#seats.get(group)
    return shard === undefined || this.#options.app.channels.isCurrent(shard) ? undefined : shard
  }

  /** Gives up the seat in a deleted channel and joins the group's FALLBACK if there is one. */
  async displace(from: Shard): Promise<void> {
    if (this.#seats.get(from.group) !== from) return
    this.#seats.delete(from.group)
    this.#session.push(pushes.channelDeleted(from))
    await this.#options.hub.unsubscribe(this.#session, from)
    await this.#options.app.chat.vacate(from, this.#holder)
    try {
      const snapshot = await this.#take({ group: from.group, name: undefined, number: undefined })
      this.#session.push(pushes.moved(from, snapshot.shard))
      this.#session.push(this.#joined(null, snapshot))
    } catch (thrown) {
      if (!(thrown instanceof PlayerError)) throw thrown
    }
  }

  async #take(target: JoinTarget): Promise<JoinSnapshot> {
    if (this.#seats.has(target.group)) throw new PlayerError('already-joined')
    if (this.#seats.size >= this.#options.groupsPerPlayer) throw new PlayerError('too-many-groups')
    return this.#enter(await this.#options.app.chat.takeSeat(target, this.#holder))
  }

  /** Subscribes before it reads the snapshot, so that no event falls between the two. */
  async #enter(shard: Shard): Promise<JoinSnapshot> {
    const { hub, app, turns } = this.#options
    this.#seats.set(shard.group, shard)
    try {
      await hub.subscribe(this.#session, shard)
      const snapshot = await app.chat.completeJoin(shard, this.#player)
      // Messages contained in the reply must not be pushed after it.
      await hub.whenFlushed(this.#session, shard)
      // Many players may have waited for the same flush, and each reply takes long to encode and send.
      turns.charge(REPLY_UNITS)
      await turns.enter()
      return snapshot
    } catch (thrown) {
      this.#seats.delete(shard.group)
      await hub.unsubscribe(this.#session, shard)
      await app.chat.vacate(shard, this.#holder)
      throw thrown
    }
  }

  async #release(shard: Shard): Promise<void> {
    await this.#options.hub.unsubscribe(this.#session, shard)
    await this.#options.app.chat.leave(shard, this.#holder)
  }

  #joined(
    id: FrameId,
    { shard, maxMembers, members, memberCount, history }: JoinSnapshot,
    { messages = history.messages, ...recovery }: Recovery = {},
  ): string {
    const { seq, epoch } = history
    const encoded = { messages: this.#options.history.encode(messages), seq, epoch }
    return replies.joined(id, { shard, maxMembers, members, memberCount, ...encoded, ...recovery })
  }

  get #holder() {
    return { player: this.#player, sessionId: this.#session.id }
  }
}

/** Valid in this channel number only: continued in another one, the list would mix the members of both. */
const cursorOf = ({ incarnation, number }: Shard, next: number) => `${incarnation}.${number}.${next}`

function readCursor(cursor: string, shard: Shard): number | undefined {
  const next = Number(cursor.slice(cursor.lastIndexOf('.') + 1))
  return Number.isSafeInteger(next) && cursor === cursorOf(shard, next) ? next : undefined
}

function missed({ messages, seq, since, epoch }: ChannelHistory, knownEpoch: string, knownSeq: number) {
  const recovered = epoch === knownEpoch && knownSeq <= seq && knownSeq >= since
  return recovered ? { recovered, messages: messages.filter((each) => each.seq > knownSeq) } : { recovered }
}
