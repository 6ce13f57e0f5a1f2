import { DROPS, type PackedWords, SYMBOLS } from '../../src/filter/words/packed-words.ts'

/** Symbols above this one take two bytes in UTF-8. */
const LAST_NARROW = 0x7f
/** A pair that occurs less often does not pay for its entry in the table of pairs. */
const MIN_COUNT = 8

/** Packs sorted, distinct words. The same words give the same result. */
export function packWords(words: readonly string[]): PackedWords {
  const letters = [...new Set(words.join(''))].sort().join('')
  const pairs: number[] = []
  let symbols = encodeWords(words, letters)
  for (let symbol = DROPS + letters.length; symbol < SYMBOLS.length; symbol++) {
    const pair = mostFrequentPair(symbols)
    if (pair === undefined) break
    pairs.push(...pair)
    symbols = replacePair(symbols, pair, symbol)
  }
  const text = (numbers: Iterable<number>) => Array.from(numbers, (number) => SYMBOLS[number]).join('')
  return {
    length: words.reduce((sum, { length }) => sum + length + 1, 0),
    letters,
    pairs: text(pairs),
    symbols: text(symbols),
  }
}

function encodeWords(words: readonly string[], letters: string): Uint16Array {
  const symbols: number[] = []
  for (const [index, word] of words.entries()) {
    for (const letter of word.slice(sharedLength(words[index - 1] ?? '', word)))
      symbols.push(DROPS + letters.indexOf(letter))
    const drop = word.length - sharedLength(word, words[index + 1] ?? '')
    if (drop >= DROPS) throw new Error(`${word}: too long`)
    symbols.push(drop)
  }
  return Uint16Array.from(symbols)
}

function sharedLength(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return length
}

function mostFrequentPair(symbols: Uint16Array): [number, number] | undefined {
  const counts = new Uint32Array(SYMBOLS.length * SYMBOLS.length)
  for (let i = 1; i < symbols.length; i++) {
    const pair = symbols[i - 1]! * SYMBOLS.length + symbols[i]!
    counts[pair]!++
    // Three equal symbols contain the pair only once.
    if (symbols[i - 1] === symbols[i] && symbols[i + 1] === symbols[i]) i++
  }
  let best = 0
  for (let pair = 1; pair < counts.length; pair++) if (counts[pair]! > counts[best]!) best = pair
  if (counts[best]! < MIN_COUNT) return undefined
  return [Math.floor(best / SYMBOLS.length), best % SYMBOLS.length]
}

function replacePair(symbols: Uint16Array, [first, second]: [number, number], by: number): Uint16Array {
  let end = 0
  for (let i = 0; i < symbols.length; i++) {
    const isPair = symbols[i] === first && symbols[i + 1] === second
    symbols[end++] = isPair ? by : symbols[i]!
    if (isPair) i++
  }
  return symbols.subarray(0, end)
}

/** Size of a text in UTF-8 if all its symbols are below U+0800. */
export const bytesOf = (text: string) =>
  [...text].reduce((sum, each) => sum + (each.charCodeAt(0) > LAST_NARROW ? 2 : 1), 0)
