/**
 * `npm run bench`: measures every figure of docs/performance.md but those of `growth`, which takes long and fills data folders
 * of several gigabytes, and `filter-innocents`, which depends on installed word lists: name them. Prints a table, then JSON.
 * `npm run bench -- reads writes` runs only the named benchmarks; `--quick` takes short, rough measurements.
 * Filter benchmarks: `--data FOLDER` is the folder of corpora, `--no-peers` skips other engines. `filter-accuracy`: `--only
 * PART` runs one part, `--details FILE` writes the errors. `filter-speed`: `--search MINUTES` first searches for slower texts
 * and adds them to `filter/worst-texts.json`. `hostile`: `--only TEXT` runs the attacks whose names
 * contain the text. `growth`: `--only TEXT` runs the parts whose names contain the text, `--messages N` sets the length of
 * the message log. `filter-innocents`: which words of a language its starter list flags, in the word lists, Hunspell
 * dictionaries and manual pages installed on this machine, or in `--language CODE --words FILE` (several pairs).
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureBigList } from './big-list.ts'
import { measureBurst } from './burst.ts'
import { measureFanOut } from './fan-out.ts'
import { measureFilterAccuracy } from './filter/accuracy.ts'
import { measureInnocents } from './filter/innocents.ts'
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

const { values: options, positionals: selected } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    data: { type: 'string', default: path.join(ROOT, '../shared/data') },
    only: { type: 'string' },
    details: { type: 'string' },
    messages: { type: 'string' },
    search: { type: 'string', default: '0' },
    language: { type: 'string', multiple: true, default: [] },
    words: { type: 'string', multiple: true, default: [] },
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
  'filter-edit': () => measureFilterEdit(isQuick ? 3 : 15, isQuick ? 1 : 3),
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
  'filter-speed': () =>
    measureFilterSpeed({
      data: options.data,
      isQuick,
      withPeers: !options['no-peers'],
      searchMinutes: Number(options.search),
    }),
  'filter-accuracy': () =>
    measureFilterAccuracy({
      data: options.data,
      only: options.only,
      details: options.details,
      withPeers: !options['no-peers'],
    }),
  'filter-innocents': () =>
    measureInnocents({ languages: options.language, files: options.words, details: options.details }),
}

const ON_REQUEST = ['growth', 'filter-innocents']
const isSelected = (name: string) =>
  selected.length > 0 ? selected.includes(name) : !ON_REQUEST.includes(name)

const unknown = selected.filter((name) => !(name in BENCHES))
if (unknown.length > 0)
  throw new Error(`Unknown benchmark ${unknown.join(', ')}. Available: ${Object.keys(BENCHES).join(', ')}`)

const measurements: Measurement[] = []
console.log('| What | Parley | Baseline | Figure | Target | |\n|---|---|---|---|---|---|')
for (const [name, measure] of Object.entries(BENCHES)) {
  if (!isSelected(name)) continue
  const rows = await measure()
  for (const row of rows) console.log(renderRow(row))
  measurements.push(...rows)
}
console.log(JSON.stringify(measurements))

function renderRow({ what, parley, baseline, figure, unit, target, isMet }: Measurement): string {
  const verdict = isMet ? 'met' : 'MISSED'
  const cells = [what, parley, baseline, `${figure.toFixed(2)} ${unit}`, target, target === '' ? '' : verdict]
  return `| ${cells.join(' | ')} |`
}
