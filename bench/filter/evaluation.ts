import type { Measurement } from '../support.ts'
import type { Corpora } from './corpora.ts'
import type { Details } from './details.ts'
import type { Engine } from './engine.ts'
import type { List } from './subject.ts'

export interface EvaluationContext {
  readonly texts: Corpora
  readonly details: Details
  /** Peers configured with the same list. */
  englishPeers(list: List): Promise<readonly Engine[]>
  /** Korean peers, each with its own list. */
  koreanPeers(): Promise<readonly Engine[]>
}

export type Part = (context: EvaluationContext) => Promise<Measurement[]>

export const listPeers = (peers: readonly Engine[], figure: (peer: Engine) => string) =>
  peers.map((peer) => `${peer.name} ${figure(peer)}`).join('; ')
