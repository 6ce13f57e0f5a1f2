/** English suffixes that inflect a word without making it another one. */
export const SUFFIXES = ['s', 'es', 'ed', 'd', 'ing', 'in', 'er', 'ers', 'ings', 'y', 'z'] as const

export const LONGEST_SUFFIX = Math.max(...SUFFIXES.map(({ length }) => length))
export const SUFFIX_BITS: ReadonlyMap<string, number> = new Map(
  SUFFIXES.map((suffix, index) => [suffix, 1 << index]),
)
