import { GLYPHS, type Glyph, LETTERS, readGlyphs, standsFor } from './glyphs.ts'
import type { Random } from './random.ts'
import { isDotted } from './reference.ts'

const everything = [...GLYPHS.keys()]
const invisible = everything.filter((each) => GLYPHS.get(each)!.kind === 'ignorable')
const lookAlikes = new Map(
  Array.from(LETTERS, (letter) => [
    letter,
    everything.filter((each) => standsFor(GLYPHS.get(each)!, letter)),
  ]),
)

/** Words and phrases of a few letters, open or closed, none of them part of another. */
export function makeExpressions(random: Random): string[] {
  const expressions = tryExpressions(random)
  return expressions.length > 0 ? expressions : makeExpressions(random)
}

function tryExpressions(random: Random): string[] {
  const some = random.many(3, 6, () => random.pick(LETTERS)).join('')
  const word = (below: number) =>
    random.many(1, below, () => random.pick(some).repeat(random.oneIn(5) ? 2 : 1)).join('')
  const made = random.many(1, 4, () => {
    const inner = random.oneIn(5) ? `${word(4)} ${word(4)}` : word(6)
    const sides = inner.replace(' ', '').length < 2 ? 0 : random.below(8)
    return (sides & 5) === 5 ? `*${inner}*` : sides === 4 ? `*${inner}` : sides === 6 ? `${inner}*` : inner
  })
  const bare = made.map((each) => each.replaceAll('*', ''))
  return made.filter(
    (each, index) =>
      !isAmbiguous(each) &&
      !isOneOpenRun(each) &&
      bare.every((other, position) => position === index || !other.includes(bare[index]!)),
  )
}

/** Whether look-alike letters are adjacent, or could be in a text, at the end of the expression. */
const isAmbiguous = (expression: string) =>
  /il|li|uv|vu|[il] [il]|[uv] [uv]|(.) \1|^\*(?:[il]+|[uv]+|(.)\2)\*?$/.test(expression)

/** Whether it is an open run of one letter: where the expression ends and the word continues is undefined. */
const isOneOpenRun = (expression: string) => expression.includes('*') && /^\*?(.)\1*\*?$/.test(expression)

/** Noise that contains the expressions, obfuscated in every way. */
export function makeText(random: Random, expressions: readonly string[]): string {
  for (;;) {
    const pieces = random.many(1, 4, () =>
      random.oneIn(3) || expressions.length === 0
        ? noise(random)
        : obfuscate(random, random.pick(expressions)),
    )
    const text = pieces.join(random.pick(['', ' ', ' ', '.', '@', 'x', '1']))
    if (isUnambiguous(text)) return text
  }
}

const noise = (random: Random) => random.many(0, 6, () => random.pick(everything)).join('')

function obfuscate(random: Random, expression: string): string {
  const isPlain = random.oneIn(3)
  const between = random.oneIn(4) ? random.pick([' ', '.', ' - ', ',']) : ''
  const letters = Array.from(expression.replaceAll('*', ''), (letter) => {
    if (letter === ' ') return random.pick([' ', ' ', '-', ' . ', '', '@'])
    const one = isPlain || random.oneIn(2) ? letter : random.pick(lookAlikes.get(letter)!)
    if (random.oneIn(12)) return random.pick('*#')
    return (
      one.repeat(random.oneIn(6) ? 1 + random.below(4) : 1) + (random.oneIn(10) ? random.pick(invisible) : '')
    )
  })
  return letters.join(between)
}

/**
 * Whether the rules define a result for a text. They do not for leetspeak punctuation that occurs more than once (all
 * of it is read the same way), after a word, next to a letter that it can stand for, before an invisible character or
 * between single letters.
 */
export function isUnambiguous(text: string): boolean {
  if (/[@!|(+](?:\u200b|\u00ad|\u0301|[@!|(+])/.test(text)) return false
  const glyphs = readGlyphs(text)
  const isWordCharacter = (at: number) => ['letter', 'digit'].includes(glyphs[at]?.kind ?? '')
  const leet = glyphs.flatMap(({ kind }, at) =>
    kind === 'leet' ? [{ isAfterWord: isWordCharacter(at - 1), isBeforeWord: isWordCharacter(at + 1) }] : [],
  )
  const isInRun = glyphs.some(
    (each, at) =>
      each.kind === 'leet' &&
      [glyphs[at - 1], glyphs[at + 1]].some((other) => other && isLookAlike(each, other)),
  )
  const isTrailing = leet.some(({ isAfterWord, isBeforeWord }) => isAfterWord && !isBeforeWord)
  return !isTrailing && !isInRun && leet.length < 2 && !isDotted(text)
}

const isLookAlike = (one: Glyph, other: Glyph) =>
  Array.from(one.lookAlikes).some((letter) => standsFor(other, letter) || other.lookAlikes.includes(letter))
