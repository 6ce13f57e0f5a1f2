import { Random } from '../../test/filter/random.ts'
import { Corpora, MissingCorpusError } from './corpora.ts'
import { INNOCENT_WORDS } from './innocent-words.ts'
import { compileSubject, type List } from './subject.ts'

const SEED = 20_240_608
const [SMALL, LARGE, HUGE] = [403, 61_000, 100_000]
const LENGTH = 40
const MESSAGES = 2000
const LINES = 4000

/** Inputs of the speed measurements. */
export interface SpeedTexts {
  /** 403 expressions. */
  readonly small: readonly List[]
  /** About 61,000 expressions in all languages. */
  readonly large: readonly List[]
  /** 100,000 expressions. */
  readonly huge: readonly List[]
  /** Real chat, profane lines included. */
  readonly lines: readonly string[]
}

/** From the data folder, or generated if it is missing. */
export function loadSpeedTexts(folder: string): SpeedTexts {
  try {
    return readSpeedTexts(new Corpora(folder))
  } catch (error) {
    if (!(error instanceof MissingCorpusError)) throw error
    console.error(`Generating the lists and messages of filter-speed: ${error.message}`)
    return generateSpeedTexts()
  }
}

/** Messages of forty characters without a hit in any of the lists. */
export function cleanMessages({ huge, lines }: SpeedTexts): string[] {
  const random = new Random(SEED)
  const filter = compileSubject(huge)
  const fine = lines.filter((line) => filter.clean(line, 'en').hits.length === 0)
  const messages: string[] = []
  while (messages.length < MESSAGES) {
    const message = flatten(takeMessage(random, fine))
    if (message.length === LENGTH && filter.clean(message, 'en').hits.length === 0) messages.push(message)
  }
  return messages
}

/** The same messages ending in a word of the small list. */
export function profaneMessages(messages: readonly string[], { small }: SpeedTexts): string[] {
  const random = new Random(SEED)
  const words = small.flatMap(({ expressions }) => expressions).filter((each) => /^[a-z]{4,12}$/.test(each))
  return messages.map((message) => {
    const word = random.pick(words)
    return flatten(`${message.slice(0, LENGTH - word.length - 1)} ${word}`)
  })
}

/** A flat string: a concatenated one stays a rope until it is read. */
export const flatten = (text: string) => Buffer.from(text).toString()

function takeMessage(random: Random, lines: readonly string[]): string {
  let message = ''
  while (message.length < LENGTH) message += `${random.pick(lines)} `
  return message.slice(0, LENGTH)
}

function readSpeedTexts(texts: Corpora): SpeedTexts {
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

function generateSpeedTexts(): SpeedTexts {
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

/** Adds expressions to the English list up to a total number. */
function fillUp(lists: readonly List[], makeExpression: () => string, total = HUGE): List[] {
  const known = lists.reduce((count, { expressions }) => count + expressions.length, 0)
  const added = Array.from({ length: total - known }, makeExpression)
  return lists.map(({ language, expressions }) => ({
    language,
    expressions: language === 'en' ? [...expressions, ...added] : expressions,
  }))
}
