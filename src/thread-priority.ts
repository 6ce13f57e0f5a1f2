import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const BACKGROUND_NICENESS = 10

/**
 * Makes the calling thread yield the processor to the event loop that carries chat. Linux keeps a priority for each
 * thread; elsewhere, and where the system forbids it, the thread runs with the priority of the process.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, BACKGROUND_NICENESS)
  } catch {
    // Slower chat during big edits is no reason not to start.
  }
}
