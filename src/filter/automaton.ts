/** Symbols of the automaton's alphabet: seven bits. */
export const SYMBOL_BITS = 7
export const SYMBOLS = 1 << SYMBOL_BITS

/** Rows that know every transition: the states near the root, where nearly all of a text is read. */
const MAX_DENSE_STATES = 32_768

/** On a transition: something ends in the state it leads to. */
export const HIT = 0x4000_0000
export const STATE = HIT - 1

/** An Aho-Corasick automaton in flat arrays. States are numbered by their distance from the root. */
export interface Automaton {
  /** `SYMBOLS` transitions for each of the first states. */
  readonly dense: Int32Array
  /** Of the other states: an open hash of `state * SYMBOLS + symbol` to transitions, 0 where there is none. */
  readonly keys: Int32Array
  readonly targets: Int32Array
  /** Where a state goes on when it has no transition. */
  readonly fails: Int32Array
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
  const { dense, keys, targets, fails } = automaton
  const denseStates = dense.length >> SYMBOL_BITS
  const mask = keys.length - 1
  let state = from
  while (state >= denseStates) {
    const key = (state << SYMBOL_BITS) | symbol
    for (let slot = hashOf(key, mask); keys[slot] !== 0; slot = (slot + 1) & mask)
      if (keys[slot] === key) return targets[slot] ?? 0
    state = fails[state] ?? 0
  }
  return dense[(state << SYMBOL_BITS) | symbol] ?? 0
}

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

  insert(symbols: readonly number[], pattern: number): void {
    let state = 0
    for (const symbol of symbols) state = this.#child(state, symbol)
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
export function buildAutomaton(patterns: readonly (readonly number[])[]): Automaton {
  const tree = new Tree(
    patterns.reduce((sum, { length }) => sum + length, 0),
    patterns.length,
  )
  for (const [index, symbols] of patterns.entries()) if (symbols.length > 0) tree.insert(symbols, index)
  return link(tree, patterns.length)
}

function link(tree: Tree, patterns: number): Automaton {
  const { states } = tree
  const order = byDistance(tree)
  const numberOf = new Int32Array(states)
  for (let number = 0; number < states; number++) numberOf[order[number] ?? 0] = number
  const denseStates = Math.min(states, MAX_DENSE_STATES)
  const slots = sizeFor(states - denseStates)
  const automaton = {
    dense: new Int32Array(denseStates * SYMBOLS),
    keys: new Int32Array(slots),
    targets: new Int32Array(slots),
    fails: new Int32Array(states),
    depths: new Uint8Array(states),
    firstEnd: new Int32Array(states + 1),
    ends: new Int32Array(patterns),
    nextEnds: new Int32Array(states),
  }
  const { dense, fails, depths, firstEnd, ends, nextEnds } = automaton
  let ended = 0
  for (let state = 0; state < states; state++) {
    const node = order[state] ?? 0
    const fail = fails[state] ?? 0
    firstEnd[state] = ended
    for (let each = tree.pattern[node] ?? 0; each !== 0; each = tree.nextPattern[each] ?? 0)
      ends[ended++] = each - 1
    nextEnds[state] = endsIn(automaton, fail) ? fail : (nextEnds[fail] ?? 0)
    if (state < denseStates && state > 0)
      dense.copyWithin(state * SYMBOLS, fail * SYMBOLS, (fail + 1) * SYMBOLS)
    for (let child = tree.firstChild[node] ?? 0; child !== 0; child = tree.sibling[child] ?? 0) {
      const symbol = tree.symbol[child] ?? 0
      const target = numberOf[child] ?? 0
      fails[target] = state === 0 ? 0 : step(automaton, fail, symbol) & STATE
      depths[target] = Math.min(MAX_DEPTH, (depths[state] ?? 0) + 1)
      put(automaton, state, symbol, target)
    }
  }
  firstEnd[states] = ended
  markHits(automaton)
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

/** A power of two that leaves half of the slots free. */
const sizeFor = (entries: number) => 1 << Math.max(1, 32 - Math.clz32(entries * 2))

/** Whether a pattern ends in a state; the next one has been reached already. */
const endsIn = ({ firstEnd }: Automaton, state: number) => (firstEnd[state + 1] ?? 0) > (firstEnd[state] ?? 0)

function put({ dense, keys, targets }: Automaton, state: number, symbol: number, target: number): void {
  const key = (state << SYMBOL_BITS) | symbol
  if (key < dense.length) {
    dense[key] = target
    return
  }
  const mask = keys.length - 1
  let slot = hashOf(key, mask)
  while (keys[slot] !== 0) slot = (slot + 1) & mask
  keys[slot] = key
  targets[slot] = target
}

function markHits({ dense, targets, firstEnd, nextEnds }: Automaton): void {
  const mark = (transitions: Int32Array) => {
    for (let i = 0; i < transitions.length; i++) {
      const state = transitions[i] ?? 0
      const isHit = (firstEnd[state + 1] ?? 0) > (firstEnd[state] ?? 0) || nextEnds[state] !== 0
      if (state !== 0 && isHit) transitions[i] = state | HIT
    }
  }
  mark(dense)
  mark(targets)
}
