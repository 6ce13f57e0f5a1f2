import type { App } from '../core/app.ts'
import type { JoinTarget } from '../core/chat.ts'
import { PlayerError } from '../core/errors.ts'
import type { Player, Shard } from '../core/model.ts'
import type { ChannelHistory } from '../core/ports/bus.ts'
import { pushes, replies } from './frames.ts'
import type { Hub, HubSession } from './hub.ts'
import type { ClientFrame } from './protocol.ts'

type Frame<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

export interface SessionSeatsParts {
  readonly app: App
  readonly hub: Hub
  readonly groupsPerPlayer: number
}

/** The seats of one session: one in each group. Gives back the frames that answer what the client asked for. */
export class SessionSeats {
  readonly #session: HubSession
  readonly #player: Player
  readonly #parts: SessionSeatsParts
  readonly #seats = new Map<string, Shard>()

  constructor(session: HubSession, player: Player, parts: SessionSeatsParts) {
    this.#session = session
    this.#player = player
    this.#parts = parts
  }

  /** Throws where the player has no seat in the group. */
  in(group: string): Shard {
    const shard = this.#seats.get(group)
    if (shard === undefined) throw new PlayerError('not-joined')
    return shard
  }

  async join({ id, group, name, number }: Frame<'join'>): Promise<string> {
    const { history, ...arrival } = await this.#take({ group, name, number })
    return replies.joined(id, { ...arrival, ...newest(history) })
  }

  /** Sits down in the same number, and says whether everything since `seq` is still there. */
  async resume({ id, group, name, number, epoch, seq }: Frame<'resume'>): Promise<string> {
    const { history, ...arrival } = await this.#take({ group, name, number, epoch })
    const { shard } = arrival
    if (shard.name !== name || shard.number !== number)
      return replies.joined(id, { ...arrival, ...newest(history), recovered: false })
    // A player who was away has not heard that what is on the screen was deleted.
    for (const each of history.retracted) this.#session.push(pushes.messageDeleted(shard, each))
    return replies.joined(id, { ...arrival, ...missed(history, epoch, seq) })
  }

  async leave({ id, group }: Frame<'leave'>): Promise<string> {
    const shard = this.in(group)
    this.#seats.delete(group)
    await this.#stand(shard)
    return replies.left(id, group)
  }

  async leaveAll(): Promise<void> {
    for (const shard of this.#seats.values()) await this.#stand(shard)
  }

  /** The channel of a seat is gone: sits down in the group's FALLBACK where there is one. */
  async displace(from: Shard): Promise<void> {
    if (this.#seats.get(from.group) !== from) return
    this.#seats.delete(from.group)
    this.#session.push(pushes.channelDeleted(from))
    await this.#parts.hub.unsubscribe(this.#session, from)
    await this.#parts.app.chat.vacate(from, this.#joiner)
    try {
      const { history, ...arrival } = await this.#take({
        group: from.group,
        name: undefined,
        number: undefined,
      })
      this.#session.push(pushes.moved(from, arrival.shard))
      this.#session.push(replies.joined(null, { ...arrival, ...newest(history) }))
    } catch (thrown) {
      if (!(thrown instanceof PlayerError)) throw thrown
    }
  }

  async #take(wish: JoinTarget) {
    if (this.#seats.has(wish.group)) throw new PlayerError('already-joined')
    if (this.#seats.size >= this.#parts.groupsPerPlayer) throw new PlayerError('too-many-groups')
    return this.#sitDown(await this.#parts.app.chat.takeSeat(wish, this.#joiner))
  }

  /** Subscribes before it asks how things stand, so that nothing falls between. */
  async #sitDown(shard: Shard) {
    const { hub, app } = this.#parts
    this.#seats.set(shard.group, shard)
    try {
      await hub.subscribe(this.#session, shard)
      const arrival = await app.chat.completeJoin(shard, this.#player)
      // Pushes of messages that the answer has too go out before it, never after.
      await hub.settled(shard)
      return arrival
    } catch (thrown) {
      this.#seats.delete(shard.group)
      await hub.unsubscribe(this.#session, shard)
      await app.chat.vacate(shard, this.#joiner)
      throw thrown
    }
  }

  async #stand(shard: Shard): Promise<void> {
    await this.#parts.hub.unsubscribe(this.#session, shard)
    await this.#parts.app.chat.leave(shard, this.#joiner)
  }

  get #joiner() {
    return { player: this.#player, sessionId: this.#session.id }
  }
}

const newest = ({ messages, seq, epoch }: ChannelHistory) => ({ messages, seq, epoch })

function missed({ messages, seq, since, epoch }: ChannelHistory, knownEpoch: string, knownSeq: number) {
  const recovered = epoch === knownEpoch && knownSeq <= seq && knownSeq >= since
  const later = messages.filter((message) => message.seq > knownSeq)
  return { messages: recovered ? later : messages, seq, epoch, recovered }
}
