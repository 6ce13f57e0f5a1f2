import { describe, expect, test } from 'bun:test'
import { Authenticator, hashToken } from './authenticator.ts'

const credential = (id: string, token: string) =>
  ({ id, holder: 'studio', role: 'operator', tokenHash: hashToken(token) }) as const
const bearer = (token: string) => ({ headers: new Headers({ Authorization: `Bearer ${token}` }) })

describe('Authenticator', () => {
  test('finds the principal of each token', () => {
    const authenticator = new Authenticator([credential('one', 'first'), credential('two', 'second')])
    expect(authenticator.authenticate(bearer('second'))).toEqual({
      id: 'two',
      holder: 'studio',
      role: 'operator',
    })
    expect(authenticator.authenticate(bearer('first'))?.id).toBe('one')
  })

  test('accepts a token once it is added and rejects it once it is revoked', () => {
    const authenticator = new Authenticator()
    expect(authenticator.authenticate(bearer('late'))).toBeUndefined()
    authenticator.add(credential('late', 'late'))
    expect(authenticator.authenticate(bearer('late'))?.id).toBe('late')
    authenticator.revoke(hashToken('late'))
    expect(authenticator.authenticate(bearer('late'))).toBeUndefined()
  })

  test.each([
    'Basic first',
    'Digest first',
    'first',
    'Bearer',
    'Bearer ',
    'Bearer first second',
    `Bearer ${hashToken('first')}`,
  ])('rejects %p', (header) => {
    const authenticator = new Authenticator([credential('one', 'first')])
    expect(authenticator.authenticate({ headers: new Headers({ Authorization: header }) })).toBeUndefined()
    expect(authenticator.authenticate({ headers: new Headers() })).toBeUndefined()
  })
})
