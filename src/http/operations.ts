import { banOperations } from './bans/operations.ts'
import { channelExtensions, channelOperations } from './channels/operations.ts'
import { draftOperations } from './filters/draft-operations.ts'
import { allowListOperations, profanityOperations } from './filters/list-operations.ts'
import type { InputLimits } from './input-fields.ts'
import { messageOperations } from './messages/operations.ts'
import type { Operation } from './operation.ts'
import { playerOperations } from './players/operations.ts'
import { RenderCache } from './render-cache.ts'
import { reportOperations } from './reports/operations.ts'
import { Turns } from './turns.ts'

/**
 * The management API: the table that drives router, validation, OpenAPI document and documentation. The ten operations of
 * the API document in its order, then the extensions.
 */
export function createOperations(limits: InputLimits): readonly Operation[] {
  const dependencies = { limits, cache: new RenderCache(), turns: new Turns() }
  return [
    ...channelOperations(dependencies),
    ...banOperations(dependencies),
    ...profanityOperations(dependencies),
    ...reportOperations(dependencies),
    ...channelExtensions(dependencies),
    ...allowListOperations(dependencies),
    ...draftOperations(dependencies),
    ...messageOperations(dependencies),
    ...playerOperations(dependencies),
  ]
}
