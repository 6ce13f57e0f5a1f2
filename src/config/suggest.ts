const MAX_EDITS = 2
/** Typos in longer words are not worth the cost, which is the product of the lengths. */
const MAX_LENGTH = 64

/** Returns ` Did you mean "port"?`, or an empty string when no candidate is close. */
export function suggest(word: string, candidates: readonly string[], quote = '"'): string {
  if (word.length > MAX_LENGTH) return ''
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= MAX_EDITS && edits < candidate.length / 2)
    .sort((a, b) => a.edits - b.edits)
  return best === undefined ? '' : ` Did you mean ${quote}${best.candidate}${quote}?`
}

/** Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of adjacent characters. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const above = rows[i - 1] ?? []
    for (let j = 1; j <= b.length; j++) {
      const substituted = at(above, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(rows[i - 2] ?? [], j - 2) + 1 : substituted
      row.push(Math.min(substituted, swapped, at(above, j) + 1, at(row, j - 1) + 1))
    }
    rows.push(row)
  }
  return at(rows.at(-1) ?? [], b.length)
}

const at = (row: readonly number[], index: number) => row[index] ?? 0
