import type { Measurement } from '../support.ts'
import type { Details } from './details.ts'
import type { Engine } from './engine.ts'
import type { List } from './subject.ts'
import type { Texts } from './texts.ts'

export interface Ground {
  readonly texts: Texts
  readonly details: Details
  /** Others that know the same list. */
  englishPeers(list: List): Promise<readonly Engine[]>
  /** Others for Korean, each with the list that comes with it. */
  koreanPeers(): Promise<readonly Engine[]>
}

export type Part = (ground: Ground) => Promise<Measurement[]>

export const listPeers = (peers: readonly Engine[], figure: (peer: Engine) => string) =>
  peers.map((peer) => `${peer.name} ${figure(peer)}`).join('; ')
