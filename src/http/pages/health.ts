import { yieldToEventLoop } from '../../core/time-slice.ts'
import type { Metrics } from '../../metrics.ts'
import { JSON_TYPE } from '../errors.ts'
import type { Page, PageResponse, Pages } from './page.ts'

export interface HealthDependencies {
  readonly metrics: Metrics
  /** A check fails when it rejects or takes longer than two seconds. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>
  readonly isDraining: () => boolean
}

const CHECK_TIMEOUT_MS = 2000
const NO_CACHE = { 'Cache-Control': 'no-store' }

const ROOT_TEXT = `Parley, a chat server for games.

/chat/v1/docs           management API: documentation with a form to try it
/chat/v1/openapi.json   management API as OpenAPI 3.1
/readyz                 readiness of this server
/metrics                metrics for Prometheus
`

/** Lists the entry points. */
export const createRootPage = (): [string, Page] => [
  '/',
  () => ({
    status: 200,
    body: ROOT_TEXT,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...NO_CACHE },
  }),
]

export function createHealthPages({ metrics, checks, isDraining }: HealthDependencies): Pages {
  const ready = shared(() => runChecks(checks))
  return new Map<string, Page>([
    ['/livez', () => json(200, { status: 'alive' })],
    ['/readyz', () => (isDraining() ? json(503, { status: 'draining' }) : ready())],
    ['/metrics', shared(() => renderMetrics(metrics))],
  ])
}

/**
 * Concurrent requests share one response. These pages are public: however many clients request them, the store is checked
 * and the metrics are rendered one at a time.
 */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined
  return () => {
    pending ??= make().finally(() => {
      pending = undefined
    })
    return pending
  }
}

async function renderMetrics(metrics: Metrics): Promise<PageResponse> {
  // Lets requests of the same turn of the event loop share the result.
  await yieldToEventLoop()
  const body = await metrics.render()
  return { status: 200, body, headers: { 'Content-Type': metrics.contentType, ...NO_CACHE } }
}

async function runChecks(checks: HealthDependencies['checks']): Promise<PageResponse> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
  )
  const isReady = results.every(([, passed]) => passed)
  const named = Object.fromEntries(results.map(([name, passed]) => [name, passed ? 'ok' : 'failing']))
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks: named })
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS)
  const done = check().then(
    () => true,
    () => false,
  )
  const passed = await Promise.race([done, timeout])
  clearTimeout(timer)
  return passed
}

const json = (status: number, value: unknown): PageResponse => ({
  status,
  body: JSON.stringify(value),
  headers: { 'Content-Type': JSON_TYPE, ...NO_CACHE },
})
