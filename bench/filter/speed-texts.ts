import { Random } from '../../test/filter/random.ts'
import { INNOCENT_WORDS } from './innocent-words.ts'
import { compileSubject, type List } from './subject.ts'
import { MissingTexts, Texts } from './texts.ts'

const SEED = 20_240_608
const [SMALL, LARGE, HUGE] = [403, 61_000, 100_000]
const LENGTH = 40
const MESSAGES = 2000
const LINES = 4000

/** What the speed of the filter is measured with. */
export interface SpeedTexts {
  /** 403 expressions. */
  readonly small: readonly List[]
  /** About 61,000 expressions of all languages. */
  readonly large: readonly List[]
  /** 100,000 expressions. */
  readonly huge: readonly List[]
  /** Chat as it comes, profane lines among it. */
  readonly lines: readonly string[]
}

/** From the folder of texts, or made up when it is not there. */
export function gatherSpeedTexts(folder: string): SpeedTexts {
  try {
    return gather(new Texts(folder))
  } catch (error) {
    if (!(error instanceof MissingTexts)) throw error
    console.error(`Lists and messages of filter-speed are made up: ${error.message}`)
    return makeUp()
  }
}

/** Of forty characters and with nothing to hide, whatever the list. */
export function cleanMessages({ huge, lines }: SpeedTexts): string[] {
  const random = new Random(SEED)
  const filter = compileSubject(huge)
  const fine = lines.filter((line) => filter.clean(line, 'en').hits.length === 0)
  const messages: string[] = []
  while (messages.length < MESSAGES) {
    const message = flatten(cut(random, fine))
    if (message.length === LENGTH && filter.clean(message, 'en').hits.length === 0) messages.push(message)
  }
  return messages
}

/** The same messages with a word of the small list at the end. */
export function profaneMessages(messages: readonly string[], { small }: SpeedTexts): string[] {
  const random = new Random(SEED)
  const words = small.flatMap(({ expressions }) => expressions).filter((each) => /^[a-z]{4,12}$/.test(each))
  return messages.map((message) => {
    const word = random.pick(words)
    return flatten(`${message.slice(0, LENGTH - word.length - 1)} ${word}`)
  })
}

/** A text in one piece: one that was put together keeps its pieces until it is read. */
export const flatten = (text: string) => Buffer.from(text).toString()

function cut(random: Random, lines: readonly string[]): string {
  let message = ''
  while (message.length < LENGTH) message += `${random.pick(lines)} `
  return message.slice(0, LENGTH)
}

function gather(texts: Texts): SpeedTexts {
  const random = new Random(SEED)
  const large = texts.everyLanguage()
  const words = texts.dictionary().filter((word) => /^[a-z]+$/.test(word))
  const lines = texts.gameChat().flatMap(({ text }) => (text.includes('\n') ? [] : [text]))
  return {
    small: [texts.english()],
    large,
    huge: fillUp(large, () => `${random.pick(words)} ${random.pick(words)}`),
    lines: random.sample(lines, LINES).map(flatten),
  }
}

function makeUp(): SpeedTexts {
  const random = new Random(SEED)
  const syllable = () => random.pick('bcdfghjklmnprstvwz') + random.pick('aeiou')
  const word = () => Array.from({ length: 2 + random.below(4) }, syllable).join('')
  const small = fillUp([{ language: 'en', expressions: [] }], word, SMALL)
  const large = fillUp(small, word, LARGE)
  const line = () => random.sample(INNOCENT_WORDS, 1 + random.below(6)).join(' ')
  return {
    small,
    large,
    huge: fillUp(large, () => `${word()} ${word()}`),
    lines: Array.from({ length: LINES }, () => flatten(line())),
  }
}

/** Puts more expressions into the English list until there are enough in all. */
function fillUp(lists: readonly List[], makeExpression: () => string, total = HUGE): List[] {
  const known = lists.reduce((count, { expressions }) => count + expressions.length, 0)
  const added = Array.from({ length: total - known }, makeExpression)
  return lists.map(({ language, expressions }) => ({
    language,
    expressions: language === 'en' ? [...expressions, ...added] : expressions,
  }))
}
