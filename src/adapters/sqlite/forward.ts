import type { Mode } from './worker-host.ts'

/** The commands as their caller sees them: each returns a promise. */
export type Remote<C> = {
  readonly [N in keyof C]: C[N] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never
}

/** The worker that runs each command. */
export type Routes<C> = Readonly<Record<keyof C, Mode>>

/** Creates a method for each command, which sends the command's name and arguments to its worker. */
export function forward<C>(
  routes: Routes<C>,
  send: (mode: Mode, name: string, args: readonly unknown[]) => Promise<unknown>,
): Remote<C> {
  const methods: Record<string, (...args: readonly unknown[]) => Promise<unknown>> = {}
  for (const [name, mode] of Object.entries<Mode>(routes)) {
    methods[name] = (...args) => send(mode, name, args)
  }
  // Arguments and results are serialized between threads, so only the types can tell what they are.
  return methods as Remote<C>
}
