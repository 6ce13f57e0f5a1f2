import { type Measurement, median, residentMb } from '../support.ts'
import { atMost, count, type GrowthOptions, type Part } from './part.ts'
import { startGrowthServer } from './sides.ts'

const MAX_SECONDS = 3
const MAX_MB = 400
const IDLE_MS = 3000

/** From the command to the first 200 of `/readyz`, and the memory of the idle process. */
export const startAtSize: Part = {
  name: 'start',
  async measure({ isQuick, folders }: GrowthOptions): Promise<Measurement[]> {
    const scale = isQuick ? 0.01 : 1
    const contents = { bans: 1_000_000 * scale, channels: 100_000 * scale, reports: 100_000 * scale }
    const [full, empty] = [await folders.fill(contents), await folders.fill({})]
    const found = { full: [] as Start[], empty: [] as Start[] }
    for (let round = 0; round < (isQuick ? 1 : 3); round++) {
      found.empty.push(await startOnce(empty))
      found.full.push(await startOnce(full))
    }
    const { bans, channels, reports } = contents
    const what = `start: ${count(bans)} bans, ${count(channels)} channels, ${count(reports)} reports`
    const middle = (starts: readonly Start[], figure: keyof Start) =>
      median(starts.map((each) => each[figure]))
    return [
      atMost(MAX_SECONDS, {
        what: `${what}: until ready`,
        parley: '',
        baseline: `an empty folder: ${middle(found.empty, 'seconds').toFixed(2)} s`,
        figure: middle(found.full, 'seconds'),
        unit: 's',
      }),
      atMost(MAX_MB, {
        what: `${what}: resident memory`,
        parley: '',
        baseline: `an empty folder: ${middle(found.empty, 'mb').toFixed(0)} MB`,
        figure: middle(found.full, 'mb'),
        unit: 'MB',
      }),
    ]
  },
}

interface Start {
  readonly seconds: number
  readonly mb: number
}

async function startOnce(folder: string): Promise<Start> {
  const startedAt = performance.now()
  const server = await startGrowthServer({ PARLEY_DATA_DIR: folder })
  const url = `http://127.0.0.1:${server.port}/readyz`
  while (!(await fetch(url)).ok) await Bun.sleep(1)
  const seconds = (performance.now() - startedAt) / 1000
  await Bun.sleep(IDLE_MS)
  const mb = residentMb(server.pid)
  await server.stop()
  return { seconds, mb }
}
