import { loadPeer } from '../support.ts'
import type { Engine } from './engine.ts'

/** Another profanity filter. */
export interface Peer {
  readonly name: string
  readonly isSlow: boolean
  /** With the given words, or with its own list. */
  create(words?: readonly string[]): Promise<(text: string) => boolean>
}

export async function createEngine(
  { name, isSlow, create }: Peer,
  words?: readonly string[],
): Promise<Engine> {
  return { name, isSlow, has: await create(words) }
}

interface Obscenity {
  readonly englishDataset: { build(): object }
  readonly englishRecommendedTransformers: object
  readonly RegExpMatcher: new (options: object) => { hasMatch(text: string): boolean }
  parseRawPattern(source: string): object
  assignIncrementingIds(patterns: readonly object[]): object
}

const obscenity: Peer = {
  name: 'obscenity',
  isSlow: true,
  create: async (words) => {
    const { englishDataset, englishRecommendedTransformers, RegExpMatcher, ...parts } =
      await loadPeer<Obscenity>('obscenity')
    const patterns = words?.map((word) => parts.parseRawPattern(word.replaceAll(/[[\]?|\\]/g, '\\$&')))
    const matcher = new RegExpMatcher({
      ...englishDataset.build(),
      ...englishRecommendedTransformers,
      ...(patterns && { blacklistedTerms: parts.assignIncrementingIds(patterns) }),
    })
    return (text) => matcher.hasMatch(text)
  },
}

interface BadWords {
  readonly Filter: new (
    options: object,
  ) => { addWords(...words: string[]): void; isProfane(text: string): boolean }
}

const badWords: Peer = {
  name: 'bad-words',
  isSlow: true,
  create: async (words) => {
    const { Filter } = await loadPeer<BadWords>('bad-words')
    const filter = new Filter({ emptyList: words !== undefined })
    filter.addWords(...(words ?? []))
    return (text) => filter.isProfane(text)
  },
}

interface TwoToad {
  readonly profaneWords: ReadonlyMap<string, string[]>
  readonly Profanity: new (
    options: object,
  ) => {
    addWords(words: readonly string[]): void
    removeWords(words: readonly string[]): void
    exists(text: string): boolean
  }
}

const twoToad: Peer = {
  name: '@2toad/profanity',
  isSlow: false,
  create: async (words) => {
    const { Profanity, profaneWords } = await loadPeer<TwoToad>('@2toad/profanity')
    const profanity = new Profanity({ languages: ['en'] })
    if (words !== undefined) {
      profanity.removeWords(profaneWords.get('en') ?? [])
      profanity.addWords(words)
    }
    return (text) => profanity.exists(text)
  },
}

interface LeoProfanity {
  readonly default: {
    reset(): void
    clearList(): void
    add(words: readonly string[]): void
    check(text: string): boolean
  }
}

const leoProfanity: Peer = {
  name: 'leo-profanity',
  isSlow: false,
  create: async (words) => {
    const { default: leo } = await loadPeer<LeoProfanity>('leo-profanity')
    leo.reset()
    if (words !== undefined) {
      leo.clearList()
      leo.add(words)
    }
    return (text) => leo.check(text)
  },
}

interface GlinProfanity {
  readonly Filter: new (options: object) => { isProfane(text: string): boolean }
}

/** Detects leetspeak only if configured to. */
const glinProfanity: Peer = {
  name: 'glin-profanity',
  isSlow: true,
  create: async (words) => {
    const { Filter } = await loadPeer<GlinProfanity>('glin-profanity')
    const filter = new Filter(
      words === undefined
        ? { languages: ['english'] }
        : { languages: [], customWords: words, detectLeetspeak: true },
    )
    return (text) => filter.isProfane(text)
  },
}

interface AllProfanity {
  readonly AllProfanity: new (
    options: object,
  ) => {
    clearList(): void
    add(words: readonly string[]): void
    check(text: string): boolean
  }
}

const allProfanity: Peer = {
  name: 'allprofanity',
  isSlow: false,
  create: async (words) => {
    const { AllProfanity } = await loadPeer<AllProfanity>('allprofanity')
    const profanity = new AllProfanity({ silent: true })
    if (words !== undefined) {
      profanity.clearList()
      profanity.add(words)
    }
    return (text) => profanity.check(text)
  },
}

export const ENGLISH_PEERS = { obscenity, badWords, twoToad, leoProfanity, glinProfanity, allProfanity }

interface BadWordsKo {
  readonly default: new () => { isProfane(text: string): boolean }
}

const badWordsKo: Peer = {
  name: 'badwords-ko',
  isSlow: true,
  create: async () => {
    const { default: Filter } = await loadPeer<BadWordsKo>('badwords-ko')
    const filter = new Filter()
    return (text) => filter.isProfane(text)
  },
}

const korcen: Peer = {
  name: 'korcen',
  isSlow: true,
  create: async () => {
    const { check } = await loadPeer<{ check(text: string): boolean }>('korcen')
    return (text) => check(text)
  },
}

export const KOREAN_PEERS = { badWordsKo, korcen }
