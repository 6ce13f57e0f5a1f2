import { createHash, timingSafeEqual } from 'node:crypto'

/** What a token may do, each role all that the ones before it may. */
export const ROLES = ['viewer', 'moderator', 'operator', 'master'] as const
export type Role = (typeof ROLES)[number]

export const permits = (held: Role, needed: Role) => ROLES.indexOf(held) >= ROLES.indexOf(needed)

export interface Principal {
  readonly name: string
  readonly role: Role
}

export interface Credential extends Principal {
  readonly tokenHash: Buffer
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const BEARER = /^bearer +([^\s]+) *$/i

/** The holder of the token, found in a time that tells nothing of the tokens. */
export function authenticate(
  header: string | null,
  credentials: readonly Credential[],
): Principal | undefined {
  const token = header === null ? undefined : BEARER.exec(header)?.[1]
  if (token === undefined) return undefined
  const hash = hashToken(token)
  let found: Principal | undefined
  for (const credential of credentials) if (timingSafeEqual(hash, credential.tokenHash)) found = credential
  return found
}
