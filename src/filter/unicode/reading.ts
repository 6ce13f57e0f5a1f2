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

  addCode(code: number, start: number, end: number): void {
    if (code <= 0xffff) this.#addUnit(code, start, end)
    else {
      this.#addUnit(0xd7c0 + (code >> 10), start, end)
      this.#addUnit(0xdc00 + (code & 0x3ff), start, end)
    }
  }

  /** Extends the span of the last character over the one that follows it directly. */
  extendOver(start: number, end: number): void {
    if (this.#length > 0 && this.#ends[this.#length - 1] === start) this.extendTo(end)
  }

  /** Extends the span of the last character. */
  extendTo(end: number): void {
    const start = this.#starts[this.#length - 1]
    for (let at = this.#length - 1; at >= 0 && this.#starts[at] === start; at--) this.#ends[at] = end
  }

  finish(): Reading {
    return {
      text: this.#text(),
      starts: this.#starts.slice(0, this.#length),
      ends: this.#ends.slice(0, this.#length),
    }
  }

  #addUnit(unit: number, start: number, end: number): void {
    if (this.#length === this.#units.length) this.#grow()
    this.#units[this.#length] = unit
    this.#starts[this.#length] = start
    this.#ends[this.#length] = end
    this.#length++
  }

  #text(): string {
    let text = ''
    for (let at = 0; at < this.#length; at += CHUNK)
      text += String.fromCharCode(...this.#units.subarray(at, Math.min(at + CHUNK, this.#length)))
    return text
  }

  #grow(): void {
    const capacity = this.#units.length * 2 + 16
    this.#units = resized(this.#units, new Uint16Array(capacity))
    this.#starts = resized(this.#starts, new Int32Array(capacity))
    this.#ends = resized(this.#ends, new Int32Array(capacity))
  }
}

function resized<T extends Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
