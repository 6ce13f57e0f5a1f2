import type { Player, Timestamp } from '../model.ts'

export interface PlayerTokenRequest {
  readonly player: Player
  readonly language: string | undefined
  readonly expiresInSeconds: number
}

export interface MintedToken {
  readonly token: string
  readonly expiresAt: Timestamp
}

/** Issues the tokens that players connect with, for backends that do not sign their own. */
export interface PlayerTokenIssuer {
  mint(request: PlayerTokenRequest): Promise<MintedToken>
}
