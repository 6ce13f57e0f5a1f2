import { monotonicClock } from '../core/ports/clock.ts'
import { type Gateway, MAX_BUFFERED_BYTES } from '../gateway/gateway.ts'
import { Heartbeat, type Pingable, type PingState } from '../gateway/heartbeat.ts'
import type { Socket } from '../gateway/hub.ts'
import type { Session } from '../gateway/session.ts'

/** What a connection carries from its request on. */
export interface SocketData {
  readonly address: string
  /** Undefined until it is open. */
  player?: { readonly socket: BunSocket; readonly session: Session; readonly beat: PingState }
}

const MAX_FRAME_BYTES = 16_384
/** What Bun says of a text that it did not send, because too much waits or the connection is gone. */
const DROPPED = 0

/** The players' WebSockets: from Bun's events to the sessions of the gateway. */
export class PlayerSockets {
  readonly #gateway: Gateway
  readonly #heartbeat: Heartbeat

  constructor(gateway: Gateway, pingSeconds: number) {
    this.#gateway = gateway
    this.#heartbeat = new Heartbeat(pingSeconds * 1000, monotonicClock)
    this.#heartbeat.start()
  }

  stop(): void {
    this.#heartbeat.stop()
  }

  readonly handler: Bun.WebSocketHandler<SocketData> = {
    maxPayloadLength: MAX_FRAME_BYTES,
    backpressureLimit: MAX_BUFFERED_BYTES,
    // The gateway cuts whoever is behind, so that it is counted and told why; Bun would do it without a word.
    closeOnBackpressureLimit: false,
    // Bun takes what it sends for a sign of life, and would keep a dead peer for as long as others speak.
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    open: (ws) => {
      const socket = new BunSocket(ws)
      const session = this.#gateway.open(socket, ws.data.address)
      ws.data.player = { socket, session, beat: this.#heartbeat.add(socket) }
    },
    message: (ws, data) => {
      const { player } = ws.data
      if (player === undefined) return
      player.beat.missed = 0
      if (typeof data === 'string') player.session.receive(data)
      else player.session.close('protocol')
    },
    pong: (ws) => {
      if (ws.data.player !== undefined) ws.data.player.beat.missed = 0
    },
    close: (ws) => {
      if (ws.data.player === undefined) return
      this.#heartbeat.remove(ws.data.player.socket)
      this.#gateway.onClosed(ws.data.player.session)
    },
  }
}

/** A connection of Bun's, as the gateway wants it. */
class BunSocket implements Socket, Pingable {
  readonly #ws: Bun.ServerWebSocket<SocketData>

  constructor(ws: Bun.ServerWebSocket<SocketData>) {
    this.#ws = ws
  }

  send(text: string): boolean {
    return this.#ws.send(text) !== DROPPED || this.#ws.readyState !== WebSocket.OPEN
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
  }

  subscribe(topic: string): void {
    this.#ws.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.#ws.unsubscribe(topic)
  }

  bufferedBytes(): number {
    return this.#ws.getBufferedAmount()
  }

  ping(): void {
    this.#ws.ping()
  }

  terminate(): void {
    this.#ws.terminate()
  }
}
