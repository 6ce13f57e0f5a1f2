import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Boundaries that OpenTelemetry names for HTTP. */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const BATCH_CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]

/** What `/metrics` shows. Labels are never channels, players or raw paths: their number has no bound. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'operation' | 'status'>
  readonly #commits: Counter
  readonly #commitSeconds: Histogram
  readonly #batchCalls: Histogram

  constructor() {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer management requests.',
      labelNames: ['operation', 'status'],
      buckets: HTTP_SECONDS,
      registers,
    })
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
    this.#batchCalls = new Histogram({
      name: 'parley_store_batch_calls',
      help: 'Calls that shared a batch.',
      buckets: BATCH_CALLS,
      registers,
    })
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status }, seconds)
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
