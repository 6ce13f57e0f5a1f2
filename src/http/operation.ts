import type { z } from 'zod'
import type { App } from '../core/app.ts'
import type { Idempotency } from '../core/ports/store.ts'
import type { Role } from './auth.ts'
import type { ErrorKind } from './errors.ts'
import type { InputLimits } from './input-fields.ts'
import type { Page } from './paging.ts'
import type { RenderedList } from './render.ts'
import type { RenderCache } from './render-cache.ts'

export const BASE_PATH = '/chat/v1'

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/** What an operation is called with. */
export interface Call<Input> {
  readonly app: App
  readonly input: Input
  readonly page: Page | undefined
  readonly idempotency: Idempotency | undefined
  readonly header: (name: string) => string | null
}

/** What it answers: a value for JSON, text that is JSON already, or nothing but a status. */
export type OperationResult = { readonly headers?: Readonly<Record<string, string>> } & (
  | { readonly value: unknown }
  | RenderedList
  | { readonly status: 304 }
)

/** What the rows of the table are made with. */
export interface OperationDependencies {
  readonly limits: InputLimits
  readonly cache: RenderCache
}

/** A row of the table. */
export interface Operation<Input = never> {
  readonly id: string
  readonly method: Method
  /** Below the base path. A segment `{name}` is the property of that name of the input. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly role: Role
  /** The properties in the path, with the query of a GET or the JSON body of the others; a DELETE takes either. */
  readonly input: z.ZodObject
  readonly output: { readonly schema: z.ZodType; readonly isList: boolean }
  readonly hasEtag?: true
  /** Stores nothing that a repeat could double, so an `Idempotency-Key` means nothing to it. */
  readonly ignoresKey?: true
  /** Its answer holds a secret, so it is never compressed. */
  readonly isSecret?: true
  /** What it refuses beyond credentials and the form of the input. */
  readonly errors: readonly ErrorKind[]
  readonly example: { readonly input: Readonly<Record<string, unknown>>; readonly output: unknown }
  readonly handle: (call: Call<Input>) => Promise<OperationResult> | OperationResult
}

export const PATH_PROPERTY = /\{(\w+)\}/g

/** The properties of the input that stand in the path. */
export const pathProperties = ({ path }: Pick<Operation, 'path'>): string[] =>
  Array.from(path.matchAll(PATH_PROPERTY), ([, name = '']) => name)

/** An operation's example, as it is sent: the path with its properties, and those that stand elsewhere. */
export function exampleRequest({ path, example }: Pick<Operation, 'path' | 'example'>) {
  const inPath = pathProperties({ path })
  return {
    path: path.replace(PATH_PROPERTY, (_, name: string) => encodeURIComponent(String(example.input[name]))),
    properties: Object.fromEntries(Object.entries(example.input).filter(([name]) => !inPath.includes(name))),
  }
}

/** Ties the type that a handler gets to the schema that has checked it. */
export function operation<Schema extends z.ZodObject>(
  row: Omit<Operation, 'input' | 'handle'> & {
    readonly input: Schema
    readonly handle: (call: Call<z.output<Schema>>) => Promise<OperationResult> | OperationResult
  },
): Operation {
  return row as Operation
}
