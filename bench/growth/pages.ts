import { TestPlayer } from '../../test/support/player.ts'
import { GROUP } from '../dialects.ts'
import { call, type Measurement, median, type Subject, TOKEN } from '../support.ts'
import { atMost, count, type GrowthOptions, type Part } from './part.ts'
import { type Contents, SEEDED_GROUP } from './seed.ts'
import { createChannel, startGrowthServer } from './sides.ts'

const MAX_RATIO = 2
const LIMIT = 100
const SETTINGS = { PARLEY_MAX_CHANNELS: '1000000', PARLEY_REPORTS_PER_DAY: '100000' }

/** A list that is paged through while it changes. */
interface List {
  readonly name: string
  readonly path: string
  readonly sizes: { readonly small: number; readonly large: number; readonly quick: number }
  contents(size: number): Contents
  /** Prepares a write that adds one entry. */
  openWriter(server: Subject): Promise<(n: number) => Promise<unknown>>
}

const LISTS: readonly List[] = [
  {
    name: 'bans',
    path: '/block_user_list',
    sizes: { small: 1000, large: 1_000_000, quick: 50_000 },
    contents: (bans) => ({ bans }),
    openWriter: async ({ port }) => {
      return (n) => call(port, 'PUT', '/block_user_chat', { gamer_id: `absent-${n}`, days: 3 })
    },
  },
  {
    name: 'channels',
    path: `/open_channels?channel_group=${SEEDED_GROUP}`,
    sizes: { small: 1000, large: 100_000, quick: 10_000 },
    contents: (channels) => ({ channels }),
    openWriter: async ({ port }) => {
      return (n) => createChannel(port, { channel_group: SEEDED_GROUP, channel_name: `new-${n}` })
    },
  },
  {
    name: 'reports',
    path: '/report_list',
    sizes: { small: 1000, large: 1_000_000, quick: 50_000 },
    // A page shows no context, and those of a million reports take 8 GB.
    contents: (reports) => ({ reports, contexts: 0 }),
    openWriter: openReporter,
  },
]

/** A page of a hundred, each right after a write, of a long list against a short one. */
export const pages: readonly Part[] = LISTS.map((list) => ({
  name: `page of ${list.name}`,
  measure: (options: GrowthOptions) => measureList(list, options),
}))

async function measureList(list: List, { isQuick, folders }: GrowthOptions): Promise<Measurement[]> {
  const { small, large, quick } = list.sizes
  const size = isQuick ? quick : large
  await using long = await openPager(list, await folders.fill(list.contents(size)), size)
  await using short = await openPager(list, await folders.fill(list.contents(small)), small)
  const times = { long: [] as number[], short: [] as number[] }
  for (let n = 0; n < (isQuick ? 50 : 300); n++) {
    times.short.push(await short.time(n))
    times.long.push(await long.time(n))
  }
  const [longMs, shortMs] = [median(times.long), median(times.short)]
  const scaled = size < large ? ` (the target is for ${count(large)})` : ''
  return [
    atMost(MAX_RATIO, {
      what: `page of ${list.name}: ${LIMIT} of ${count(size)}${scaled}, right after a write, median`,
      parley: `${longMs.toFixed(2)} ms`,
      baseline: `of ${count(small)}: ${shortMs.toFixed(2)} ms`,
      figure: longMs / shortMs,
      unit: '× the baseline',
    }),
  ]
}

interface Pager extends AsyncDisposable {
  /** Writes, then times a page: from the start of the list and from its middle in turn. */
  time(n: number): Promise<number>
}

async function openPager(list: List, folder: string, size: number): Promise<Pager> {
  const server = await startGrowthServer({ ...SETTINGS, PARLEY_DATA_DIR: folder })
  const write = await list.openWriter(server)
  const base = `http://127.0.0.1:${server.port}/chat/v1`
  const first = `${base}${list.path}${list.path.includes('?') ? '&' : '?'}limit=`
  let current = [`${first}${LIMIT}`, await findMiddle(first, size)]
  return {
    time: async (n) => {
      await write(n)
      const address = current[n % 2]!
      const startedAt = performance.now()
      const { next } = await fetchPage(address)
      const passed = performance.now() - startedAt
      // The first page stays the first; the middle moves on.
      if (n % 2 === 1 && next !== undefined) current = [current[0]!, next]
      return passed
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** The address of the page behind half of the list. */
async function findMiddle(first: string, size: number): Promise<string> {
  const step = Math.min(1000, size / 2)
  let address = `${first}${step}`
  for (let passed = 0; passed < size / 2; passed += step) address = (await fetchPage(address)).next ?? address
  return address.replace(`limit=${step}`, `limit=${LIMIT}`)
}

async function fetchPage(address: string): Promise<{ readonly next: string | undefined }> {
  const response = await fetch(address, { headers: { Authorization: `Bearer ${TOKEN}` } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`GET ${address}: ${response.status}`)
  const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  return { next: link === undefined ? undefined : new URL(link, address).href }
}

/** One player says something, and another reports it. */
async function openReporter({ port }: Subject): Promise<(n: number) => Promise<unknown>> {
  await createChannel(port, { channel_name: 'reported', is_default: true })
  const url = `http://127.0.0.1:${port}`
  const [speaker, reporter] = [
    await TestPlayer.connect(url, 'speaker'),
    await TestPlayer.connect(url, 'reporter'),
  ]
  await speaker.join(GROUP)
  await reporter.join(GROUP)
  return async (n) => {
    const { message_id } = await speaker.say(GROUP, `message ${n}`)
    const { type, ...rest } = await reporter.ask('report', { message_id, keyword: 'SPAM' })
    if (type !== 'reported') throw new Error(JSON.stringify(rest))
    speaker.frames.length = 0
    reporter.frames.length = 0
  }
}
