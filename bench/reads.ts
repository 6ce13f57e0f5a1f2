import { call, compare, load, type Measurement, rate, start, startParley } from './support.ts'

const TARGET = 0.7
const BANS = 100

/** Lists, against a bare server that checks the header and returns the same bytes. */
export async function measureReads(seconds: number, rounds: number): Promise<Measurement[]> {
  const parley = await startParley()
  await call(parley.port, 'PUT', '/open_channels', { channel_group: 'global', channel_name: 'server-1' })
  for (let i = 0; i < BANS; i++)
    await call(parley.port, 'PUT', '/block_user_chat', { gamer_id: `player-${i}`, days: 3 })
  const measurements: Measurement[] = []
  for (const path of ['/open_channel_groups', '/block_user_list']) {
    const bare = await start(['bench/servers/bare.ts', await call(parley.port, 'GET', path)])
    const get = (port: number) => () =>
      load({ port, connections: 64, seconds, method: 'GET', path: `/chat/v1${path}` })
    const found = await compare(rounds, get(parley.port), get(bare.port))
    await bare.stop()
    const figure = found.ratio
    measurements.push({
      what: `GET ${path}, 64 connections`,
      parley: rate(found.parley),
      baseline: `bare Bun.serve: ${rate(found.baseline)}`,
      figure,
      unit: '× the baseline',
      target: `≥ ${TARGET}`,
      isMet: figure >= TARGET,
    })
  }
  await parley.stop()
  return measurements
}
