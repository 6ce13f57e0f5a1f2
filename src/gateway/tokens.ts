import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../core/clock.ts'
import type { Player } from '../core/model.ts'
import type { MintedToken, PlayerTokenIssuer, PlayerTokenRequest } from '../core/player-tokens.ts'

export interface PlayerIdentity {
  readonly player: Player
  readonly language: string | undefined
}

export interface IdentityLimits {
  readonly idBytes: number
  readonly nameBytes: number
}

const ALGORITHM = 'HS256'
const CONTROL = /\p{Cc}/u

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

  /** Undefined for a token that is forged, expired, of another algorithm, or without a sane id, name or expiry. */
  async verify(token: string): Promise<PlayerIdentity | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: [ALGORITHM],
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(this.#clock()),
      })
      const player = { id: payload.sub ?? '', name: String(payload['name'] ?? payload.sub) }
      const language = typeof payload['lang'] === 'string' ? payload['lang'] : undefined
      return this.#isSane(player) ? { player, language } : undefined
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

  #isSane({ id, name }: Player): boolean {
    const fits = (text: string, bytes: number) =>
      text !== '' && Buffer.byteLength(text) <= bytes && !CONTROL.test(text) && text.isWellFormed()
    return fits(id, this.#limits.idBytes) && fits(name, this.#limits.nameBytes)
  }
}
