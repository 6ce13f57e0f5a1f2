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
