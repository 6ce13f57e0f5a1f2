export { type ClientOptions, ParleyClient } from './client.ts'
export type {
  ClientEvents,
  ClosedEvent,
  DisconnectedEvent,
  EventHandler,
  GapEvent,
  ResumedEvent,
} from './events.ts'
export {
  type Ban,
  type Channel,
  type ChannelRef,
  type ErrorCode,
  type FilterHit,
  type Message,
  type MessageDeletedEvent,
  type MovedEvent,
  ParleyError,
  type Player,
  type PlayerCountEvent,
  type PlayerEvent,
  type PlayersPage,
  type RequestedChannel,
  type SayResult,
  type Session,
} from './protocol.ts'
export type { JoinRequest } from './seats.ts'
export type { Timers } from './timers.ts'
