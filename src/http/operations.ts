import { RenderCache } from './lists.ts'
import type { Operation } from './operation.ts'
import { banOperations } from './operations/bans.ts'
import { channelExtensions, channelOperations } from './operations/channels.ts'
import { filterOperations } from './operations/filter.ts'
import { messageOperations } from './operations/messages.ts'
import { playerOperations } from './operations/players.ts'
import { allowListOperations, profanityOperations } from './operations/profanity.ts'
import { reportOperations } from './operations/reports.ts'
import { createInputs, type InputLimits } from './schemas.ts'

/**
 * The management API: the table that router, validation, OpenAPI document and documentation are made of. The ten
 * operations of the document in its order, then the extensions.
 */
export function createOperations(limits: InputLimits): readonly Operation[] {
  const dependencies = { inputs: createInputs(limits), cache: new RenderCache() }
  return [
    ...channelOperations(dependencies),
    ...banOperations(dependencies),
    ...profanityOperations(dependencies),
    ...reportOperations(dependencies),
    ...channelExtensions(dependencies),
    ...allowListOperations(dependencies),
    ...filterOperations(dependencies),
    ...messageOperations(dependencies),
    ...playerOperations(dependencies),
  ]
}
