import type { z } from 'zod'
import type { App } from '../core/app.ts'
import type { CallContext } from '../core/context.ts'
import type { Role } from './authenticator.ts'
import type { ErrorKind } from './errors.ts'
import type { InputLimits } from './input-fields.ts'
import type { Page } from './paging.ts'
import type { RenderedList } from './render.ts'
import type { RenderCache } from './render-cache.ts'
import type { ChunkSource } from './streams/stream.ts'
import type { Turns } from './turns.ts'

export const BASE_PATH = '/chat/v1'

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** The arguments of a handler. */
export interface Call<Input> {
  readonly app: App
  readonly input: Input
  readonly page: Page | undefined
  /** Passed on to every write of the core. */
  readonly context: CallContext
  readonly header: (name: string) => string | null
  /** Aborted when the server begins to drain. A long-lived stream must end then. */
  readonly draining: AbortSignal
}

/** A value to serialize, JSON text, JSON text in chunks, or a status without a body. */
export type OperationResult = { readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly value: unknown }
  | RenderedList
  | { readonly stream: ChunkSource; readonly isLongLived?: true }
  | { readonly status: 304 }
)

export interface OperationDependencies {
  readonly limits: InputLimits
  readonly cache: RenderCache
  /** Shared by all streamed lists. */
  readonly turns: Turns
}

/** A row of the table of operations. */
export interface Operation<Input = never> {
  readonly id: string
  readonly method: Method
  /** Below the base path. A segment `{name}` is the input property of that name. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly role: Role
  /** The properties in the path, together with the query of a GET or the JSON body of the others; a DELETE takes either. */
  readonly input: z.ZodObject
  readonly output: { readonly schema: z.ZodType; readonly isList: boolean }
  readonly hasEtag?: true
  /** Stores nothing that a retry could duplicate, so it ignores the `Idempotency-Key` header. */
  readonly ignoresKey?: true
  /** The response contains a secret, so it is never compressed. */
  readonly isSecret?: true
  /** Errors other than those of credentials and input validation. */
  readonly errors: readonly ErrorKind[]
  readonly example: { readonly input: Readonly<Record<string, unknown>>; readonly output: unknown }
  readonly handle: (call: Call<Input>) => Promise<OperationResult> | OperationResult
}

export const PATH_PROPERTY = /\{(\w+)\}/g

/** The input properties that are part of the path. */
export const pathProperties = ({ path }: Pick<Operation, 'path'>): string[] =>
  Array.from(path.matchAll(PATH_PROPERTY), ([, name = '']) => name)

/** The request of an operation's example: the path with its properties filled in, and the other properties. */
export function exampleRequest({ path, example }: Pick<Operation, 'path' | 'example'>) {
  const inPath = pathProperties({ path })
  return {
    path: path.replace(PATH_PROPERTY, (_, name: string) => encodeURIComponent(String(example.input[name]))),
    properties: Object.fromEntries(Object.entries(example.input).filter(([name]) => !inPath.includes(name))),
  }
}

/** Infers the input type of a handler from the schema that validates it. */
export function operation<Schema extends z.ZodObject>(
  row: Omit<Operation, 'input' | 'handle'> & {
    readonly input: Schema
    readonly handle: (call: Call<z.output<Schema>>) => Promise<OperationResult> | OperationResult
  },
): Operation {
  return row as Operation
}
