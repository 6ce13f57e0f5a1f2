import { z } from 'zod'
import { isMessageText, isPlainText } from '../../core/text.ts'
import { channelKeyFields } from '../channels/schemas.ts'
import { checkText, type InputLimits, numberField, textField, upToBytes } from '../input-fields.ts'
import { flag, isoTime, shardFields, text } from '../output-fields.ts'

const MAX_MESSAGE_ID_BYTES = 128

export function createMessageInputs(limits: InputLimits) {
  return {
    key: z.object({
      message_id: textField(MAX_MESSAGE_ID_BYTES, (id) => id !== '' && isPlainText(id)).meta({
        ...upToBytes(MAX_MESSAGE_ID_BYTES),
        description: 'The id that players know the message by.',
      }),
    }),
    systemMessage: z.object({
      channel_type: numberField((type) => type === 1).meta({
        const: 1,
        description: 'Channel type: 1, the open channel.',
      }),
      ...channelKeyFields(limits),
      channel_id: numberField((number) => Number.isSafeInteger(number) && number >= 0)
        .meta({
          type: 'integer',
          minimum: 0,
          description: 'Channel number; 0 or absent for every number of the channel.',
        })
        .optional(),
      message: messageField(limits.messageBytes),
    }),
  }
}

const isMessage = (message: string) => message !== '' && isMessageText(message)

/** Measured as it is delivered, without white space at either end. */
const messageField = (maxBytes: number) =>
  z
    .string()
    .superRefine((value, context) => checkText(maxBytes, isMessage)(value.trim(), context))
    .meta({ ...upToBytes(maxBytes), description: 'Message text.' })

export const message = z
  .object({
    message_id: text('The id that players know the message by.'),
    ...shardFields,
    gamer_id: text('The player who sent it; empty for a system message.'),
    gamer_name: text('Their name at the time.'),
    message: text('As players saw it.'),
    original: text('As it was written.'),
    time: isoTime('When it was sent.'),
    deleted: flag('Whether it was deleted for players.'),
  })
  .meta({ id: 'Message' })
