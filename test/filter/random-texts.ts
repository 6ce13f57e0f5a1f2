import { GLYPHS, type Glyph, LETTERS, look, standsFor } from './glyphs.ts'
import type { Random } from './random.ts'
import { isDotted } from './reference.ts'

const everything = [...GLYPHS.keys()]
const invisible = everything.filter((each) => GLYPHS.get(each)!.kind === 'nothing')
const disguises = new Map(
  Array.from(LETTERS, (letter) => [
    letter,
    everything.filter((each) => standsFor(GLYPHS.get(each)!, letter)),
  ]),
)

/** Words and phrases of few letters, open or closed, none of which is part of another. */
export function makeExpressions(random: Random): string[] {
  const expressions = tryExpressions(random)
  return expressions.length > 0 ? expressions : makeExpressions(random)
}

function tryExpressions(random: Random): string[] {
  const some = random.many(3, 6, () => random.one(LETTERS)).join('')
  const word = (below: number) =>
    random.many(1, below, () => random.one(some).repeat(random.once(5) ? 2 : 1)).join('')
  const made = random.many(1, 4, () => {
    const inner = random.once(5) ? `${word(4)} ${word(4)}` : word(6)
    const sides = inner.replace(' ', '').length < 2 ? 0 : random.below(8)
    return (sides & 5) === 5 ? `*${inner}*` : sides === 4 ? `*${inner}` : sides === 6 ? `${inner}*` : inner
  })
  const bare = made.map((each) => each.replaceAll('*', ''))
  return made.filter(
    (each, index) =>
      !isMixed(each) &&
      !isOneOpenRun(each) &&
      bare.every((other, place) => place === index || !other.includes(bare[index]!)),
  )
}

/** Letters that look like one another stand, or may stand in a text, side by side where it ends. */
const isMixed = (expression: string) =>
  /il|li|uv|vu|[il] [il]|[uv] [uv]|(.) \1|^\*(?:[il]+|[uv]+|(.)\2)\*?$/.test(expression)

/** One letter, open: what is the expression and what the rest of the word, nobody can say. */
const isOneOpenRun = (expression: string) => expression.includes('*') && /^\*?(.)\1*\*?$/.test(expression)

/** Noise with the expressions in it, written in all ways. */
export function makeText(random: Random, expressions: readonly string[]): string {
  for (;;) {
    const pieces = random.many(1, 4, () =>
      random.once(3) || expressions.length === 0 ? noise(random) : disguise(random, random.one(expressions)),
    )
    const text = pieces.join(random.one(['', ' ', ' ', '.', '@', 'x', '1']))
    if (isDecided(text)) return text
  }
}

const noise = (random: Random) => random.many(0, 6, () => random.one(everything)).join('')

function disguise(random: Random, expression: string): string {
  const isPlain = random.once(3)
  const between = random.once(4) ? random.one([' ', '.', ' - ', ',']) : ''
  const written = Array.from(expression.replaceAll('*', ''), (letter) => {
    if (letter === ' ') return random.one([' ', ' ', '-', ' . ', '', '@'])
    const one = isPlain || random.once(2) ? letter : random.one(disguises.get(letter)!)
    if (random.once(12)) return random.one('*#')
    return (
      one.repeat(random.once(6) ? 1 + random.below(4) : 1) + (random.once(10) ? random.one(invisible) : '')
    )
  })
  return written.join(between)
}

/**
 * Whether the rules say what to make of a text. They do not of several signs, which are read all in one way, of one behind a word or beside a letter that it may stand for, before something that nobody sees or between single letters.
 */
export function isDecided(text: string): boolean {
  if (/[@!|(+](?:\u200b|\u00ad|\u0301|[@!|(+])/.test(text)) return false
  const seen = look(text)
  const isWordly = (at: number) => ['letter', 'digit'].includes(seen[at]?.kind ?? '')
  const signs = seen.flatMap(({ kind }, at) =>
    kind === 'sign' ? [{ isBehind: isWordly(at - 1), isBefore: isWordly(at + 1) }] : [],
  )
  const isInRun = seen.some(
    (each, at) =>
      each.kind === 'sign' && [seen[at - 1], seen[at + 1]].some((other) => other && isAlike(each, other)),
  )
  const isTrailing = signs.some(({ isBehind, isBefore }) => isBehind && !isBefore)
  return !isTrailing && !isInRun && signs.length < 2 && !isDotted(text)
}

const isAlike = (one: Glyph, other: Glyph) =>
  Array.from(one.looks).some((letter) => standsFor(other, letter) || other.looks.includes(letter))
