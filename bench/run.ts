/**
 * `npm run bench`: every speed claim of docs/performance.md, as a table and as JSON.
 * `npm run bench -- reads writes` measures only those; `--quick` measures short and rough.
 * For the filter, `--data FOLDER` has the texts and `--no-peers` leaves the others out; of its accuracy `--only PART`
 * judges one part, and `--details FILE` gets samples of what went wrong. Of `hostile`, `--only TEXT` runs the attacks whose
 * names hold the text. Of `growth`, `--only TEXT` measures the parts whose names contain the text, and `--messages N` sets
 * the length of the message log.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureBigList } from './big-list.ts'
import { measureBurst } from './burst.ts'
import { measureFanOut } from './fan-out.ts'
import { measureFilterAccuracy } from './filter/accuracy.ts'
import { measureFilterSpeed } from './filter/speed.ts'
import { measureFilterEdit } from './filter-edit.ts'
import { measureGrowth } from './growth.ts'
import { measureHostile } from './hostile.ts'
import { measureHostileBodies } from './hostile-bodies.ts'
import { measureIdlePlayers } from './idle-players.ts'
import { measureLatency } from './latency.ts'
import { measureReads } from './reads.ts'
import { measureStart } from './start.ts'
import { type Measurement, ROOT } from './support.ts'
import { measureWrites } from './writes.ts'

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    data: { type: 'string', default: path.join(ROOT, '../shared/data') },
    only: { type: 'string' },
    details: { type: 'string' },
    messages: { type: 'string' },
    'no-peers': { type: 'boolean', default: false },
  },
})
const isQuick = options.quick
const [seconds, rounds] = isQuick ? [1, 1] : [4, 5]

const BENCHES: Record<string, () => Promise<Measurement[]>> = {
  start: () => measureStart(rounds * 2),
  reads: () => measureReads(1, isQuick ? 3 : 20),
  writes: () => measureWrites(1, isQuick ? 3 : 20),
  'big-list': () => measureBigList(seconds * 2),
  'filter-edit': () => measureFilterEdit(isQuick ? 3 : 15),
  'hostile-bodies': () => measureHostileBodies(isQuick ? 2 : 7),
  'fan-out': () => measureFanOut(isQuick ? 2 : 10, isQuick ? 1 : 3),
  burst: () => measureBurst(seconds, isQuick ? 1 : 3),
  'idle-players': () => measureIdlePlayers(isQuick ? 3 : 10),
  latency: () => measureLatency(isQuick ? 2 : 5, isQuick ? 1 : 3),
  hostile: () => measureHostile(isQuick ? 2 : 5, options.only),
  growth: () =>
    measureGrowth({
      isQuick,
      only: options.only,
      messages: Number(options.messages ?? (isQuick ? 200_000 : 10_000_000)),
    }),
  'filter-speed': () => measureFilterSpeed({ data: options.data, isQuick, withPeers: !options['no-peers'] }),
  'filter-accuracy': () =>
    measureFilterAccuracy({
      data: options.data,
      only: options.only,
      details: options.details,
      withPeers: !options['no-peers'],
    }),
}

const unknown = wanted.filter((name) => !(name in BENCHES))
if (unknown.length > 0)
  throw new Error(`No bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`)

const measurements: Measurement[] = []
console.log('| What | Parley | Baseline | Figure | Target | |\n|---|---|---|---|---|---|')
for (const [name, measure] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const found = await measure()
  for (const row of found) console.log(renderRow(row))
  measurements.push(...found)
}
console.log(JSON.stringify(measurements))

function renderRow({ what, parley, baseline, figure, unit, target, isMet }: Measurement): string {
  const verdict = isMet ? 'met' : 'MISSED'
  const cells = [what, parley, baseline, `${figure.toFixed(2)} ${unit}`, target, target === '' ? '' : verdict]
  return `| ${cells.join(' | ')} |`
}
