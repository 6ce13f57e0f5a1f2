import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { ChatError } from '../../core/errors.ts'
import { RequestError } from '../errors.ts'
import type { Permit } from '../semaphore.ts'
import { parse } from './parse.ts'

const MAX_DEPTH = 32
const MAX_KEYS = 1000

/** A longer body is read and parsed only when there is a place for it, and parsed in a thread. */
export const LONG_BYTES = 65_536

/** The bytes of the body, none when there is no body. Never reads more than `maxBytes`; acquires `permit` for a long one. */
export async function readBody(request: Request, maxBytes: number, permit: Permit): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length) > maxBytes) throw new RequestError('too-large')
  if (Number(length) > LONG_BYTES) await permit.acquire()
  try {
    if (length !== null) return await request.bytes()
    return request.body === null ? new Uint8Array() : await readAtMost(request.body, maxBytes, permit)
  } catch (thrown) {
    // The caller is gone before the end of its body: nobody hears the answer, and nothing here has failed.
    throw thrown instanceof RequestError || thrown instanceof ChatError
      ? thrown
      : new RequestError('not-object')
  }
}

/** A body to parse, as plain data. */
export interface BodyJob {
  readonly bytes: Uint8Array
  /** Properties that stand in the path, as they stand there. */
  readonly segments: Readonly<Record<string, string>>
  /** Method and path, where a fingerprint of the request is wanted. */
  readonly asked: string | undefined
}

export interface ParsedBody {
  readonly input: unknown
  readonly fingerprint: string | undefined
}

/** Reads what an operation takes from a body that is a JSON object. */
export function parseBody(schema: z.ZodObject, { bytes, segments, asked }: BodyJob): ParsedBody {
  const text = decode(bytes)
  const input = parse(schema, { ...parseObject(text), ...decodeSegments(segments) })
  return { input, fingerprint: asked === undefined ? undefined : fingerprintOf(asked, text) }
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

export const fingerprintOf = (asked: string, sent: string): string =>
  createHash('sha256').update(asked).update('\n').update(sent).digest('base64url')

/** Reads a JSON object, bounded in depth and keys before it is parsed. */
function parseObject(text: string): Record<string, unknown> {
  if (!isBounded(text)) throw new RequestError('not-object')
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestError('not-object')
  return value as Record<string, unknown>
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
      // Whoever answers drains the rest.
      reader.releaseLock()
      throw new RequestError('too-large')
    }
    if (size > LONG_BYTES) await permit.acquire()
    chunks.push(value)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
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

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Counts nesting and keys of a text that may be JSON, without building anything of it. */
function isBounded(text: string): boolean {
  let depth = 0
  let keys = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case COLON:
        if (++keys > MAX_KEYS) return false
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return false
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return true
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) return index
    if (unit === BACKSLASH) index++
  }
  return text.length
}
