/** The tables cover planes 0 and 1. The planes above contain Han, then invisible tags and variation selectors. */
export const TABLE_SIZE = 0x2_0000

const [COMMA, SPACE, DIGIT_0, LETTER_A] = [0x2c, 0x20, 0x30, 0x61]

/** Calls back for each row of numbers in base 36. By hand: this is most of the time that the filter takes to load. */
export function forEachRow(rows: string, visit: (row: number[]) => void): void {
  let row: number[] = []
  let value = 0
  for (let at = 0; at <= rows.length; at++) {
    const unit = at < rows.length ? rows.charCodeAt(at) : COMMA
    if (unit > SPACE && unit !== COMMA)
      value = value * 36 + unit - (unit < LETTER_A ? DIGIT_0 : LETTER_A - 10)
    else {
      row.push(value)
      value = 0
      if (unit === COMMA) {
        visit(row)
        row = []
      }
    }
  }
}

/** Calls back for each run of `length value` whose value is not 0. */
export function forEachRun(runs: string, visit: (value: number, start: number, end: number) => void): void {
  let start = 0
  forEachRow(runs, ([length = 0, value = 0]) => {
    if (value !== 0) visit(value, start, start + length)
    start += length
  })
}

export function decodeRuns<T extends Uint8Array | Int32Array>(runs: string, target: T): T {
  forEachRun(runs, (value, start, end) => target.fill(value, start, end))
  return target
}

/** Maps characters to characters. Most map to themselves, so it holds distances. */
export interface CharacterMap {
  readonly distances: Int32Array
  /** The characters that map to others. */
  readonly changed: readonly number[]
}

export function decodeMap(runs: string): CharacterMap {
  const distances = new Int32Array(TABLE_SIZE)
  const changed: number[] = []
  forEachRun(runs, (value, start, end) => {
    distances.fill((value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1), start, end)
    for (let code = start; code < end; code++) changed.push(code)
  })
  return { distances, changed }
}

/**
 * The map that applies one map, then another. Takes over the second: to copy a table costs more than to fill it. No
 * character that the first map changes may be a target of it.
 */
export function composeMaps(first: CharacterMap, second: CharacterMap): CharacterMap {
  const { distances } = second
  for (const code of first.changed) {
    const distance = first.distances[code] ?? 0
    distances[code] = distance + (distances[code + distance] ?? 0)
  }
  return { distances, changed: [...first.changed, ...second.changed] }
}
