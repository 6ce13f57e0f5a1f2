import { load, type Measurement, startParley } from './support.ts'

const PLAYERS = 100_000
const TARGET_MS = 50

/** Latency of other requests while the list of a hundred thousand seated players is rendered in a loop. */
export async function measureBigList(seconds: number): Promise<Measurement[]> {
  const parley = await startParley(['bench/servers/seated.ts', String(PLAYERS)])
  const get = (path: string) => load({ port: parley.port, connections: 1, seconds, method: 'GET', path })
  await get('/chat/v1/open_channels?channel_group=global')
  const quiet = await get('/chat/v1/open_channel_groups')
  const [list, others] = await Promise.all([
    get('/chat/v1/open_channels?channel_group=global'),
    get('/chat/v1/open_channel_groups'),
  ])
  await parley.stop()
  return [
    {
      what: `GET /open_channels with ${PLAYERS.toLocaleString('en')} seated players: longest latency of other requests`,
      parley: `list ${list.p50Ms.toFixed(0)} ms; others p99 ${others.p99Ms.toFixed(1)} ms (${others.responses} requests)`,
      baseline: `without the list: max ${quiet.maxMs.toFixed(1)} ms`,
      figure: others.maxMs,
      unit: 'ms',
      target: `≤ ${TARGET_MS}`,
      isMet: others.maxMs <= TARGET_MS,
    },
  ]
}
