import type { Rows } from '../compile/ragged-array.ts'

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

/** What is known of a node of the tree. It is kept side by side, since one is read with the other. */
const Node = { firstChild: 0, sibling: 1, symbol: 2, pattern: 3 } as const
const NODE_SIZE = 4

/** A tree of all patterns, with room for as many nodes as they may need. The root is at 0. */
class Tree {
  readonly nodes: Int32Array
  /** A node has the number of the first pattern that ends there, plus one; the others follow by this. */
  readonly nextPattern: Int32Array
  #end = NODE_SIZE

  constructor(symbols: number, patterns: number) {
    this.nodes = new Int32Array((symbols + 1) * NODE_SIZE)
    this.nextPattern = new Int32Array(patterns + 1)
  }

  get size(): number {
    return this.#end / NODE_SIZE
  }

  insert(symbols: Uint32Array, start: number, end: number, pattern: number): void {
    let node = 0
    for (let at = start; at < end; at++) node = this.#child(node, symbols[at] ?? 0)
    this.nextPattern[pattern + 1] = this.nodes[node + Node.pattern] ?? 0
    this.nodes[node + Node.pattern] = pattern + 1
  }

  #child(node: number, symbol: number): number {
    const { nodes } = this
    const first = nodes[node + Node.firstChild] ?? 0
    let child = first
    while (child !== 0 && nodes[child + Node.symbol] !== symbol) child = nodes[child + Node.sibling] ?? 0
    if (child !== 0) return child
    const created = this.#end
    this.#end += NODE_SIZE
    nodes[created + Node.symbol] = symbol
    nodes[created + Node.sibling] = first
    nodes[node + Node.firstChild] = created
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
  return link(numberStates(tree, count))
}

/** The tree as states in the order of their distance from the root: the children of a state follow one another. */
interface States extends Pick<Automaton, 'symbols' | 'depths' | 'firstEnd' | 'ends'> {
  readonly count: number
  /** The children of a state are `firstChild[state]` up to `firstChild[state + 1]`. */
  readonly firstChild: Int32Array
}

function numberStates(tree: Tree, patterns: number): States {
  const { nodes, nextPattern, size: count } = tree
  const symbols = new Uint8Array(count)
  const depths = new Uint8Array(count)
  const firstChild = new Int32Array(count + 1)
  const firstEnd = new Int32Array(count + 1)
  const ends = new Int32Array(patterns)
  const nodeOf = new Int32Array(count)
  let known = 1
  let ended = 0
  for (let state = 0; state < count; state++) {
    const node = nodeOf[state] ?? 0
    firstEnd[state] = ended
    for (let each = nodes[node + Node.pattern] ?? 0; each !== 0; each = nextPattern[each] ?? 0)
      ends[ended++] = each - 1
    firstChild[state] = known
    const depth = Math.min(MAX_DEPTH, (depths[state] ?? 0) + 1)
    let child = nodes[node + Node.firstChild] ?? 0
    for (; child !== 0; child = nodes[child + Node.sibling] ?? 0) {
      nodeOf[known] = child
      symbols[known] = nodes[child + Node.symbol] ?? 0
      depths[known++] = depth
    }
  }
  firstEnd[count] = ended
  firstChild[count] = known
  return { count, symbols, depths, firstEnd, ends, firstChild }
}

function link({ count, firstChild, ...known }: States): Automaton {
  const slots = sizeFor(countOthers(firstChild, known.symbols))
  const automaton = {
    dense: new Int32Array(Math.min(count, MAX_DENSE_STATES) * COMMON),
    rare: new Int32Array(Math.min(count, MAX_RARE_STATES) * RARE),
    keys: new Int32Array(slots),
    targets: new Int32Array(slots),
    fails: new Int32Array(count),
    ...known,
    nextEnds: new Int32Array(count),
  }
  const { dense, rare, fails, symbols, nextEnds } = automaton
  for (let state = 0; state < count; state++) {
    const fail = fails[state] ?? 0
    nextEnds[state] = endsIn(automaton, fail) ? fail : (nextEnds[fail] ?? 0)
    if (state > 0) {
      if (state < MAX_DENSE_STATES) dense.copyWithin(state * COMMON, fail * COMMON, (fail + 1) * COMMON)
      if (state < MAX_RARE_STATES) rare.copyWithin(state * RARE, fail * RARE, (fail + 1) * RARE)
      if (hasRow(automaton, state, symbols[state] ?? 0)) put(automaton, state, symbols[state] ?? 0, state)
    }
    const end = firstChild[state + 1] ?? 0
    for (let child = firstChild[state] ?? 0; child < end; child++) {
      const symbol = symbols[child] ?? 0
      fails[child] = state === 0 ? 0 : step(automaton, fail, symbol)
      put(automaton, state, symbol, child)
    }
  }
  return automaton
}

/** How many transitions there are beside the rows. */
function countOthers(firstChild: Int32Array, symbols: Uint8Array): number {
  let others = 0
  for (let state = MAX_RARE_STATES; state < symbols.length; state++) {
    const end = firstChild[state + 1] ?? 0
    for (let child = firstChild[state] ?? 0; child < end; child++)
      if (state >= MAX_DENSE_STATES || (symbols[child] ?? 0) >= COMMON) others++
  }
  return others
}

/** A power of two that leaves half of the slots free. */
const sizeFor = (entries: number) => 1 << Math.max(1, 32 - Math.clz32(entries * 2))

/** Whether a pattern ends in a state. */
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
