import {
  type Automaton,
  COMMON_SYMBOLS,
  hasRow,
  RARE_SYMBOLS,
  SYMBOL_BITS,
  slotFor,
  step,
} from '../scan/automaton.ts'
import type { RaggedArray } from './ragged-array.ts'

/** States with a full transition row: those nearest to the root, where nearly all of a text is read. */
const [MIN_DENSE_STATES, MAX_DENSE_STATES] = [4096, 65_536]
/** Rows of rare symbols are three times as long. */
const MAX_RARE_STATES = 256
const MAX_DEPTH = 255

/** Fields of a trie node, interleaved because they are read together. */
const Node = { firstChild: 0, sibling: 1, symbol: 2, pattern: 3 } as const
const NODE_SIZE = 4

/** A trie of all patterns, allocated for the largest possible number of nodes. The root is at 0. */
class Trie {
  readonly nodes: Int32Array
  /** A node stores its first pattern plus one; this links to the next pattern that ends there. */
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

/** Builds the automaton for patterns given as rows of symbols. */
export function buildAutomaton({ values, offsets, count }: RaggedArray, repeats: Uint8Array): Automaton {
  const trie = new Trie(values.length, count)
  for (let pattern = 0; pattern < count; pattern++) {
    const start = offsets[pattern] ?? 0
    const end = offsets[pattern + 1] ?? 0
    if (start < end) trie.insert(values, start, end, pattern)
  }
  return linkStates(numberStates(trie, count), repeats)
}

/** The trie renumbered in breadth-first order, so that the children of a state are consecutive. */
interface States extends Pick<Automaton, 'symbols' | 'depths' | 'firstOutput' | 'outputs'> {
  readonly count: number
  /** The children of a state are `firstChild[state]` up to `firstChild[state + 1]`. */
  readonly firstChild: Int32Array
}

function numberStates(trie: Trie, patterns: number): States {
  const { nodes, nextPattern, size: count } = trie
  const symbols = new Uint8Array(count)
  const depths = new Uint8Array(count)
  const firstChild = new Int32Array(count + 1)
  const firstOutput = new Int32Array(count + 1)
  const outputs = new Int32Array(patterns)
  const nodeOf = new Int32Array(count)
  let known = 1
  let ended = 0
  for (let state = 0; state < count; state++) {
    const node = nodeOf[state] ?? 0
    firstOutput[state] = ended
    for (let each = nodes[node + Node.pattern] ?? 0; each !== 0; each = nextPattern[each] ?? 0)
      outputs[ended++] = each - 1
    firstChild[state] = known
    const depth = Math.min(MAX_DEPTH, (depths[state] ?? 0) + 1)
    let child = nodes[node + Node.firstChild] ?? 0
    for (; child !== 0; child = nodes[child + Node.sibling] ?? 0) {
      nodeOf[known] = child
      symbols[known] = nodes[child + Node.symbol] ?? 0
      depths[known++] = depth
    }
  }
  firstOutput[count] = ended
  firstChild[count] = known
  return { count, symbols, depths, firstOutput, outputs, firstChild }
}

function linkStates({ count, firstChild, ...known }: States, repeats: Uint8Array): Automaton {
  const denseStates = Math.min(count, MAX_DENSE_STATES, Math.max(MIN_DENSE_STATES, count >> 2))
  const rareStates = Math.min(count, MAX_RARE_STATES)
  const slots = capacityFor(countHashed(firstChild, known.symbols, denseStates, rareStates))
  const automaton = {
    dense: new Int32Array(denseStates * COMMON_SYMBOLS),
    rare: new Int32Array(rareStates * RARE_SYMBOLS),
    keys: new Int32Array(slots),
    targets: new Int32Array(slots),
    failLinks: new Int32Array(count),
    repeats,
    ...known,
    outputLinks: new Int32Array(count),
  }
  const { dense, rare, failLinks, symbols, outputLinks } = automaton
  for (let state = 0; state < count; state++) {
    const fail = failLinks[state] ?? 0
    outputLinks[state] = hasOutput(automaton, fail) ? fail : (outputLinks[fail] ?? 0)
    if (state > 0) {
      if (state < denseStates)
        dense.copyWithin(state * COMMON_SYMBOLS, fail * COMMON_SYMBOLS, (fail + 1) * COMMON_SYMBOLS)
      if (state < rareStates)
        rare.copyWithin(state * RARE_SYMBOLS, fail * RARE_SYMBOLS, (fail + 1) * RARE_SYMBOLS)
      const last = symbols[state] ?? 0
      if (repeats[last] === 1 && hasRow(automaton, state, last)) setTransition(automaton, state, last, state)
    }
    const end = firstChild[state + 1] ?? 0
    for (let child = firstChild[state] ?? 0; child < end; child++) {
      const symbol = symbols[child] ?? 0
      failLinks[child] = state === 0 ? 0 : step(automaton, fail, symbol)
      setTransition(automaton, state, symbol, child)
    }
  }
  return automaton
}

/** Transitions outside the rows. */
function countHashed(
  firstChild: Int32Array,
  symbols: Uint8Array,
  denseStates: number,
  rareStates: number,
): number {
  let others = 0
  for (let state = Math.min(denseStates, rareStates); state < symbols.length; state++) {
    const end = firstChild[state + 1] ?? 0
    for (let child = firstChild[state] ?? 0; child < end; child++)
      if (state >= ((symbols[child] ?? 0) < COMMON_SYMBOLS ? denseStates : rareStates)) others++
  }
  return others
}

/** A power of two that leaves half of the slots free. */
const capacityFor = (entries: number) => 1 << Math.max(1, 32 - Math.clz32(entries * 2))

const hasOutput = ({ firstOutput }: Automaton, state: number) =>
  (firstOutput[state + 1] ?? 0) > (firstOutput[state] ?? 0)

function setTransition(automaton: Automaton, state: number, symbol: number, target: number): void {
  const { dense, rare, keys, targets } = automaton
  if (hasRow(automaton, state, symbol)) {
    if (symbol < COMMON_SYMBOLS) dense[state * COMMON_SYMBOLS + symbol] = target
    else rare[state * RARE_SYMBOLS + symbol - COMMON_SYMBOLS] = target
    return
  }
  const key = (state << SYMBOL_BITS) | symbol
  const mask = keys.length - 1
  let slot = slotFor(key, mask)
  while (keys[slot] !== 0) slot = (slot + 1) & mask
  keys[slot] = key
  targets[slot] = target
}
