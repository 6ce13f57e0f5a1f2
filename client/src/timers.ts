/** Injectable for tests. */
export interface Timers {
  set(run: () => void, ms: number): unknown
  clear(timer: unknown): void
}

export const systemTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout> | undefined),
}
