/**
 * Sorted words in a compact form: the letters of each word that its predecessor does not begin with, then how many
 * letters to drop for the next one. Frequent pairs of symbols are replaced by one symbol, repeatedly.
 * `scripts/dictionaries/pack.ts` is the inverse.
 */
export interface PackedWords {
  /** Code units of the unpacked text. */
  readonly length: number
  /** The letters that follow the numbers in the order of symbols. */
  readonly letters: string
  /** The two symbols that each further symbol stands for. */
  readonly pairs: string
  /** Line breaks have no meaning. */
  readonly symbols: string
}

/** The first symbols are numbers of letters to drop. */
export const DROPS = 25
const NEW_LINE = 0x0a
/** In the order of their numbers: first those of one byte in UTF-8 that need no escape in a template literal. */
export const SYMBOLS =
  [...characters(0x21, 0x7e)].filter((each) => !'"\'`$\\'.includes(each)).join('') + characters(0xc0, 0x2ff)

/** The words, each followed by a newline. */
export function unpackWords({ length, letters, pairs, symbols }: PackedWords): string {
  const numbers = symbolNumbers()
  const expansions = expandSymbols(letters, pairs, numbers).map((each) => Uint16Array.from(each))
  const units = new Uint16Array(length)
  let wordStart = 0
  let end = 0
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols.charCodeAt(i)
    if (symbol === NEW_LINE) continue
    const expansion = expansions[numbers[symbol] ?? 0] ?? units
    for (let j = 0; j < expansion.length; j++) {
      const unit = expansion[j] ?? 0
      if (unit >= DROPS) {
        units[end++] = unit
        continue
      }
      const kept = end - unit
      units[end++] = NEW_LINE
      const nextStart = end
      for (let from = wordStart; from < kept; from++) units[end++] = units[from] ?? 0
      wordStart = nextStart
    }
  }
  // All platforms of interest are little-endian.
  return new TextDecoder('utf-16le').decode(units)
}

/** The number of each symbol by its code. */
function symbolNumbers(): Int16Array {
  const numbers = new Int16Array(SYMBOLS.charCodeAt(SYMBOLS.length - 1) + 1)
  for (let number = 0; number < SYMBOLS.length; number++) numbers[SYMBOLS.charCodeAt(number)] = number
  return numbers
}

/** What each symbol stands for: letters as code units, and numbers of letters to drop. */
function expandSymbols(letters: string, pairs: string, numbers: Int16Array): number[][] {
  const expansions = Array.from({ length: DROPS }, (_, drop) => [drop])
  for (let i = 0; i < letters.length; i++) expansions.push([letters.charCodeAt(i)])
  const expand = (at: number) => expansions[numbers[pairs.charCodeAt(at)] ?? 0] ?? []
  for (let i = 0; i < pairs.length; i += 2) expansions.push([...expand(i), ...expand(i + 1)])
  return expansions
}

function characters(first: number, last: number): string {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
