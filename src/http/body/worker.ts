import { lowerThreadPriority } from '../../thread-priority.ts'
import { RequestError, type RequestErrorKind } from '../errors.ts'
import type { InputLimits } from '../input-fields.ts'
import { createOperations } from '../operations.ts'
import { type BodyJob, type ParsedBody, parseBody } from './body.ts'

/** The worker that parses and validates long bodies, as the main thread does short ones. */

export type ToWorker =
  | { readonly kind: 'start'; readonly limits: InputLimits }
  | { readonly kind: 'parse'; readonly operation: string; readonly job: BodyJob }

export type FromWorker =
  | { readonly kind: 'parsed'; readonly parsed: ParsedBody }
  | { readonly kind: 'rejected'; readonly error: RequestErrorKind; readonly property: string }
  | { readonly kind: 'failed'; readonly message: string }

declare const self: Worker

lowerThreadPriority()

let operations: ReturnType<typeof createOperations> = []

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start') {
    operations = createOperations(data.limits)
    return
  }
  self.postMessage(parseJob(data))
  // A long body leaves megabytes of garbage, which the collector is slow to free on its own.
  Bun.gc(true)
}

function parseJob({ operation: id, job }: Extract<ToWorker, { kind: 'parse' }>): FromWorker {
  try {
    const operation = operations.find((row) => row.id === id)
    if (operation === undefined) throw new Error(`There is no operation ${id}.`)
    return { kind: 'parsed', parsed: parseBody(operation.input, job) }
  } catch (thrown) {
    return thrown instanceof RequestError
      ? { kind: 'rejected', error: thrown.kind, property: thrown.property }
      : { kind: 'failed', message: String(thrown) }
  }
}
