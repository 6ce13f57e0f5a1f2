const ENDINGS = ['', 's', 'es', 'ed', 'er', 'ers', 'ing', 'ings', 'in', 'y', 'd', 'r', 'rs']

/** Finds texts that hold an expression as it stands, between other words. */
export function recogniseListed(expressions: readonly string[]): (text: string) => boolean {
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

/** Finds a listed word, also with an ending, its last letter doubled or its last e dropped. */
export function recogniseForms(expressions: readonly string[]): (word: string) => boolean {
  const forms = new Set(
    expressions.flatMap((each) => {
      const stems = [each, each + each.slice(-1), each.replace(/e$/, ''), each.replace(/y$/, 'i')]
      return stems.flatMap((stem) => ENDINGS.map((ending) => stem + ending))
    }),
  )
  return (word) => forms.has(word.toLowerCase())
}
