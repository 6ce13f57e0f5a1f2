const SUFFIXES = ['', 's', 'es', 'ed', 'er', 'ers', 'ing', 'ings', 'in', 'y', 'd', 'r', 'rs']

/** Matches texts that contain an expression verbatim, between other words. */
export function matchListed(expressions: readonly string[]): (text: string) => boolean {
  const listed = expressions.map(inWords)
  return (text) => {
    const words = inWords(text)
    return listed.some((each) => words.includes(each))
  }
}

const inWords = (text: string) =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? text
  } `

/** Matches listed words, also with a suffix, a doubled last letter or a dropped final e. */
export function matchForms(expressions: readonly string[]): (word: string) => boolean {
  const forms = new Set(
    expressions.flatMap((each) => {
      const stems = [each, each + each.slice(-1), each.replace(/e$/, ''), each.replace(/y$/, 'i')]
      return stems.flatMap((stem) => SUFFIXES.map((suffix) => stem + suffix))
    }),
  )
  return (word) => forms.has(word.toLowerCase())
}
