import { hash } from 'node:crypto'

/** What a token may do, each role all that the ones before it may. */
export const ROLES = ['viewer', 'moderator', 'operator', 'master'] as const
export type Role = (typeof ROLES)[number]

export const permits = (held: Role, needed: Role) => ROLES.indexOf(held) >= ROLES.indexOf(needed)

export interface Principal {
  /** Of the token: two tokens of one holder have a rate limit each. */
  readonly id: string
  /** Of the holder: a write may be repeated with any of its tokens. */
  readonly holder: string
  readonly role: Role
}

export interface Credential extends Principal {
  readonly tokenHash: string
}

export const hashToken = (token: string): string => hash('sha256', token, 'hex')

const SCHEME = 'bearer '

/** The holder of the token, found in a time that tells nothing of the tokens. */
export function authenticate(
  header: string | null,
  credentials: readonly Credential[],
): Principal | undefined {
  if (header === null || header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  const tokenHash = hashToken(header.slice(SCHEME.length).trimStart())
  let found: Principal | undefined
  for (const credential of credentials)
    if (constantTimeEqual(tokenHash, credential.tokenHash)) found = credential
  return found
}

/**
 * Takes as long for any two hashes. Of strings, since a buffer for each request costs more than all the rest of
 * the check.
 */
function constantTimeEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i)
  return difference === 0
}
