import type { Measurement } from '../support.ts'
import { judgeGameChat, judgeKoreanChat } from './chat.ts'
import { Details } from './details.ts'
import type { Engine } from './engine.ts'
import { judgeEvasion, judgeKoreanEvasion } from './evasion.ts'
import type { Ground, Part } from './part.ts'
import { createEngine, ENGLISH_PEERS, KOREAN_PEERS, type Peer } from './peers.ts'
import { judgeScunthorpe } from './scunthorpe.ts'
import { MissingTexts, Texts } from './texts.ts'

const PARTS: Record<string, Part> = {
  evasion: judgeEvasion,
  chat: judgeGameChat,
  scunthorpe: judgeScunthorpe,
  korean: judgeKoreanChat,
  'korean-evasion': judgeKoreanEvasion,
}

export interface AccuracyWish {
  readonly data: string
  readonly only: string | undefined
  readonly details: string | undefined
  readonly withPeers: boolean
}

/** How much of what it should the filter finds, and how much of what it should not. */
export async function measureFilterAccuracy(wish: AccuracyWish): Promise<Measurement[]> {
  const { only } = wish
  if (only !== undefined && !(only in PARTS))
    throw new Error(`No part ${only}; there are ${Object.keys(PARTS).join(', ')}`)
  const details = new Details()
  const ground: Ground = {
    texts: new Texts(wish.data),
    details,
    englishPeers: async ({ expressions }) =>
      wish.withPeers ? createAll(Object.values(ENGLISH_PEERS), expressions) : [],
    koreanPeers: async () => (wish.withPeers ? createAll(Object.values(KOREAN_PEERS)) : []),
  }
  const rows: Measurement[] = []
  for (const [name, part] of Object.entries(PARTS))
    if (only === undefined || only === name) rows.push(...(await judgePart(name, part, ground)))
  if (wish.details !== undefined) details.write(wish.details)
  return rows
}

async function judgePart(name: string, part: Part, ground: Ground): Promise<Measurement[]> {
  try {
    return await part(ground)
  } catch (error) {
    if (!(error instanceof MissingTexts)) throw error
    console.error(`The part ${name} of filter-accuracy is skipped: ${error.message}`)
    return []
  }
}

/** One after the other: the first may have to install them all. */
async function createAll(peers: readonly Peer[], words?: readonly string[]): Promise<Engine[]> {
  const engines: Engine[] = []
  for (const peer of peers) engines.push(await createEngine(peer, words))
  return engines
}
