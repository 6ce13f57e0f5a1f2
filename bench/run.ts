/**
 * `npm run bench`: every speed claim of docs/performance.md, as a table and as JSON.
 * `npm run bench -- reads writes` measures only those; `--quick` measures short and rough.
 */
import { measureBigList } from './big-list.ts'
import { measureBurst } from './burst.ts'
import { measureFanOut } from './fan-out.ts'
import { measureFilterEdit } from './filter-edit.ts'
import { measureIdlePlayers } from './idle-players.ts'
import { measureLatency } from './latency.ts'
import { measureReads } from './reads.ts'
import { measureStart } from './start.ts'
import type { Measurement } from './support.ts'
import { measureWrites } from './writes.ts'

const isQuick = process.argv.includes('--quick')
const [seconds, rounds] = isQuick ? [1, 1] : [4, 5]

const BENCHES: Record<string, () => Promise<Measurement[]>> = {
  start: () => measureStart(rounds * 2),
  reads: () => measureReads(1, isQuick ? 3 : 20),
  writes: () => measureWrites(1, isQuick ? 3 : 20),
  'big-list': () => measureBigList(seconds * 2),
  'filter-edit': () => measureFilterEdit(isQuick ? 3 : 15),
  'fan-out': () => measureFanOut(isQuick ? 2 : 10, isQuick ? 1 : 3),
  burst: () => measureBurst(seconds, isQuick ? 1 : 3),
  'idle-players': () => measureIdlePlayers(isQuick ? 3 : 10),
  latency: () => measureLatency(isQuick ? 2 : 5, isQuick ? 1 : 3),
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
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
  const cells = [what, parley, baseline, `${figure.toFixed(2)} ${unit}`, target, isMet ? 'met' : 'MISSED']
  return `| ${cells.join(' | ')} |`
}
