import type { MintedToken } from '../../core/ports/player-tokens.ts'
import { isoTime } from '../times.ts'

export const renderMintedToken = ({ token, expiresAt }: MintedToken) => ({
  token,
  expires_at: isoTime(expiresAt),
})
