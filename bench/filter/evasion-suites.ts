import { knownLanguage } from '../../src/filter/words/known-language.ts'
import { Random } from '../../test/filter/random.ts'
import { type Alphabet, CYRILLIC, GREEK, LATIN } from './alphabets.ts'
import { type CarrierLanguage, carriersOf } from './carriers.ts'
import type { Corpora } from './corpora.ts'
import { type Engine, Parley } from './engine.ts'
import type { EvaluationContext } from './evaluation.ts'
import { KOREAN_OBFUSCATIONS } from './korean-obfuscations.ts'
import { matchListed } from './listed.ts'
import { type Obfuscations, obfuscationsOf } from './obfuscations.ts'
import type { List } from './subject.ts'

const WORDS = 200
const HARMLESS = /^[^\n]{8,60}$/
const HANGUL_WORD = /^[가-힣]{2,}$/

/** A listed word, and a line without listed words to insert it into. */
export interface EvasionCase {
  readonly word: string
  readonly carrier: string
  readonly parley: Parley
}

/** The words of one script. */
export interface EvasionSuite {
  readonly script: string
  readonly cases: readonly EvasionCase[]
  readonly obfuscations: Obfuscations
  /** Configured with the list of the cases. */
  readonly peers: readonly Engine[]
}

export async function makeSuites(
  { texts, englishPeers }: EvaluationContext,
  seed: number,
): Promise<EvasionSuite[]> {
  const english = texts.english()
  const random = () => new Random(seed)
  return [
    {
      script: 'Latin',
      cases: makeCases(english, LATIN.word, harmlessChat(texts), random()),
      obfuscations: obfuscationsOf(LATIN, matchWords(['en'])),
      peers: await englishPeers(english),
    },
    makeSuite('Cyrillic', CYRILLIC, cyrillicLists(texts), random()),
    makeSuite('Greek', GREEK, [texts.listed('el', 'ldnoobw_v2/el.txt')], random()),
    {
      script: 'Hangul',
      cases: makeCases(texts.korean(), HANGUL_WORD, harmlessComments(texts), random()),
      obfuscations: KOREAN_OBFUSCATIONS,
      peers: [],
    },
  ]
}

const cyrillicLists = (texts: Corpora) => [
  texts.listed('ru', 'ldnoobw/ru', 'ldnoobw_v2/ru.txt'),
  texts.listed('uk', 'ldnoobw_v2/uk.txt'),
  texts.listed('bg', 'ldnoobw_v2/bg.txt'),
]

function makeSuite(script: string, alphabet: Alphabet, lists: readonly List[], random: Random): EvasionSuite {
  const isWord = matchWords(lists.map(({ language }) => language))
  return {
    script,
    cases: lists.flatMap((list) =>
      makeCases(list, alphabet.word, carriersOf(list.language as CarrierLanguage), random),
    ),
    obfuscations: obfuscationsOf(alphabet, isWord),
    peers: [],
  }
}

/** Each word of the list gets one of the lines that contain no expression of the list. */
function makeCases(list: List, isWord: RegExp, lines: readonly string[], random: Random): EvasionCase[] {
  const parley = new Parley(list)
  const words = random.sample(
    list.expressions.filter((each) => isWord.test(each)),
    WORDS,
  )
  const containsListed =
    isWord === HANGUL_WORD
      ? (line: string) => list.expressions.some((each) => line.includes(each))
      : matchListed(list.expressions)
  const carriers = random.sample(lines, lines.length).filter((line) => !containsListed(line))
  return words.map((word, index) => ({ word, parley, carrier: carriers[index % carriers.length]! }))
}

const harmlessChat = (texts: Corpora) =>
  texts.gameChat().flatMap(({ text, isHarmless }) => (isHarmless && HARMLESS.test(text) ? [text.trim()] : []))

const harmlessComments = (texts: Corpora) =>
  texts
    .koreanComments()
    .flatMap(({ text, isProfane }) => (!isProfane && HARMLESS.test(text) ? [text.trim()] : []))

/** The words that the engine knows of any of the languages. */
function matchWords(languages: readonly string[]): (text: string) => boolean {
  const words = new Set(languages.flatMap((code) => knownLanguage(code)?.text.split('\n') ?? []))
  return (text) => words.has(text)
}
