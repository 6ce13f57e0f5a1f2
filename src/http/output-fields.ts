import { z } from 'zod'

/** Fields of response schemas. A schema with an `id` in its metadata is a component of the OpenAPI document. */

export const text = (description: string) => z.string().meta({ description })
export const integer = (description: string) => z.number().meta({ type: 'integer', description })
export const flag = (description: string) => z.boolean().meta({ description })

export const spacedTime = (description: string) =>
  z.string().meta({
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
    description: `${description} UTC, \`YYYY-MM-DD HH:MM:SS\`.`,
  })

export const isoTime = (description: string) =>
  z.string().meta({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    description: `${description} UTC, \`YYYY-MM-DDTHH:MM:SSZ\`.`,
  })

export const gamerId = text("The player's unique id.")

/** Identifies one channel number. */
export const shardFields = {
  channel_group: text('Open channel group.'),
  channel_name: text('Channel name.'),
  channel_id: integer('Channel number, from 1.'),
}
