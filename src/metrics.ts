import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Boundaries that OpenTelemetry names for HTTP. */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const DELIVERY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1]
const BATCH_CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]

/** What `/metrics` shows. Labels are never channels, players or raw paths: their number has no bound. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new RequestHistogram()
  readonly #commits: Counter
  readonly #commitSeconds: Histogram
  readonly #batchCalls: Histogram
  readonly #cuts: Counter<'reason'>
  readonly #messages: Counter<'outcome'>
  readonly #deliveries: Counter
  readonly #deliverySeconds: Histogram

  constructor() {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests.register(this.#registry)
    this.#commits = new Counter({
      name: 'parley_store_commits_total',
      help: 'Batches that the store has worked off, each with one commit.',
      registers,
    })
    this.#commitSeconds = new Histogram({
      name: 'parley_store_commit_seconds',
      help: 'Time from handing a batch to the store to its outcome.',
      buckets: COMMIT_SECONDS,
      registers,
    })
    this.#cuts = new Counter({
      name: 'parley_connections_cut_total',
      help: 'Player connections that the server has ended.',
      labelNames: ['reason'],
      registers,
    })
    this.#messages = new Counter({
      name: 'parley_messages_total',
      help: 'Messages that players sent, by what became of them.',
      labelNames: ['outcome'],
      registers,
    })
    this.#deliveries = new Counter({
      name: 'parley_deliveries_total',
      help: 'Broadcast frames handed to player connections of this node.',
      registers,
    })
    this.#deliverySeconds = new Histogram({
      name: 'parley_delivery_seconds',
      help: 'Time from taking a message to handing it to the connections.',
      buckets: DELIVERY_SECONDS,
      registers,
    })
    this.#batchCalls = new Histogram({
      name: 'parley_store_batch_calls',
      help: 'Calls that shared a batch.',
      buckets: BATCH_CALLS,
      registers,
    })
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.observe(operation, status, seconds)
  }

  /** A connection that was ended by the server, and why. */
  countCut(reason: string): void {
    this.#cuts.inc({ reason })
  }

  /** `outcome` is `delivered`, `masked`, or the code of the refusal. */
  countMessage(outcome: string): void {
    this.#messages.inc({ outcome })
  }

  countDeliveries(readers: number): void {
    this.#deliveries.inc(readers)
  }

  observeDelivery(seconds: number): void {
    this.#deliverySeconds.observe(seconds)
  }

  observeBatch({ calls, seconds }: { readonly calls: number; readonly seconds: number }): void {
    this.#commits.inc()
    this.#commitSeconds.observe(seconds)
    this.#batchCalls.observe(calls)
  }

  /** `read` is asked whenever the metrics are. */
  watch(name: string, help: string, read: () => number): void {
    const collect = function (this: Gauge) {
      this.set(read())
    }
    new Gauge({ name, help, registers: [this.#registry], collect })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  render(): Promise<string> {
    return this.#registry.metrics()
  }
}

interface Series {
  readonly operation: string
  readonly status: number
  /** Not cumulative; the last one is beyond every boundary. */
  readonly buckets: number[]
  sum: number
  count: number
}

/**
 * A histogram of the registry whose `observe` only counts: the library's own works out its labels at each
 * call, which costs a tenth of a short request.
 */
class RequestHistogram {
  readonly #name = 'http_server_request_duration_seconds'
  readonly #byOperation = new Map<string, Map<number, Series>>()

  observe(operation: string, status: number, seconds: number): void {
    const series = this.#byOperation.get(operation)?.get(status) ?? this.#open(operation, status)
    let bucket = 0
    while (bucket < HTTP_SECONDS.length && seconds > (HTTP_SECONDS[bucket] ?? 0)) bucket++
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
    series.sum += seconds
    series.count++
  }

  register(registry: Registry): void {
    const description = { name: this.#name, help: 'Time to answer management requests.' }
    const labelNames = ['operation', 'status']
    const histogram = new Histogram({
      ...description,
      labelNames,
      buckets: HTTP_SECONDS,
      registers: [registry],
    })
    const getForPromString = async () => ({ ...description, type: 'histogram', values: this.#values() })
    Object.assign(histogram, { getForPromString })
  }

  #open(operation: string, status: number): Series {
    const series = {
      operation,
      status,
      buckets: new Array<number>(HTTP_SECONDS.length + 1).fill(0),
      sum: 0,
      count: 0,
    }
    const ofOperation = this.#byOperation.get(operation) ?? new Map<number, Series>()
    this.#byOperation.set(operation, ofOperation.set(status, series))
    return series
  }

  #values() {
    return [...this.#byOperation.values()]
      .flatMap((series) => [...series.values()])
      .flatMap((series) => this.#valuesOf(series))
  }

  #valuesOf({ operation, status, buckets, sum, count }: Series) {
    const labels = { operation, status }
    let below = 0
    const bounds = buckets.map((own, index) => {
      below += own
      const le = HTTP_SECONDS[index] ?? '+Inf'
      return { metricName: `${this.#name}_bucket`, labels: { ...labels, le }, value: below }
    })
    return [
      ...bounds,
      { metricName: `${this.#name}_sum`, labels, value: sum },
      { metricName: `${this.#name}_count`, labels, value: count },
    ]
  }
}
