import type { Ban } from '../../core/model.ts'
import type { ListShape } from '../paging.ts'
import { isoTime } from '../times.ts'

const renderBan = (ban: Ban) => ({
  gamer_id: ban.playerId,
  count: ban.count,
  start_time: isoTime(ban.startsAt),
  end_time: isoTime(ban.endsAt),
})

export const banList: ListShape<Ban> = {
  name: 'bans',
  render: (ban) => [JSON.stringify(renderBan(ban))],
  position: ({ seq }) => [seq],
  isAfter: (ban, [seq]) => ban.seq < Number(seq),
  positionTypes: ['number'],
}
