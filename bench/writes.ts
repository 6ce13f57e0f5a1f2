import { compare, load, type Measurement, rate, start, startParley } from './support.ts'

const TARGET = 5

/** Durable bans, 64 in flight, against one commit per request. */
export async function measureWrites(seconds: number, rounds: number): Promise<Measurement[]> {
  const parley = await startParley()
  const plain = await start(['bench/servers/commit-each.ts'])
  const put = (port: number) => () =>
    load({
      port,
      connections: 64,
      seconds,
      method: 'PUT',
      path: '/chat/v1/block_user_chat',
      body: '{"gamer_id":"player-#","days":3}',
    })
  const found = await compare(rounds, put(parley.port), put(plain.port))
  await Promise.all([parley.stop(), plain.stop()])
  const figure = found.ratio
  return [
    {
      what: 'PUT /block_user_chat, 64 in flight, each response durable',
      parley: rate(found.parley),
      baseline: `one commit per request: ${rate(found.baseline)}`,
      figure,
      unit: '× the baseline',
      target: `≥ ${TARGET}`,
      isMet: figure >= TARGET,
    },
  ]
}
