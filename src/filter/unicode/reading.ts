import { isHighHalf, isLowHalf } from './text.ts'

/** A text as the scanner reads it, with the source span of each code unit of `text`. */
export interface Reading {
  readonly text: string
  readonly starts: Int32Array
  readonly ends: Int32Array
}

const CHUNK = 8_192

/** Collects the code units of a reading. */
export class ReadingBuilder {
  #units: Uint16Array
  #starts: Int32Array
  #ends: Int32Array
  #length = 0

  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity)
    this.#starts = new Int32Array(capacity)
    this.#ends = new Int32Array(capacity)
  }

  /** Adds characters as they are. */
  copy(text: string, from: number, to: number): void {
    this.#reserve(to - from)
    const [units, starts, ends] = [this.#units, this.#starts, this.#ends]
    let length = this.#length
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at)
      const isSecond = isLowHalf(unit) && at > from && isHighHalf(units[length - 1] ?? 0)
      if (isSecond) ends[length - 1] = at + 1
      units[length] = unit
      starts[length] = isSecond ? at - 1 : at
      ends[length++] = at + 1
    }
    this.#length = length
  }

  addCode(code: number, start: number, end: number): void {
    if (code <= 0xffff) this.#addUnit(code, start, end)
    else {
      this.#addUnit(0xd7c0 + (code >> 10), start, end)
      this.#addUnit(0xdc00 + (code & 0x3ff), start, end)
    }
  }

  /** Extends the span of the last character. */
  extendTo(end: number): void {
    const start = this.#starts[this.#length - 1]
    for (let at = this.#length - 1; at >= 0 && this.#starts[at] === start; at--) this.#ends[at] = end
  }

  finish(): Reading {
    const isFull = this.#length === this.#units.length
    return {
      text: this.#text(),
      starts: isFull ? this.#starts : this.#starts.subarray(0, this.#length),
      ends: isFull ? this.#ends : this.#ends.subarray(0, this.#length),
    }
  }

  #addUnit(unit: number, start: number, end: number): void {
    this.#reserve(1)
    this.#units[this.#length] = unit
    this.#starts[this.#length] = start
    this.#ends[this.#length] = end
    this.#length++
  }

  #text(): string {
    let text = ''
    for (let at = 0; at < this.#length; at += CHUNK)
      text += textOf(this.#units.subarray(at, Math.min(at + CHUNK, this.#length)))
    return text
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#units.length) return
    const capacity = 2 * (this.#length + count)
    this.#units = resized(this.#units, new Uint16Array(capacity))
    this.#starts = resized(this.#starts, new Int32Array(capacity))
    this.#ends = resized(this.#ends, new Int32Array(capacity))
  }
}

function resized<T extends Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Much faster than to spread the units. */
const textOf = (units: Uint16Array): string => Reflect.apply(String.fromCharCode, undefined, units)
