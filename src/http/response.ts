import type { Body, CompressedVariants } from './compression.ts'
import { addHeaders, errorResponse, RequestError } from './errors.ts'
import type { Operation, OperationResult } from './operation.ts'
import { type Cursor, writeCursor } from './paging.ts'

export interface ApiResponse {
  /** The id of the operation; '' when the request was rejected before one was found. */
  readonly operation: string
  readonly status: number
  readonly body: Body
  readonly headers: Headers
  readonly variants?: CompressedVariants | undefined
  readonly isSecret?: boolean | undefined
  readonly isLongLived?: boolean | undefined
  /** The cause of an error response. */
  readonly thrown?: unknown
}

/** What is known of a request when it fails: the error response needs it. */
export interface Progress {
  operation: string
  headers: Headers
}

interface RequestTarget {
  readonly path: string
  readonly query: string
}

export function toResponse(
  result: OperationResult,
  operation: Operation,
  target: RequestTarget,
  { headers }: Progress,
): ApiResponse {
  if (result.headers !== undefined) addHeaders(headers, result.headers)
  if ('next' in result && result.next !== undefined) headers.set('Link', nextLink(target, result.next))
  const status = 'status' in result ? result.status : 200
  const variants = 'variants' in result ? result.variants : undefined
  const isLongLived = 'isLongLived' in result ? result.isLongLived : undefined
  const { id, isSecret } = operation
  return { operation: id, status, body: bodyOf(result), headers, variants, isSecret, isLongLived }
}

export const reject = (thrown: unknown, { operation, headers }: Progress): ApiResponse => ({
  operation,
  ...errorResponse(thrown, headers),
  thrown,
})

function bodyOf(result: OperationResult): Body {
  if ('body' in result) return result.body
  if ('stream' in result) return result.stream
  return 'value' in result ? JSON.stringify(result.value) : null
}

function nextLink({ path, query }: RequestTarget, cursor: Cursor): string {
  const next = new URLSearchParams(query)
  next.set('cursor', writeCursor(cursor))
  return `<${path}?${next}>; rel="next"`
}

/** Responds to OPTIONS, and rejects other methods. */
export function rejectMethod(method: string, allowed: readonly string[]): ApiResponse {
  const Allow = [
    ...(allowed.includes('GET') ? ['GET', 'HEAD'] : []),
    ...allowed.filter((m) => m !== 'GET'),
    'OPTIONS',
  ].join(', ')
  if (method !== 'OPTIONS') throw new RequestError('method-not-allowed', '', { Allow })
  return { operation: '', status: 204, body: null, headers: new Headers({ Allow }) }
}
