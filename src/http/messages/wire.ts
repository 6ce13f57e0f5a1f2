import type { LoggedMessage } from '../../core/model.ts'
import { renderShard } from '../channels/wire.ts'
import { isoTime } from '../times.ts'

export const renderMessage = (message: LoggedMessage) => ({
  message_id: message.id,
  ...renderShard(message.shard),
  gamer_id: message.player?.id ?? '',
  gamer_name: message.player?.name ?? '',
  message: message.text,
  original: message.original,
  time: isoTime(message.at),
  deleted: message.deletedAt !== undefined,
})
