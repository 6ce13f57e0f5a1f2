import { monotonicClock } from '../core/ports/clock.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { Heartbeat, type Pingable, type PingState } from '../gateway/heartbeat.ts'
import type { SendOutcome, Socket } from '../gateway/hub.ts'
import type { Session } from '../gateway/session.ts'
import { MAX_BUFFERED_BYTES } from '../gateway/slow-consumers.ts'

/** Data that Bun attaches to each connection. */
export interface SocketData {
  readonly address: string
  /** Undefined until the connection is open. */
  player?: { readonly socket: BunSocket; readonly session: Session; readonly pings: PingState }
}

const MAX_FRAME_BYTES = 16_384
/** Bun's send status for a text dropped because of backpressure or a closed connection. */
const DROPPED = 0
/** Its status for a text that the client could not take immediately. */
const BACKPRESSURE = -1

/** The players' WebSockets: maps Bun's events to gateway sessions. */
export class PlayerSockets {
  readonly #gateway: Pick<Gateway, 'open' | 'onClosed'>
  readonly #heartbeat: Heartbeat

  constructor(gateway: Pick<Gateway, 'open' | 'onClosed'>, pingSeconds: number) {
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
    // The gateway disconnects slow consumers itself, with a metric and a close code; Bun would do it silently.
    closeOnBackpressureLimit: false,
    // Bun counts sent data as activity and would keep a dead peer for as long as its channel is active.
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    open: (ws) => {
      const socket = new BunSocket(ws)
      const session = this.#gateway.open(socket, ws.data.address)
      ws.data.player = { socket, session, pings: this.#heartbeat.add(socket) }
    },
    message: (ws, data) => {
      const { player } = ws.data
      if (player === undefined) return
      player.pings.missed = 0
      if (typeof data === 'string') player.session.receive(data)
      else player.session.close('protocol')
    },
    pong: (ws) => {
      if (ws.data.player !== undefined) ws.data.player.pings.missed = 0
    },
    close: (ws) => {
      if (ws.data.player === undefined) return
      this.#heartbeat.remove(ws.data.player.socket)
      this.#gateway.onClosed(ws.data.player.session)
    },
  }
}

/** Adapts Bun's WebSocket to the gateway. */
class BunSocket implements Socket, Pingable {
  readonly #ws: Bun.ServerWebSocket<SocketData>

  constructor(ws: Bun.ServerWebSocket<SocketData>) {
    this.#ws = ws
  }

  send(text: string): SendOutcome {
    // Sends broadcasts that are due in the same system call.
    const status = this.#ws.cork(() => this.#ws.send(text))
    if (status === BACKPRESSURE) return 'unread'
    return status === DROPPED && this.#ws.readyState === WebSocket.OPEN ? 'dropped' : 'sent'
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
