import { randomFillSync } from 'node:crypto'
import type { Timestamp } from './model.ts'

const POOL_BYTES = 8192
/** Random bytes in an id. */
const ID_BYTES = 8
const MAX_COUNTER = 0xfff

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Generates message ids: UUIDs of version 7, which sort by the time of the message, so that a log indexed by id grows at its end. */
export class MessageIds {
  readonly #pool = new Uint8Array(POOL_BYTES)
  #used = POOL_BYTES
  #at: Timestamp = 0
  #counter = 0
  #prefix = ''

  next(at: Timestamp): string {
    if (at > this.#at) this.#begin(at, 0)
    // The clock may have been set back, and one millisecond has room for so many ids.
    else if (++this.#counter > MAX_COUNTER) this.#begin(this.#at + 1, 0)
    if (this.#used === POOL_BYTES) {
      randomFillSync(this.#pool)
      this.#used = 0
    }
    const pool = this.#pool
    const start = this.#used
    this.#used += ID_BYTES
    const hex = (offset: number) => HEX[pool[start + offset] ?? 0]
    const variant = HEX[((pool[start] ?? 0) & 0x3f) | 0x80]
    const counter = `${HEX[this.#counter >>> 8]?.slice(1)}${HEX[this.#counter & 0xff]}`
    return `${this.#prefix}${counter}-${variant}${hex(1)}-${hex(2)}${hex(3)}${hex(4)}${hex(5)}${hex(6)}${hex(7)}`
  }

  #begin(at: Timestamp, counter: number): void {
    this.#at = at
    this.#counter = counter
    const hex = at.toString(16).padStart(12, '0')
    this.#prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
  }
}
