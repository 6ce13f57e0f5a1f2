import path from 'node:path'
import { call, type Measurement, ROOT, type Subject } from '../support.ts'
import { BanProbe, type BanTimes, describeBans } from './ban-probe.ts'
import { atMost, count, type GrowthOptions, type Part } from './part.ts'
import { startGrowthServer } from './sides.ts'

const MAX_RATIO = 2
const BANS_PER_SECOND = 50
const REPORTS = 100_000
const COUNT_LOOP = path.join(ROOT, 'bench/servers/count-loop.ts')
/** The log keeps everything, unless a retention run is what is measured. */
const KEEP_ALL = { PARLEY_MESSAGE_DAYS: '90' }
const KEEP_ONE_DAY = { PARLEY_MESSAGE_DAYS: '1' }

/** Work that runs beside the bans until it is stopped. */
interface Work {
  readonly name: string
  start(server: Subject): () => Promise<unknown>
}

const WORK: readonly Work[] = [
  {
    name: 'a count',
    start: ({ pid }) => {
      process.kill(pid, 'SIGUSR2')
      return async () => process.kill(pid, 'SIGUSR2')
    },
  },
  { name: 'a listing of all reports', start: ({ port }) => repeat(() => call(port, 'GET', '/report_list')) },
  { name: 'a back-test', start: ({ port }) => repeat(() => runBacktest(port)) },
]

/** What bans notice of work over a long message log: the same bans without it and during it. */
export const logWork: readonly Part[] = [
  ...WORK.map((work) => ({
    name: `bans during ${work.name}`,
    measure: (options: GrowthOptions) => measureWork(work, options),
  })),
  // Deletes most of the log, so it comes last.
  { name: 'bans during a retention run', measure: measureRetention },
]

async function measureWork(work: Work, options: GrowthOptions): Promise<Measurement[]> {
  const server = await startGrowthServer(await onLog(options, KEEP_ALL), [COUNT_LOOP])
  try {
    await probe(server, 1)
    const quiet = await probe(server, secondsOf(options))
    const stop = work.start(server)
    const busy = await probe(server, secondsOf(options))
    await stop()
    return [describe(work.name, options, quiet, busy)]
  } finally {
    await server.stop()
  }
}

/** Retention begins half a second after the start, so its bans begin with the start. */
async function measureRetention(options: GrowthOptions): Promise<Measurement[]> {
  const start = async (env: Record<string, string>) => {
    const server = await startGrowthServer(await onLog(options, env))
    return probe(server, secondsOf(options)).finally(server.stop)
  }
  const quiet = await start(KEEP_ALL)
  const busy = await start(KEEP_ONE_DAY)
  return [describe('a retention run', options, quiet, busy)]
}

const secondsOf = ({ isQuick }: GrowthOptions) => (isQuick ? 5 : 20)

async function onLog({ folders, messages, isQuick }: GrowthOptions, env: Record<string, string>) {
  const reports = isQuick ? REPORTS / 20 : REPORTS
  return { ...env, PARLEY_DATA_DIR: await folders.fill({ messages, reports, contexts: 0 }) }
}

async function probe({ port }: Subject, seconds: number): Promise<BanTimes> {
  const bans = new BanProbe(port, BANS_PER_SECOND)
  await Bun.sleep(seconds * 1000)
  return bans.stop()
}

function describe(name: string, { messages }: GrowthOptions, quiet: BanTimes, busy: BanTimes): Measurement {
  return atMost(MAX_RATIO, {
    what: `bans during ${name}: p99, ${count(messages)} messages in the log`,
    parley: describeBans(busy),
    baseline: `without it: ${describeBans(quiet)}`,
    figure: busy.p99Ms / quiet.p99Ms,
    unit: '× the baseline',
  })
}

/** Repeats an action until the result is called, which resolves when the last one has ended. */
function repeat(action: () => Promise<unknown>): () => Promise<void> {
  let isStopped = false
  const run = async () => {
    while (!isStopped) await action()
  }
  const running = run()
  return () => {
    isStopped = true
    return running
  }
}

async function runBacktest(port: number): Promise<void> {
  const draft = { language: 'en', filters: ['gate', 'raid'], days: 30 }
  const { backtest_id } = JSON.parse(await call(port, 'POST', '/filter_backtest', draft))
  const state = async () =>
    JSON.parse(await call(port, 'GET', `/filter_backtest?backtest_id=${backtest_id}`)).state
  while ((await state()) === 'running') await Bun.sleep(100)
}
