import { randomUUID } from 'node:crypto'
import type { Timestamp } from './model.ts'

const LOW_BITS = 0x10000
const MAX_COUNTER = 0xfff
/** Where the second half of a UUID starts: its variant and 62 random bits. */
const RANDOM_HALF = '00000000-0000-0000-'.length

const hexDigits = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => hexDigits(byte, 2))

/**
 * Generates message ids: UUIDs of version 7, which sort by the time of the message, so that a log indexed by id grows at its
 * end. Encodes only the digits that change from one message to the next.
 */
export class MessageIds {
  #at: Timestamp = -1
  #counter = 0
  #high = -1
  #highDigits = ''

  next(at: Timestamp): string {
    this.#advance(at)
    const low = this.#at % LOW_BITS
    const time = `${this.#highDigits}-${HEX_BYTES[low >>> 8]}${HEX_BYTES[low & 0xff]}`
    const counter = this.#counter === 0 ? '000' : hexDigits(this.#counter, 3)
    return `${time}-7${counter}-${randomUUID().slice(RANDOM_HALF)}`
  }

  /** Ids ascend even if the clock was set back, or if a millisecond has more messages than the counter can count. */
  #advance(at: Timestamp): void {
    if (at > this.#at) this.#counter = 0
    else this.#counter = (this.#counter + 1) % (MAX_COUNTER + 1)
    if (at > this.#at) this.#at = at
    else if (this.#counter === 0) this.#at++
    const high = Math.floor(this.#at / LOW_BITS)
    if (high === this.#high) return
    this.#high = high
    this.#highDigits = hexDigits(high, 8)
  }
}
