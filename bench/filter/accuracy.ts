import type { Measurement } from '../support.ts'
import { evaluateEnglishChat, evaluateKoreanChat } from './chat.ts'
import { Corpora, MissingCorpusError } from './corpora.ts'
import { Details } from './details.ts'
import type { Engine } from './engine.ts'
import type { EvaluationContext, Part } from './evaluation.ts'
import { evaluateEvasion } from './evasion.ts'
import { evaluateEvasivePhrases } from './evasive-phrases.ts'
import { createEngine, ENGLISH_PEERS, KOREAN_PEERS, type Peer } from './peers.ts'
import { evaluateScunthorpe } from './scunthorpe.ts'
import { evaluateSelfMatch } from './self-match.ts'
import { evaluateTenWords } from './ten-words.ts'
import { evaluateUnaccented } from './unaccented.ts'

const PARTS: Record<string, Part> = {
  'ten-words': evaluateTenWords,
  chat: evaluateEnglishChat,
  innocents: evaluateScunthorpe,
  phrases: evaluateEvasivePhrases,
  evasion: evaluateEvasion,
  unaccented: evaluateUnaccented,
  korean: evaluateKoreanChat,
  'self-match': evaluateSelfMatch,
}

export interface AccuracyOptions {
  readonly data: string
  readonly only: string | undefined
  readonly details: string | undefined
  readonly withPeers: boolean
}

/** Recall and false positives of the filter. */
export async function measureFilterAccuracy(options: AccuracyOptions): Promise<Measurement[]> {
  const { only } = options
  if (only !== undefined && !(only in PARTS))
    throw new Error(`Unknown part ${only}. Available parts: ${Object.keys(PARTS).join(', ')}`)
  const details = new Details()
  const context: EvaluationContext = {
    texts: new Corpora(options.data),
    details,
    englishPeers: async ({ expressions }) =>
      options.withPeers ? createAll(Object.values(ENGLISH_PEERS), expressions) : [],
    koreanPeers: async () => (options.withPeers ? createAll(Object.values(KOREAN_PEERS)) : []),
  }
  const rows: Measurement[] = []
  for (const [name, part] of Object.entries(PARTS))
    if (only === undefined || only === name) rows.push(...(await evaluatePart(name, part, context)))
  if (options.details !== undefined) details.write(options.details)
  return rows
}

async function evaluatePart(name: string, part: Part, context: EvaluationContext): Promise<Measurement[]> {
  try {
    return await part(context)
  } catch (error) {
    if (!(error instanceof MissingCorpusError)) throw error
    console.error(`Skipping part ${name} of filter-accuracy: ${error.message}`)
    return []
  }
}

/** Sequentially: creating the first peer may install all of them. */
async function createAll(peers: readonly Peer[], words?: readonly string[]): Promise<Engine[]> {
  const engines: Engine[] = []
  for (const peer of peers) engines.push(await createEngine(peer, words))
  return engines
}
