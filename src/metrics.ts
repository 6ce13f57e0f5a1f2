import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Bucket boundaries that OpenTelemetry recommends for HTTP. */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const DELIVERY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1]
const BATCH_CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]

/**
 * Default metrics of the library that are removed: the first group exists on Node only and names gauges like counters;
 * the others take milliseconds to collect, or more with each open connection.
 */
const REMOVED_METRICS = [
  ...['handles', 'requests', 'resources'].flatMap((each) => [
    `nodejs_active_${each}`,
    `nodejs_active_${each}_total`,
  ]),
  ...['total', 'used', 'available'].map((each) => `nodejs_heap_space_size_${each}_bytes`),
  'process_open_fds',
]

/** Metrics of `/metrics`. Labels are never channels, players or raw paths, whose number is unbounded. */
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
    for (const name of REMOVED_METRICS) this.#registry.removeSingleMetric(name)
    this.#requests = this.#register({
      name: 'http_server_request_duration_seconds',
      help: 'Duration of management requests.',
      labelNames: ['operation', 'status'],
      buckets: HTTP_SECONDS,
    })
    this.#commits = this.#register({
      name: 'parley_store_commits_total',
      help: 'Batches of writes run by the store, one commit each.',
    })
    this.#commitSeconds = this.#register({
      name: 'parley_store_commit_seconds',
      help: 'Time to run a batch of writes, including the commit.',
      buckets: COMMIT_SECONDS,
    })
    this.#disconnects = this.#register({
      name: 'parley_disconnects_total',
      help: 'Player connections closed by the server, by reason.',
      labelNames: ['reason'],
    })
    this.#messages = this.#register({
      name: 'parley_messages_total',
      help: 'Messages sent by players, by outcome.',
      labelNames: ['outcome'],
    })
    this.#deliveries = this.#register({
      name: 'parley_deliveries_total',
      help: 'Broadcast frames sent to player connections of this node.',
    })
    this.#deliverySeconds = this.#register({
      name: 'parley_delivery_seconds',
      help: 'Time from receiving a message to sending it to the connections.',
      buckets: DELIVERY_SECONDS,
    })
    this.#batchCalls = this.#register({
      name: 'parley_store_batch_calls',
      help: 'Calls per batch of writes.',
      buckets: BATCH_CALLS,
    })
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.child(operation).child(status).observe(seconds)
  }

  countDisconnect(reason: string): void {
    this.#disconnects.child(reason).add(1)
  }

  /** `outcome` is `delivered`, `masked`, the kind of the error that rejected the message, or `failed`. */
  countMessage(outcome: string): void {
    this.#messages.child(outcome).add(1)
  }

  countDeliveries(recipients: number): void {
    this.#deliveries.add(recipients)
  }

  observeDelivery(seconds: number): void {
    this.#deliverySeconds.observe(seconds)
  }

  observeBatch({ calls, seconds }: { readonly calls: number; readonly seconds: number }): void {
    this.#commits.add(1)
    this.#commitSeconds.observe(seconds)
    this.#batchCalls.observe(calls)
  }

  /** `read` is called for each scrape. A name that ends in `_total` registers a counter, any other a gauge. */
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

  /** Registers a counter, or a histogram when it has buckets. The library renders it; the values come from the series. */
  #register(definition: MetricDefinition): Series {
    const { name, help, labelNames = [], buckets } = definition
    const registers = [this.#registry]
    const metric =
      buckets === undefined
        ? new Counter({ name, help, labelNames, registers })
        : new Histogram({ name, help, labelNames, buckets: [...buckets], registers })
    const type = buckets === undefined ? 'counter' : 'histogram'
    const root = new Series(buckets)
    const values = () => root.ofDepth(labelNames.length).flatMap((series) => valuesOf(series, definition))
    Object.assign(metric, { getForPromString: async () => ({ name, help, type, values: values() }) })
    return root
  }
}

interface MetricDefinition {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  /** Upper boundaries, ascending. */
  readonly buckets?: readonly number[]
}

type Label = string | number

/**
 * Values of a metric for one set of labels. The library's own metrics hash their labels at each call, which costs a tenth
 * of a short request or of a message; a series only counts.
 */
class Series {
  readonly labels: readonly Label[]
  /** Counts per bucket, not cumulative; the last bucket is above every boundary. */
  readonly counts: number[]
  sum = 0
  readonly #boundaries: readonly number[]
  readonly #children = new Map<Label, Series>()

  constructor(boundaries: readonly number[] = [], labels: readonly Label[] = []) {
    this.labels = labels
    this.counts = new Array<number>(boundaries.length + 1).fill(0)
    this.#boundaries = boundaries
  }

  /** Returns the child series for one more label. */
  child(label: Label): Series {
    return this.#children.get(label) ?? this.#addChild(label)
  }

  /** Returns all descendants with `depth` more labels; itself for 0. */
  ofDepth(depth: number): Series[] {
    return depth === 0 ? [this] : [...this.#children.values()].flatMap((series) => series.ofDepth(depth - 1))
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

  #addChild(label: Label): Series {
    const series = new Series(this.#boundaries, [...this.labels, label])
    this.#children.set(label, series)
    return series
  }
}

/** In the format of the library. */
function valuesOf(series: Series, { name, labelNames = [], buckets }: MetricDefinition) {
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
