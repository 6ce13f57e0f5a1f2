import { signToken } from '../test/support/player.ts'

export const GROUP = 'bench'
export const channelName = (n: number) => `bench-${n}`

/** The protocol of a chat server, over WebSocket frames. */
export interface Dialect {
  readonly path: string
  /** Runs before the measurement starts. */
  prepare(members: number): Promise<void>
  /** The first text that a member sends. Undefined if the server speaks first; `SEATED` if no handshake is needed. */
  hello(member: number): string | undefined
  /** The reply to a text that is not a delivery. */
  next(member: number, text: string): string | undefined
  say(text: string, n: number): string
  /** The prefix of deliveries. */
  readonly deliveryStart: string
}

/** Returned by `hello` and `next` once the member is seated. */
export const SEATED = 'seated'

export type DialectName = 'parley' | 'topic-echo' | 'socket.io'

export const createDialect = (name: DialectName, channels: number): Dialect =>
  name === 'parley' ? new ParleyDialect(channels) : name === 'topic-echo' ? topicEcho : socketIo

class ParleyDialect implements Dialect {
  readonly path = '/gateway/v1'
  readonly deliveryStart = '{"type":"message",'
  readonly #channels: number
  #tokens: string[] = []

  constructor(channels: number) {
    this.#channels = channels
  }

  async prepare(members: number): Promise<void> {
    this.#tokens = await Promise.all(Array.from({ length: members }, (_, n) => signToken(`player-${n}`)))
  }

  hello(member: number): string {
    return JSON.stringify({ type: 'connect', id: 1, token: this.#tokens[member] })
  }

  next(member: number, text: string): string | undefined {
    if (text.startsWith('{"type":"error"')) throw new Error(text)
    if (text.startsWith('{"type":"connected"')) {
      const channel = channelName(member % this.#channels)
      return JSON.stringify({ type: 'join', id: 2, channel_group: GROUP, channel_name: channel })
    }
    return text.startsWith('{"type":"joined"') ? SEATED : undefined
  }

  say(text: string, n: number): string {
    return `{"type":"say","id":${n},"channel_group":"${GROUP}","message":"${text}"}`
  }
}

const topicEcho: Dialect = {
  path: '/',
  deliveryStart: '#',
  prepare: async () => {},
  hello: () => SEATED,
  next: () => undefined,
  say: (text) => text,
}

/** Engine.IO 4 around Socket.IO 5: `0` opens, `2` is a ping, `40` connects, `42` is an event. */
const socketIo: Dialect = {
  path: '/socket.io/?EIO=4&transport=websocket',
  deliveryStart: '42["message","',
  prepare: async () => {},
  hello: () => undefined,
  next: (_, text) => {
    if (text.startsWith('0')) return '40'
    if (text.startsWith('40')) return SEATED
    return text === '2' ? '3' : undefined
  },
  say: (text) => `42["say","${text}"]`,
}
