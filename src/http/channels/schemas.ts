import { z } from 'zod'
import { isName } from '../../core/text.ts'
import { type InputLimits, integerField, nameField, upToBytes } from '../input-fields.ts'
import { flag, gamerId, integer, shardFields, spacedTime, text } from '../output-fields.ts'

const STRICT_NAME = /^[a-z0-9-]{4,48}$/
const RESERVED_GROUPS = new Set(['language', 'country', 'countrycode', 'guild', 'whisper'])

/** The fields that identify a channel. */
export function channelKeyFields({ nameBytes, strictNames }: InputLimits) {
  const isChannelName = strictNames ? (name: string) => STRICT_NAME.test(name) : isName
  const isGroupName = (name: string) => isChannelName(name) && !(strictNames && RESERVED_GROUPS.has(name))
  const schema = strictNames ? { pattern: STRICT_NAME.source } : upToBytes(nameBytes)
  return {
    channel_group: nameField(nameBytes, isGroupName).meta({ ...schema, description: 'Open channel group.' }),
    channel_name: nameField(nameBytes, isChannelName).meta({ ...schema, description: 'Channel name.' }),
  }
}

export function createChannelInputs(limits: InputLimits) {
  const key = z.object(channelKeyFields(limits))
  const maxCount = integerField(1, limits.maxCount).meta({
    description: 'Maximum number of members of each channel number.',
  })
  const isDefault = z.boolean().meta({ description: 'Makes it the FALLBACK channel of its group.' })
  const isAutoscaling = z.boolean().meta({ description: 'Whether the next number opens when all are full.' })
  return {
    group: key.pick({ channel_group: true }),
    key,
    newChannel: key.extend({
      max_count: maxCount.default(limits.defaultMaxCount),
      is_default: isDefault.default(false),
      is_autoscaling: isAutoscaling.default(true),
    }),
    changes: key.extend({
      max_count: maxCount.optional(),
      is_default: isDefault.optional(),
      is_autoscaling: isAutoscaling.optional(),
    }),
  }
}

const isDefault = flag('Whether this is the FALLBACK channel of its group.')
const createdAt = spacedTime('When it was created.')

export const groupName = text('Name of an open channel group.').meta({ id: 'GroupName', title: 'group name' })

export const openChannel = z
  .object({
    channel_name: shardFields.channel_name,
    channel_id: shardFields.channel_id,
    max_count: integer('Maximum number of members of this channel number.'),
    is_default: isDefault,
    is_autoscaling: flag('Whether channel numbers expand automatically.'),
    players: z
      .array(z.object({ gamer_id: gamerId, gamer_name: text('The name that players see.') }))
      .meta({ description: 'The members of this channel number.' }),
    last_chat_time: spacedTime('When someone last spoke; `create_at` if nobody has.'),
    create_at: createdAt,
  })
  .meta({ id: 'OpenChannel' })

export const channel = z
  .object({
    ...shardFields,
    max_count: integer('Maximum number of members of each channel number.'),
    is_default: isDefault,
    create_at: createdAt,
  })
  .meta({ id: 'Channel' })

export const deletedChannel = z.object(shardFields).meta({ id: 'DeletedChannel' })
