import { expect, test } from 'bun:test'
import { z } from 'zod'
import { exampleRequest, type Method, operation, pathProperties } from './operation.ts'
import { Router } from './router.ts'

const row = (method: Method, path: string) =>
  operation({
    id: `${method} ${path}`,
    method,
    path,
    tag: '',
    summary: '',
    description: '',
    role: 'viewer',
    input: z.object({}),
    output: { schema: z.object({}), isList: false },
    errors: [],
    example: { input: { player: 'a/b', note: 'x' }, output: {} },
    handle: () => ({ value: {} }),
  })

const rows = [
  row('GET', '/players'),
  row('GET', '/players/all'),
  row('GET', '/players/{player}'),
  row('DELETE', '/players/{player}'),
  row('GET', '/players/{player}/notes/{note}'),
]
const router = new Router(rows, '/v1')
const found = (path: string) => {
  const route = router.find(path)
  return route && [[...route.methods.keys()].join(' '), { ...route.segments }]
}

test('finds the operations of a path and its properties, still percent-encoded', () => {
  expect(found('/v1/players')).toEqual(['GET', {}])
  expect(found('/v1/players/7')).toEqual(['GET DELETE', { player: '7' }])
  expect(found('/v1/players/a%2Fb/notes/%zz')).toEqual(['GET', { player: 'a%2Fb', note: '%zz' }])
})

test('a path without properties takes precedence', () => {
  expect(found('/v1/players/all')).toEqual(['GET', {}])
})

test.each([
  '/v1',
  '/v1/',
  '/v1/players/',
  '/v1/players//',
  '/v1/players/7/',
  '/v1/players/7/notes',
  '/v1/players/7/notes/',
  '/v1/players/7/notes/1/2',
  '/players/7',
  '/x/v1/players/7',
])('finds nothing at %s', (path) => {
  expect(found(path)).toBeUndefined()
})

test('an example request has its properties in the path or elsewhere', () => {
  expect(pathProperties(rows[4]!)).toEqual(['player', 'note'])
  expect(exampleRequest(rows[2]!)).toEqual({ path: '/players/a%2Fb', properties: { note: 'x' } })
  expect(exampleRequest(rows[0]!)).toEqual({ path: '/players', properties: { player: 'a/b', note: 'x' } })
})
