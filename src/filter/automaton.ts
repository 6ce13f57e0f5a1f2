import type { Rows } from './rows.ts'

/** Symbols of the automaton's alphabet: seven bits. */
export const SYMBOL_BITS = 7
export const SYMBOLS = 1 << SYMBOL_BITS

/** The first symbols, those of the letters that most words are made of: their rows are short enough to stay near. */
export const COMMON_BITS = 5
export const COMMON = 1 << COMMON_BITS
const RARE = SYMBOLS - COMMON

/** States whose rows know every transition: those near the root, where nearly all of a text is read. */
const MAX_DENSE_STATES = 98_304
const MAX_RARE_STATES = 8192

/**
 * An Aho-Corasick automaton in flat arrays. States are numbered by their distance from the root. A symbol that stands there
 * again leads nowhere else.
 */
export interface Automaton {
  /** Of the first states the transitions with `COMMON` symbols, and those with the others. */
  readonly dense: Int32Array
  readonly rare: Int32Array
  /** Of the others: an open hash of `state * SYMBOLS + symbol` to transitions, 0 where there is none. */
  readonly keys: Int32Array
  readonly targets: Int32Array
  /** Where a state goes on when it has no transition. */
  readonly fails: Int32Array
  /** The last symbol that leads to a state. */
  readonly symbols: Uint8Array
  /** How many symbols lead to a state. */
  readonly depths: Uint8Array
  /** The patterns that end in a state are `ends[firstEnd[state]]` up to `ends[firstEnd[state + 1]]`. */
  readonly firstEnd: Int32Array
  readonly ends: Int32Array
  /** The nearest state on the way of fails where a pattern ends, 0 when there is none. */
  readonly nextEnds: Int32Array
}

const GOLDEN = 0x9e37_79b1
const MAX_DEPTH = 255

export const hashOf = (key: number, mask: number): number => (Math.imul(key, GOLDEN) >>> 7) & mask

/** Where to go from a state with a symbol. */
export function step(automaton: Automaton, from: number, symbol: number): number {
  const { dense, rare, keys, targets, fails, symbols } = automaton
  const mask = keys.length - 1
  let state = from
  while (!hasRow(automaton, state, symbol)) {
    const key = (state << SYMBOL_BITS) | symbol
    for (let slot = hashOf(key, mask); keys[slot] !== 0; slot = (slot + 1) & mask)
      if (keys[slot] === key) return targets[slot] ?? 0
    if (symbols[state] === symbol) return state
    state = fails[state] ?? 0
  }
  return (symbol < COMMON ? dense[state * COMMON + symbol] : rare[state * RARE + symbol - COMMON]) ?? 0
}

const hasRow = ({ dense, rare }: Automaton, state: number, symbol: number) =>
  symbol < COMMON ? state * COMMON < dense.length : state * RARE < rare.length

/** A tree of all patterns, with room for as many states as they may need. */
class Tree {
  readonly firstChild: Int32Array
  readonly sibling: Int32Array
  readonly symbol: Uint8Array
  /** The first pattern that ends in a state, plus one; the others follow by `nextPattern`. */
  readonly pattern: Int32Array
  readonly nextPattern: Int32Array
  states = 1

  constructor(symbols: number, patterns: number) {
    this.firstChild = new Int32Array(symbols + 1)
    this.sibling = new Int32Array(symbols + 1)
    this.symbol = new Uint8Array(symbols + 1)
    this.pattern = new Int32Array(symbols + 1)
    this.nextPattern = new Int32Array(patterns + 1)
  }

  insert(symbols: Uint32Array, start: number, end: number, pattern: number): void {
    let state = 0
    for (let at = start; at < end; at++) state = this.#child(state, symbols[at] ?? 0)
    this.nextPattern[pattern + 1] = this.pattern[state] ?? 0
    this.pattern[state] = pattern + 1
  }

  #child(state: number, symbol: number): number {
    let child = this.firstChild[state] ?? 0
    while (child !== 0 && this.symbol[child] !== symbol) child = this.sibling[child] ?? 0
    if (child !== 0) return child
    const created = this.states++
    this.symbol[created] = symbol
    this.sibling[created] = this.firstChild[state] ?? 0
    this.firstChild[state] = created
    return created
  }
}

