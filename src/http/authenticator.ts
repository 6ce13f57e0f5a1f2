import { hash } from 'node:crypto'

/** Each role may do everything that the ones before it may. */
export const ROLES = ['viewer', 'moderator', 'operator', 'master'] as const
export type Role = (typeof ROLES)[number]

export const permits = (held: Role, needed: Role) => ROLES.indexOf(held) >= ROLES.indexOf(needed)

export interface Principal {
  /** Identifies the token: each token has its own rate limit. */
  readonly id: string
  /** Identifies the holder of the token: a write may be repeated with another token of the same holder. */
  readonly holder: string
  readonly role: Role
}

export interface Credential extends Principal {
  readonly tokenHash: string
}

export const hashToken = (token: string): string => hash('sha256', token, 'hex')

const SCHEME = 'bearer '

/**
 * Finds the principal of a request. The lookup is by the hash of the token, so its time depends neither on the number of
 * tokens nor on how much of a guess is right: changing one character of a guess changes all of its hash.
 */
export class Authenticator {
  readonly #principals = new Map<string, Principal>()

  constructor(credentials: Iterable<Credential> = []) {
    for (const credential of credentials) this.add(credential)
  }

  add({ tokenHash, ...principal }: Credential): void {
    this.#principals.set(tokenHash, principal)
  }

  /** Once it returns, the token is rejected. */
  revoke(tokenHash: string): void {
    this.#principals.delete(tokenHash)
  }

  authenticate({ headers }: Pick<Request, 'headers'>): Principal | undefined {
    const header = headers.get('authorization')
    if (header === null || header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
    return this.#principals.get(hashToken(header.slice(SCHEME.length).trimStart()))
  }
}
