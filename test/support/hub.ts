import type { Change, Topic } from '../../src/core/events.ts'
import type { Ban, SequencedMessage, Shard } from '../../src/core/model.ts'
import type { StateWatcher } from '../../src/core/state/state.ts'
import { yieldToEventLoop } from '../../src/core/time-slice.ts'
import { Hub, type HubSession } from '../../src/gateway/hub.ts'
import { createLogger } from '../../src/log.ts'

export const shard = (name = 'a', number = 1, incarnation = 1): Shard => ({
  group: 'g',
  name,
  incarnation,
  number,
})
export const player = (id: string) => ({ id, name: id })
export const banOf = (playerId: string, seq: number, endsAt = 10_000): Ban => ({
  seq,
  playerId,
  count: seq,
  startsAt: 0,
  endsAt,
})
export const message = (from: string, where: Shard): SequencedMessage => ({
  id: 'm',
  shard: where,
  player: player(from),
  text: '****',
  original: 'rude',
  language: 'en',
  hits: [],
  at: 0,
  seq: 1,
  epoch: 'e',
})

/** A session with a fake socket: records the frame types it was sent and the topics of its socket. */
export class FakeSession implements HubSession {
  readonly id: string
  readonly topics = new Set<Topic>()
  readonly pushed: string[] = []
  readonly displacedFrom: Shard[] = []
  readonly closed: string[] = []
  readonly socket = {
    send: () => 'sent' as const,
    close: () => undefined,
    subscribe: (topic: Topic) => void this.topics.add(topic),
    unsubscribe: (topic: Topic) => void this.topics.delete(topic),
    bufferedBytes: () => 0,
  }

  constructor(id: string) {
    this.id = id
  }

  push(text: string): void {
    this.pushed.push(JSON.parse(text).type)
  }

  close(reason: string): void {
    this.closed.push(reason)
  }

  displace(from: Shard): void {
    this.displacedFrom.push(from)
  }
}

/** A hub whose bus, bans and channels the test controls. */
export function createHub() {
  const state = {
    now: 0,
    bans: new Map<string, Ban>(),
    /** Incarnation by name. */
    channels: new Map([['a', 1]]),
    memberCount: 0,
    failure: undefined as Error | undefined,
    publishFailure: undefined as Error | undefined,
  }
  const watchers: StateWatcher[] = []
  const subscribed = new Set<Topic>()
  const deliveries: number[] = []
  const texts: [Topic, Record<string, unknown>][] = []
  const fail = () => {
    if (state.failure !== undefined) throw state.failure
  }
  const hub = new Hub({
    app: {
      watch: (watcher) => void watchers.push(watcher),
      bans: { find: (id) => state.bans.get(id), remainSeconds: () => 1 },
      chat: { countMembers: async () => state.memberCount },
      channels: { isCurrent: ({ name, incarnation }) => state.channels.get(name) === incarnation },
    },
    bus: {
      publish: async (topic, event) => {
        fail()
        if (state.publishFailure !== undefined) throw state.publishFailure
        hub.deliver(topic, event)
      },
      subscribe: async (topic) => {
        fail()
        subscribed.add(topic)
      },
      unsubscribe: async (topic) => void subscribed.delete(topic),
    },
    clock: () => state.now,
    publish: (topic, text) => void texts.push([topic, JSON.parse(text)]),
    log: createLogger('silent'),
    loop: { lagMs: 0 },
    metrics: { countDeliveries: (readers) => void deliveries.push(readers) },
  })
  const change = (each: Change) => {
    for (const { changed } of watchers) changed(each)
  }
  const reload = () => {
    for (const { reloaded } of watchers) reloaded()
  }
  const add = async (id: string, playerId = id) => {
    const session = new FakeSession(id)
    await hub.add(session, player(playerId))
    return session
  }
  return { hub, state, subscribed, deliveries, texts, change, reload, add }
}

/** Lets work that the hub spreads over turns of the event loop complete, for up to 20 sessions. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 25; turn++) await yieldToEventLoop()
}
