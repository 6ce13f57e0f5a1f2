import type { Change } from '../../../core/events.ts'

/** A change before it has a version. */
export type Draft = Change extends infer C ? (C extends Change ? Omit<C, 'version'> : never) : never

/** Assigns a version to a change and adds it to the outcome of the command. */
export type RecordChange = (draft: Draft) => Change
