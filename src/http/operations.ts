import { KeptLists } from './lists.ts'
import type { Operation } from './operation.ts'
import { banOperations } from './operations/bans.ts'
import { channelExtensions, channelOperations } from './operations/channels.ts'
import { filterOperations } from './operations/filter.ts'
import { messageOperations } from './operations/messages.ts'
import { playerOperations } from './operations/players.ts'
import { allowListOperations, profanityOperations } from './operations/profanity.ts'
import { reportOperations } from './operations/reports.ts'
import { createInputs, type WireLimits } from './schemas.ts'

/**
 * The management API: the table that router, validation, OpenAPI document and documentation are made of. The ten
 * operations of the document in its order, then the extensions.
 */
export function createOperations(limits: WireLimits): readonly Operation[] {
  const ingredients = { inputs: createInputs(limits), kept: new KeptLists() }
  return [
    ...channelOperations(ingredients),
    ...banOperations(ingredients),
    ...profanityOperations(ingredients),
    ...reportOperations(ingredients),
    ...channelExtensions(ingredients),
    ...allowListOperations(ingredients),
    ...filterOperations(ingredients),
    ...messageOperations(ingredients),
    ...playerOperations(ingredients),
  ]
}
