import { type CompiledList, Flag } from '../compiled.ts'
import { Kind, kindOf } from '../unicode/characters.ts'
import { kindAfter, kindBefore } from '../unicode/text.ts'
import { Rule } from './match.ts'
import type { Scanner } from './scanner.ts'

/** Finds Hangul with something between its syllables: `시1발`. */
export class HangulGaps {
  readonly #compiled: CompiledList
  readonly #scanner: Scanner

  constructor(compiled: CompiledList, scanner: Scanner) {
    this.#compiled = compiled
    this.#scanner = scanner
  }

  find(text: string): void {
    let letters = ''
    const positions: number[] = []
    for (let at = 0; at < text.length; at++) {
      const kind = kindOf(text.charCodeAt(at))
      if (kind !== Kind.syllable && kind !== Kind.jamo) continue
      letters += text[at]
      positions.push(at)
    }
    if (positions.length < 2) return
    const { matches } = this.#scanner
    const known = matches.length
    this.#scanner.scan(letters, true)
    for (const { start, end, pattern } of matches.splice(known)) {
      const from = positions[start] ?? 0
      const to = (positions[end - 1] ?? 0) + 1
      const flags = this.#compiled.patterns.flags[pattern] ?? 0
      if ((flags & (Flag.allowed | Flag.exact | Flag.unsplit)) !== 0) continue
      if (
        this.#compiled.patterns.firstLetter[pattern + 1] ===
        (this.#compiled.patterns.firstLetter[pattern] ?? 0) + 1
      )
        continue
      if (to - from > end - start && isObfuscationGap(text, from, to))
        matches.push({ start: from, end: to, pattern, rule: Rule.split })
    }
  }
}

/**
 * Accepts punctuation and digits between syllables, and spaces between single syllables, but nothing that ends a
 * sentence or a clause.
 */
function isObfuscationGap(text: string, from: number, to: number): boolean {
  let hasSpace = false
  let syllables = 0
  let longest = 0
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    const isMask = text.startsWith('**', at)
    if (kindOf(unit) === Kind.letter || isMask || GAP_BREAKERS.includes(text.charAt(at))) return false
    hasSpace ||= unit <= 0x20
    syllables = unit <= 0x20 ? 0 : syllables + 1
    longest = Math.max(longest, syllables)
  }
  const before = kindBefore(text, from)
  if (!hasSpace) return before !== Kind.digit
  return longest === 1 && before === Kind.separator && kindAfter(text, to) !== Kind.syllable
}

const GAP_BREAKERS = ',()[]\n'
