import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Player } from '../core/model.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { MintedToken, PlayerTokenIssuer, PlayerTokenRequest } from '../core/ports/player-tokens.ts'
import { isLanguageCode, readName } from '../core/text.ts'

export interface PlayerIdentity {
  readonly player: Player
  readonly language: string | undefined
}

export interface IdentityLimits {
  readonly idBytes: number
  readonly nameBytes: number
}

const ALGORITHM = 'HS256'

/** Verifies and mints player tokens: JWTs signed by the game's backend or by this server. */
export class PlayerTokens implements PlayerTokenIssuer {
  readonly #secret: Uint8Array
  readonly #clock: Clock
  readonly #limits: IdentityLimits

  constructor(secret: string, clock: Clock, limits: IdentityLimits) {
    this.#secret = new TextEncoder().encode(secret)
    this.#clock = clock
    this.#limits = limits
  }

  /** Returns undefined if the token is forged, expired, signed with another algorithm or has invalid claims. */
  async verify(token: string): Promise<PlayerIdentity | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: [ALGORITHM],
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(this.#clock()),
      })
      return this.#readClaims(payload)
    } catch {
      return undefined
    }
  }

  async mint({ player, language, expiresInSeconds }: PlayerTokenRequest): Promise<MintedToken> {
    const issuedAt = Math.floor(this.#clock() / 1000)
    const claims = { name: player.name, ...(language !== undefined && { lang: language }) }
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM })
      .setSubject(player.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + expiresInSeconds)
      .sign(this.#secret)
    return { token, expiresAt: (issuedAt + expiresInSeconds) * 1000 }
  }

  #readClaims({ sub, name, lang }: JWTPayload): PlayerIdentity | undefined {
    const id = readClaim(sub, (text) => readName(text, this.#limits.idBytes))
    const displayName = readClaim(name ?? undefined, (text) => readName(text, this.#limits.nameBytes))
    const language = readClaim(lang ?? undefined, (text) => (isLanguageCode(text) ? text : undefined))
    if (typeof id !== 'string' || displayName === INVALID || language === INVALID) return undefined
    return { player: { id, name: displayName ?? id }, language }
  }
}

const INVALID = Symbol('claim of the wrong type or with an invalid value')

/** Returns undefined if the claim is absent. */
function readClaim(claim: unknown, read: (text: string) => string | undefined) {
  if (claim === undefined) return undefined
  return (typeof claim === 'string' ? read(claim) : undefined) ?? INVALID
}
