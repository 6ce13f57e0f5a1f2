/** Compiles 100,000 expressions in a process of its own and prints the cost. Argument: the data folder. */
import { heapStats } from 'bun:jsc'
import { setTimeout } from 'node:timers/promises'
import { residentMb } from '../support.ts'
import { loadSpeedTexts } from './speed-texts.ts'
import { compileSubject } from './subject.ts'

const SETTLE_MS = 1000

export interface CompileCost {
  readonly seconds: number
  /** Heap size, array buffers included. */
  readonly heldMb: number
  readonly residentMb: number
}

const { huge } = loadSpeedTexts(process.argv[2] ?? '')
const before = await settled()
const start = Bun.nanoseconds()
const filter = compileSubject(huge)
const seconds = (Bun.nanoseconds() - start) / 1e9
const after = await settled()
if (filter.clean('', 'en').hits.length > 0) throw new Error('The filter found a hit in an empty text.')
const cost: CompileCost = {
  seconds,
  heldMb: after.heldMb - before.heldMb,
  residentMb: after.residentMb - before.residentMb,
}
console.log(JSON.stringify(cost))

async function settled() {
  Bun.gc(true)
  await setTimeout(SETTLE_MS)
  Bun.gc(true)
  return { heldMb: heapStats().heapSize / 2 ** 20, residentMb: residentMb(process.pid) }
}
