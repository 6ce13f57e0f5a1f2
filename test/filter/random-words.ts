import { GLYPHS, LETTERS, standsFor } from './glyphs.ts'
import type { Random } from './random.ts'

const glyphs = [...GLYPHS].filter(([, { kind }]) => ['letter', 'digit', 'ignorable'].includes(kind))
const invisible = glyphs.flatMap(([character, { kind }]) => (kind === 'ignorable' ? [character] : []))
const lookAlikes = new Map(
  Array.from(LETTERS, (letter) => [
    letter,
    glyphs.flatMap(([character, each]) => (standsFor(each, letter) ? [character] : [])),
  ]),
)

/** Words of four to seven letters out of few, so that they resemble one another; some open, some exact. */
export function makeExpressions(random: Random): string[] {
  const some = random.many(3, 6, () => random.pick(LETTERS)).join('')
  return random.many(1, 5, () => {
    const word = random.many(4, 8, () => random.pick(some)).join('')
    return random.pick([word, word, word, `${word}*`, `*${word}`, `*${word}*`, `${word}!`])
  })
}

/** A listed word, plain, inflected, extended or disguised; or one like it. */
export function makeWord(random: Random, expressions: readonly string[], endings: readonly string[]): string {
  const word = random.pick(expressions).replaceAll(/[*!]/g, '')
  switch (random.below(6)) {
    case 0:
      return word
    case 1:
      return word + random.pick(endings)
    case 2:
      return random.pick(['x', 'bat', '']) + word + random.pick(['q', 'tub', ''])
    case 3:
      return [...word].with(random.below(word.length), random.pick(LETTERS)).join('')
    case 4:
      return word.slice(0, -1)
    default:
      return disguise(random, word)
  }
}

function disguise(random: Random, word: string): string {
  const letters = Array.from(word, (letter) => {
    const one = random.oneIn(2) ? letter : random.pick(lookAlikes.get(letter)!)
    return (
      one.repeat(random.oneIn(6) ? 1 + random.below(4) : 1) + (random.oneIn(10) ? random.pick(invisible) : '')
    )
  })
  return letters.join('')
}
