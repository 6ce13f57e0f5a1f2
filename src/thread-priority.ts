import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const BACKGROUND_NICENESS = 10

/**
 * Lowers the priority of the calling worker, so that the main event loop gets the processor first. Only Linux has a
 * priority per thread; elsewhere, or without permission, the worker keeps the priority of the process.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, BACKGROUND_NICENESS)
  } catch {
    // Slower chat during large edits is no reason to fail the start.
  }
}
