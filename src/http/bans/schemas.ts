import { z } from 'zod'
import { gamerIdField, type InputLimits, numberField } from '../input-fields.ts'
import { gamerId, integer, isoTime } from '../output-fields.ts'

export function createBanInputs(limits: InputLimits) {
  const player = z.object({ gamer_id: gamerIdField(limits) })
  const days = numberField((value) => value > 0 && value <= limits.banDays).meta({
    exclusiveMinimum: 0,
    maximum: limits.banDays,
    description: 'Length of the ban in days; 0.5 is twelve hours.',
  })
  return { player, ban: player.extend({ days }) }
}

export const restrictedUser = z
  .object({
    gamer_id: gamerId,
    count: integer('Bans ever applied to this player; lifting and expiry do not reset it.'),
    start_time: isoTime('When the ban began.'),
    end_time: isoTime('When it ends.'),
  })
  .meta({ id: 'RestrictedUser' })
