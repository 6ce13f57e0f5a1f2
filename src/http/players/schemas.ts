import { z } from 'zod'
import {
  gamerIdField,
  type InputLimits,
  integerField,
  languageField,
  nameField,
  upToBytes,
} from '../input-fields.ts'
import { isoTime, text } from '../output-fields.ts'

const DEFAULT_TOKEN_SECONDS = 3600
const MAX_TOKEN_SECONDS = 2_592_000

export const createPlayerInputs = (limits: InputLimits) => ({
  token: z.object({
    gamer_id: gamerIdField(limits),
    gamer_name: nameField(limits.nicknameBytes).meta({
      ...upToBytes(limits.nicknameBytes),
      description: 'The name that other players see.',
    }),
    language: languageField(
      "The player's language code, such as `ko-kr`: selects the profanity lists, besides `all`.",
    ).optional(),
    expires_in: integerField(1, MAX_TOKEN_SECONDS)
      .meta({ description: 'Seconds until the token expires.' })
      .default(DEFAULT_TOKEN_SECONDS),
  }),
})

export const playerToken = z
  .object({
    token: text('A JWT, for the `connect` frame of the gateway.'),
    expires_at: isoTime('When it expires.'),
  })
  .meta({ id: 'PlayerToken' })
