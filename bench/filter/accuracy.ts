import type { Measurement } from '../support.ts'
import { judgeGameChat, judgeKoreanChat } from './chat.ts'
import { Details } from './details.ts'
import type { Engine } from './engine.ts'
import { judgeEvasion, judgeKoreanEvasion } from './evasion.ts'
import type { Ground, Part } from './part.ts'
import { createEngine, ENGLISH_PEERS, KOREAN_PEERS, type Peer } from './peers.ts'
import { judgeScunthorpe } from './scunthorpe.ts'
import { Texts } from './texts.ts'

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
  const texts = new Texts(wish.data)
  if (!texts.areThere) {
    console.error(
      `filter-accuracy is skipped: there are no texts in ${wish.data}; name their folder with --data`,
    )
    return []
  }
  const details = new Details()
  const ground: Ground = {
    texts,
    details,
    englishPeers: async ({ expressions }) =>
      wish.withPeers ? createAll(Object.values(ENGLISH_PEERS), expressions) : [],
    koreanPeers: async () => (wish.withPeers ? createAll(Object.values(KOREAN_PEERS)) : []),
  }
  const rows: Measurement[] = []
  for (const [name, judge] of Object.entries(PARTS))
    if (only === undefined || only === name) rows.push(...(await judge(ground)))
  if (wish.details !== undefined) details.write(wish.details)
  return rows
}

/** One after the other: the first may have to install them all. */
async function createAll(peers: readonly Peer[], words?: readonly string[]): Promise<Engine[]> {
  const engines: Engine[] = []
  for (const peer of peers) engines.push(await createEngine(peer, words))
  return engines
}
