import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Boundaries that OpenTelemetry names for HTTP. */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const DELIVERY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1]
const BATCH_CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]

/**
 * Default metrics of the library that are left out: the first count what only Node has, and three are gauges with the
 * suffix of a counter; the others take milliseconds to collect, or longer the more connections there are.
 */
const NOT_SHOWN = [
  ...['handles', 'requests', 'resources'].flatMap((each) => [
    `nodejs_active_${each}`,
    `nodejs_active_${each}_total`,
  ]),
  ...['total', 'used', 'available'].map((each) => `nodejs_heap_space_size_${each}_bytes`),
  'process_open_fds',
]

/** What `/metrics` shows. Labels are never channels, players or raw paths: their number has no bound. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Series
  readonly #commits: Series
  readonly #commitSeconds: Series
  readonly #batchCalls: Series
  readonly #disconnects: Series
  readonly #messages: Series
  readonly #deliveries: Series
  readonly #deliverySeconds: Series

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    for (const name of NOT_SHOWN) this.#registry.removeSingleMetric(name)
    this.#requests = this.#show({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer management requests.',
      labelNames: ['operation', 'status'],
      buckets: HTTP_SECONDS,
    })
    this.#commits = this.#show({
      name: 'parley_store_commits_total',
      help: 'Batches of writes that the store has run, each with one commit.',
    })
    this.#commitSeconds = this.#show({
      name: 'parley_store_commit_seconds',
      help: 'Time from handing a batch of writes to the store to its outcome.',
      buckets: COMMIT_SECONDS,
    })
    this.#disconnects = this.#show({
      name: 'parley_disconnects_total',
      help: 'Player connections closed by the server, by reason.',
      labelNames: ['reason'],
    })
    this.#messages = this.#show({
      name: 'parley_messages_total',
      help: 'Messages that players sent, by outcome.',
      labelNames: ['outcome'],
    })
    this.#deliveries = this.#show({
      name: 'parley_deliveries_total',
      help: 'Broadcast frames handed to player connections of this node.',
    })
    this.#deliverySeconds = this.#show({
      name: 'parley_delivery_seconds',
      help: 'Time from taking a message to handing it to the connections.',
      buckets: DELIVERY_SECONDS,
    })
    this.#batchCalls = this.#show({
      name: 'parley_store_batch_calls',
      help: 'Calls that shared a batch.',
      buckets: BATCH_CALLS,
    })
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.under(operation).under(status).observe(seconds)
  }

  /** A connection that was ended by the server, and why. */
  countDisconnect(reason: string): void {
    this.#disconnects.under(reason).add(1)
  }

  /** `outcome` is `delivered`, `masked`, or the code of the refusal. */
  countMessage(outcome: string): void {
    this.#messages.under(outcome).add(1)
  }

  countDeliveries(readers: number): void {
    this.#deliveries.add(readers)
  }

  observeDelivery(seconds: number): void {
    this.#deliverySeconds.observe(seconds)
  }

  observeBatch({ calls, seconds }: { readonly calls: number; readonly seconds: number }): void {
    this.#commits.add(1)
    this.#commitSeconds.observe(seconds)
    this.#batchCalls.observe(calls)
  }

  /** `read` is called whenever the metrics are asked for. A name that ends in `_total` is that of a counter. */
  registerCollector(name: string, help: string, read: () => number): void {
    const registers = [this.#registry]
    if (!name.endsWith('_total')) {
      const collect = function (this: Gauge) {
        this.set(read())
      }
      new Gauge({ name, help, registers, collect })
      return
    }
    const collect = function (this: Counter) {
      this.reset()
      this.inc(read())
    }
    new Counter({ name, help, registers, collect })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  render(): Promise<string> {
    return this.#registry.metrics()
  }

  /** A counter, or a histogram when it has buckets. The library's metric stands for its name; the values are the series'. */
  #show(shown: Shown): Series {
    const { name, help, labelNames = [], buckets } = shown
    const registers = [this.#registry]
    const metric =
      buckets === undefined
        ? new Counter({ name, help, labelNames, registers })
        : new Histogram({ name, help, labelNames, buckets: [...buckets], registers })
    const type = buckets === undefined ? 'counter' : 'histogram'
    const root = new Series(buckets)
    const values = () => root.ofDepth(labelNames.length).flatMap((series) => valuesOf(series, shown))
    Object.assign(metric, { getForPromString: async () => ({ name, help, type, values: values() }) })
    return root
  }
}

interface Shown {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  /** Upper boundaries, ascending. */
  readonly buckets?: readonly number[]
}

type Label = string | number

/**
 * What was counted under certain labels. The library's own metrics work out their labels at each call, which costs a tenth
 * of a short request or of a message; this only counts.
 */
class Series {
  readonly labels: readonly Label[]
  /** Not cumulative; the last one is beyond every boundary. */
  readonly counts: number[]
  sum = 0
  readonly #boundaries: readonly number[]
  readonly #under = new Map<Label, Series>()

  constructor(boundaries: readonly number[] = [], labels: readonly Label[] = []) {
    this.labels = labels
    this.counts = new Array<number>(boundaries.length + 1).fill(0)
    this.#boundaries = boundaries
  }

  /** The series with one label more. */
  under(label: Label): Series {
    return this.#under.get(label) ?? this.#open(label)
  }

  /** Itself, or all under it with so many labels more. */
  ofDepth(depth: number): Series[] {
    return depth === 0 ? [this] : [...this.#under.values()].flatMap((series) => series.ofDepth(depth - 1))
  }

  add(amount: number): void {
    this.sum += amount
  }

  observe(value: number): void {
    let bucket = 0
    while (bucket < this.#boundaries.length && value > (this.#boundaries[bucket] ?? 0)) bucket++
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.sum += value
  }

  #open(label: Label): Series {
    const series = new Series(this.#boundaries, [...this.labels, label])
    this.#under.set(label, series)
    return series
  }
}

/** As the library writes them. */
function valuesOf(series: Series, { name, labelNames = [], buckets }: Shown) {
  const labels = Object.fromEntries(labelNames.map((label, index) => [label, series.labels[index]]))
  if (buckets === undefined) return [{ metricName: name, labels, value: series.sum }]
  let count = 0
  const bounds = series.counts.map((own, index) => {
    count += own
    return { metricName: `${name}_bucket`, labels: { ...labels, le: buckets[index] ?? '+Inf' }, value: count }
  })
  return [
    ...bounds,
    { metricName: `${name}_sum`, labels, value: series.sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
