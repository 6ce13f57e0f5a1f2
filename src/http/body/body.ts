import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { ChatError } from '../../core/errors.ts'
import { RequestError } from '../errors.ts'
import type { Permit } from '../semaphore.ts'
import { isBounded } from './json-limits.ts'
import { parse } from './parse.ts'

/** A longer body needs a permit, and is parsed in a worker. */
export const LONG_BYTES = 65_536

/** Reads the body, at most `maxBytes` of it; empty if there is none. Acquires `permit` for a long body. */
export async function readBody(request: Request, maxBytes: number, permit: Permit): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length) > maxBytes) throw new RequestError('too-large')
  if (Number(length) > LONG_BYTES) await permit.acquire()
  try {
    if (length !== null) return await request.bytes()
    return request.body === null ? new Uint8Array() : await readAtMost(request.body, maxBytes, permit)
  } catch (thrown) {
    // The client disconnected before the end of the body: nobody reads the response, and the server did not fail.
    throw thrown instanceof RequestError || thrown instanceof ChatError
      ? thrown
      : new RequestError('not-object')
  }
}

async function readAtMost(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  permit: Permit,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const reader = body.getReader()
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      // `respondAndDrain` reads the rest.
      reader.releaseLock()
      throw new RequestError('too-large')
    }
    if (size > LONG_BYTES) await permit.acquire()
    chunks.push(value)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

/** A body to parse. Can be posted to a worker. */
export interface BodyJob {
  readonly bytes: Uint8Array
  /** Properties in the path, still percent-encoded. */
  readonly segments: Readonly<Record<string, string>>
  /** Method and path, if a fingerprint of the request is needed. */
  readonly requestLine: string | undefined
}

export interface ParsedBody {
  readonly input: unknown
  readonly fingerprint: string | undefined
}

/** Parses and validates a body that must be a JSON object. */
export function parseBody(schema: z.ZodObject, { bytes, segments, requestLine }: BodyJob): ParsedBody {
  const text = decode(bytes)
  const input = parse(schema, { ...parseObject(text), ...decodeSegments(segments) })
  return { input, fingerprint: requestLine === undefined ? undefined : fingerprintOf(requestLine, text) }
}

export function decodeSegments(segments: BodyJob['segments']): Record<string, string> {
  return Object.fromEntries(Object.entries(segments).map(([name, text]) => [name, decodeSegment(name, text)]))
}

function decodeSegment(name: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RequestError('invalid', name)
  }
}

/** Identifies a request: the same idempotency key with another fingerprint is an error. */
export const fingerprintOf = (requestLine: string, input: string): string =>
  createHash('sha256').update(requestLine).update('\n').update(input).digest('base64url')

function parseObject(text: string): Record<string, unknown> {
  if (!isBounded(text)) throw new RequestError('not-object')
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestError('not-object')
  return value as Record<string, unknown>
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new RequestError('not-object')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError('not-object')
  }
}
