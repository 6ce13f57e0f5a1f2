import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { readConfig } from '../../src/config.ts'
import type { CallContext } from '../../src/core/context.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { Authenticator, hashToken } from '../../src/http/authenticator.ts'
import { Dispatcher } from '../../src/http/dispatcher.ts'
import { BASE_PATH, exampleRequest } from '../../src/http/operation.ts'
import { createOperations } from '../../src/http/operations.ts'
import { openStoresIn, startNode } from '../gateway/node.ts'
import { makeFolder, TOKEN } from '../support/server.ts'

const config = readConfig({ flags: {}, env: {} })
const writes = createOperations(config.limits).filter(
  ({ method, ignoresKey }) => method !== 'GET' && ignoresKey === undefined,
)

/** Records the context of every write that reaches the store. */
async function recordContexts(folder: string) {
  const { factStore, messageStore } = await openStoresIn(folder)
  const contexts: CallContext[] = []
  const recording = new Proxy(factStore, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]) => {
        const last = args.at(-1)
        if (typeof last === 'object' && last !== null && 'actor' in last) contexts.push(last as CallContext)
        return method.apply(target, args)
      }
    },
  })
  return { stores: { factStore: recording, messageStore }, contexts }
}

test.each(writes.map((row) => [row.id, row] as const))(
  '%s passes the caller, the request id and the idempotency key to the store',
  async (_, row) => {
    const folder = makeFolder()
    const { stores, contexts } = await recordContexts(folder)
    {
      await using node = await startNode({}, { stores })
      const credential = { id: 'token', holder: 'mina', role: 'master', tokenHash: hashToken(TOKEN) } as const
      const dispatcher = new Dispatcher(node.app, {
        ...config,
        operations: [row],
        readOnlyPaths: new Set(),
        authenticator: new Authenticator([credential]),
        clock: systemClock,
        monotonicClock: systemClock,
        bodyBytes: config.limits.bodyBytes,
        bodyParser: { parse: () => Promise.reject(new Error('No body in this test is long.')) },
      })
      const { path, properties } = exampleRequest(row)
      const request = new Request(`http://localhost${BASE_PATH}${path}`, {
        method: row.method,
        headers: { Authorization: `Bearer ${TOKEN}`, 'Idempotency-Key': 'key-1' },
        body: JSON.stringify(properties),
      })
      await dispatcher.handle({
        request,
        requestId: 'id-1',
        path: `${BASE_PATH}${path}`,
        query: '',
        address: () => '',
        draining: new AbortController().signal,
      })
    }
    expect(contexts).toMatchObject([
      { actor: { kind: 'operator', id: 'mina' }, requestId: 'id-1', idempotency: { key: 'mina key-1' } },
    ])
    await Promise.all([stores.factStore.close(), stores.messageStore.close()])
    rmSync(folder, { recursive: true, force: true })
  },
)

test('a report passes the player who files it to the store', async () => {
  const folder = makeFolder()
  const { stores, contexts } = await recordContexts(folder)
  {
    await using node = await startNode({}, { stores })
    const settings = { maxMembers: 50, isFallback: false, isAutoscaling: true }
    await node.app.channels.create({ group: 'g', name: 'a' }, settings)
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    for (const player of [mina, joon]) await player.join('g', 'a')
    const { message_id } = await mina.say('g', 'hello')
    contexts.length = 0
    const report = { message_id, keyword: 'SPAM', reason: 'again' }
    expect(await joon.ask('report', report)).toMatchObject({ type: 'reported' })
  }
  expect(contexts).toEqual([{ actor: { kind: 'player', id: 'joon' } }])
  await Promise.all([stores.factStore.close(), stores.messageStore.close()])
  rmSync(folder, { recursive: true, force: true })
})
