export const SYMBOL_BITS = 7
export const SYMBOLS = 1 << SYMBOL_BITS

/** The lowest symbols belong to the most frequent letters. Their rows are short enough to stay in the CPU cache. */
export const COMMON_BITS = 5
export const COMMON_SYMBOLS = 1 << COMMON_BITS
export const RARE_SYMBOLS = SYMBOLS - COMMON_SYMBOLS

/**
 * An Aho-Corasick automaton in flat arrays, with states in breadth-first order. A repeated symbol of a letter stays in
 * the same state, so repeated letters need no comparison.
 */
export interface Automaton {
  /** Rows of the states nearest to the root: transitions on the common symbols, and on the rare ones. */
  readonly dense: Int32Array
  readonly rare: Int32Array
  /** All other transitions: an open-addressing hash table keyed by `state * SYMBOLS + symbol`; 0 is an empty slot. */
  readonly keys: Int32Array
  readonly targets: Int32Array
  /** The state to continue from if there is no transition. */
  readonly failLinks: Int32Array
  /** 1 for symbols that count once if they are repeated. */
  readonly repeats: Uint8Array
  /** The last symbol on the path to a state. */
  readonly symbols: Uint8Array
  /** The length of the path to a state. */
  readonly depths: Uint8Array
  /** The patterns that end in a state are `outputs[firstOutput[state]]` up to `outputs[firstOutput[state + 1]]`. */
  readonly firstOutput: Int32Array
  readonly outputs: Int32Array
  /** The nearest state along the fail links in which a pattern ends, or 0. */
  readonly outputLinks: Int32Array
}

const GOLDEN = 0x9e37_79b1

export const slotFor = (key: number, mask: number): number => (Math.imul(key, GOLDEN) >>> 7) & mask

export function step(automaton: Automaton, from: number, symbol: number): number {
  const { dense, rare, keys, targets, failLinks, repeats, symbols } = automaton
  const mask = keys.length - 1
  let state = from
  while (!hasRow(automaton, state, symbol)) {
    const key = (state << SYMBOL_BITS) | symbol
    for (let slot = slotFor(key, mask); keys[slot] !== 0; slot = (slot + 1) & mask)
      if (keys[slot] === key) return targets[slot] ?? 0
    if (symbols[state] === symbol && repeats[symbol] === 1) return state
    state = failLinks[state] ?? 0
  }
  return (
    (symbol < COMMON_SYMBOLS
      ? dense[state * COMMON_SYMBOLS + symbol]
      : rare[state * RARE_SYMBOLS + symbol - COMMON_SYMBOLS]) ?? 0
  )
}

export const hasRow = ({ dense, rare }: Automaton, state: number, symbol: number) =>
  symbol < COMMON_SYMBOLS ? state * COMMON_SYMBOLS < dense.length : state * RARE_SYMBOLS < rare.length
