export { type ClientOptions, ParleyClient } from './client.ts'
export type { Closed, Disconnected, Events, Gap, Handler, Resumed } from './events.ts'
export {
  type Ban,
  type Channel,
  type ErrorCode,
  type FilterHit,
  type Message,
  type MessageDeleted,
  type Moved,
  ParleyError,
  type Place,
  type Player,
  type PlayerCount,
  type PlayerEvent,
  type PlayersPage,
  type Said,
  type Session,
  type WantedChannel,
} from './protocol.ts'
export type { JoinRequest } from './seats.ts'
export type { Timers } from './timers.ts'
