import type { Change } from '../../../core/events.ts'

/** A change before it has a version. */
type Draft = Change extends infer C ? (C extends Change ? Omit<C, 'version'> : never) : never

/** Gives a change its version and keeps it for the outcome of the command. */
export type RecordChange = (draft: Draft) => Change
