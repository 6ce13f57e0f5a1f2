import { call } from '../support.ts'

export interface BanTimes {
  readonly bans: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** Bans absent players at a fixed rate, whether or not the earlier ones have completed, and times each. */
export class BanProbe {
  readonly #port: number
  readonly #timer: ReturnType<typeof setInterval>
  readonly #calls: Promise<number>[] = []

  constructor(port: number, perSecond: number) {
    this.#port = port
    this.#timer = setInterval(() => this.#calls.push(this.#ban(this.#calls.length)), 1000 / perSecond)
    this.#calls.push(this.#ban(0))
  }

  async stop(): Promise<BanTimes> {
    clearInterval(this.#timer)
    const times = (await Promise.all(this.#calls)).sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    return { bans: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
  }

  async #ban(n: number): Promise<number> {
    const startedAt = performance.now()
    await call(this.#port, 'PUT', '/block_user_chat', { gamer_id: `absent-${n % 1000}`, days: 3 })
    return performance.now() - startedAt
  }
}

export const describeBans = ({ bans, p50Ms, p99Ms, maxMs }: BanTimes) =>
  `${bans} bans, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${maxMs.toFixed(1)} ms`
