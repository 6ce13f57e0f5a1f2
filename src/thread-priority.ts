import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Niceness above that of the main thread, up to the highest. */
const BACKGROUND_NICENESS = 10
const MAX_NICENESS = 19

/**
 * Lowers the priority of the calling worker, so that the main event loop gets the processor first. Only Linux has a
 * priority per thread; elsewhere, or without permission, the worker keeps the priority of the process.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, Math.min(getPriority(process.pid) + BACKGROUND_NICENESS, MAX_NICENESS))
  } catch {
    // Slower chat during large edits is no reason to fail the start.
  }
}
