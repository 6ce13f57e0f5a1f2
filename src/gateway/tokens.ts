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

/** Player tokens: JWTs that a game's backend signs, or asks for. */
export class PlayerTokens implements PlayerTokenIssuer {
  readonly #secret: Uint8Array
  readonly #clock: Clock
  readonly #limits: IdentityLimits

  constructor(secret: string, clock: Clock, limits: IdentityLimits) {
    this.#secret = new TextEncoder().encode(secret)
    this.#clock = clock
    this.#limits = limits
  }

  /** Undefined for a token that is forged, expired, signed with another algorithm, or whose claims are not sane. */
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
    const shown = readClaim(name ?? undefined, (text) => readName(text, this.#limits.nameBytes))
    const language = readClaim(lang ?? undefined, (text) => (isLanguageCode(text) ? text : undefined))
    if (typeof id !== 'string' || shown === WRONG || language === WRONG) return undefined
    return { player: { id, name: shown ?? id }, language }
  }
}

const WRONG = Symbol('a claim of the wrong type or with a wrong value')

/** Undefined when the claim is absent. */
function readClaim(claim: unknown, read: (text: string) => string | undefined) {
  if (claim === undefined) return undefined
  return (typeof claim === 'string' ? read(claim) : undefined) ?? WRONG
}
