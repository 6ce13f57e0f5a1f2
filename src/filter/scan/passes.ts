/** A pattern found in a text, before overlaps and exceptions are resolved. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly pattern: number
}

/** Further passes that the first pass can ask for. */
export const Pass = {
  spelledOut: 1,
  edgeLeet: 2,
  innerLeet: 4,
  censored: 8,
  gaps: 16,
  obfuscatedEdgeLeet: 32,
} as const

/** Where punctuation such as `@` and `!` is read as a letter during a pass. */
export const LeetMode = {
  insideWords: 0,
  /** Also `@` and `$` at the edges of words. */
  atEdges: 1,
  /** Also other punctuation at the edges of words that contain more leetspeak. */
  atObfuscatedEdges: 2,
  never: 3,
} as const