/** Builds the automaton that finds all patterns, each given by its symbols. */
export function buildAutomaton({ values, firsts, count }: Rows): Automaton {
  const tree = new Tree(values.length, count)
  for (let pattern = 0; pattern < count; pattern++) {
    const start = firsts[pattern] ?? 0
    const end = firsts[pattern + 1] ?? 0
    if (start < end) tree.insert(values, start, end, pattern)
  }
  return link(tree, count)
}

function link(tree: Tree, patterns: number): Automaton {
  const { states } = tree
  const order = byDistance(tree)
  const numberOf = new Int32Array(states)
  for (let number = 0; number < states; number++) numberOf[order[number] ?? 0] = number
  const slots = sizeFor(countOthers(tree, order))
  const automaton = {
    dense: new Int32Array(Math.min(states, MAX_DENSE_STATES) * COMMON),
    rare: new Int32Array(Math.min(states, MAX_RARE_STATES) * RARE),
    keys: new Int32Array(slots),
    targets: new Int32Array(slots),
    fails: new Int32Array(states),
    symbols: new Uint8Array(states),
    depths: new Uint8Array(states),
    firstEnd: new Int32Array(states + 1),
    ends: new Int32Array(patterns),
    nextEnds: new Int32Array(states),
  }
  const { dense, rare, fails, symbols, depths, firstEnd, ends, nextEnds } = automaton
  let ended = 0
  for (let state = 0; state < states; state++) {
    const node = order[state] ?? 0
    const fail = fails[state] ?? 0
    firstEnd[state] = ended
    for (let each = tree.pattern[node] ?? 0; each !== 0; each = tree.nextPattern[each] ?? 0)
      ends[ended++] = each - 1
    nextEnds[state] = endsIn(automaton, fail) ? fail : (nextEnds[fail] ?? 0)
    if (state > 0) {
      if (state < MAX_DENSE_STATES) dense.copyWithin(state * COMMON, fail * COMMON, (fail + 1) * COMMON)
      if (state < MAX_RARE_STATES) rare.copyWithin(state * RARE, fail * RARE, (fail + 1) * RARE)
      if (hasRow(automaton, state, symbols[state] ?? 0)) put(automaton, state, symbols[state] ?? 0, state)
    }
    for (let child = tree.firstChild[node] ?? 0; child !== 0; child = tree.sibling[child] ?? 0) {
      const symbol = tree.symbol[child] ?? 0
      const target = numberOf[child] ?? 0
      fails[target] = state === 0 ? 0 : step(automaton, fail, symbol)
      symbols[target] = symbol
      depths[target] = Math.min(MAX_DEPTH, (depths[state] ?? 0) + 1)
      put(automaton, state, symbol, target)
    }
  }
  firstEnd[states] = ended
  return automaton
}

/** The states of the tree, the nearer ones first. */
function byDistance(tree: Tree): Int32Array {
  const order = new Int32Array(tree.states)
  let end = 1
  for (let at = 0; at < end; at++)
    for (let child = tree.firstChild[order[at] ?? 0] ?? 0; child !== 0; child = tree.sibling[child] ?? 0)
      order[end++] = child
  return order
}

/** How many transitions there are beside the rows. */
function countOthers(tree: Tree, order: Int32Array): number {
  let others = 0
  for (let state = MAX_RARE_STATES; state < order.length; state++)
    for (let child = tree.firstChild[order[state] ?? 0] ?? 0; child !== 0; child = tree.sibling[child] ?? 0)
      if (state >= MAX_DENSE_STATES || (tree.symbol[child] ?? 0) >= COMMON) others++
  return others
}

/** A power of two that leaves half of the slots free. */
const sizeFor = (entries: number) => 1 << Math.max(1, 32 - Math.clz32(entries * 2))

/** Whether a pattern ends in a state; the next one has been reached already. */
const endsIn = ({ firstEnd }: Automaton, state: number) => (firstEnd[state + 1] ?? 0) > (firstEnd[state] ?? 0)

function put(automaton: Automaton, state: number, symbol: number, target: number): void {
  const { dense, rare, keys, targets } = automaton
  if (hasRow(automaton, state, symbol)) {
    if (symbol < COMMON) dense[state * COMMON + symbol] = target
    else rare[state * RARE + symbol - COMMON] = target
    return
  }
  const key = (state << SYMBOL_BITS) | symbol
  const mask = keys.length - 1
  let slot = hashOf(key, mask)
  while (keys[slot] !== 0) slot = (slot + 1) & mask
  keys[slot] = key
  targets[slot] = target
}
