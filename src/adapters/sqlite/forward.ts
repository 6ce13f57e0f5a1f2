import type { CallContext } from '../../core/context.ts'
import type { Committed } from '../../core/ports/fact-store.ts'

/** Reads as their caller sees them: each returns a promise. */
export type Remote<C> = {
  readonly [N in keyof C]: C[N] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never
}

/** Writes as their caller sees them: each takes a context and returns what was committed. */
export type RemoteWrites<C> = {
  readonly [N in keyof C]: C[N] extends (...args: infer A) => infer R
    ? (...args: [...A, context: CallContext]) => Promise<Committed<R>>
    : never
}

/** A list of all commands, which the compiler checks for completeness. */
export type Names<C> = Readonly<Record<keyof C, true>>

/** Creates a method for each command that sends the command's name and arguments to a worker. */
export function forward<M>(
  names: Readonly<Record<keyof M, true>>,
  send: (name: string, args: readonly unknown[]) => Promise<unknown>,
): M {
  const methods = Object.keys(names).map((name) => [name, (...args: unknown[]) => send(name, args)] as const)
  // Arguments and results are serialized between threads, so only the types can tell what they are.
  return Object.fromEntries(methods) as M
}
