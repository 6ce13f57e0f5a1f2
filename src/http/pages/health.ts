import { yieldToEventLoop } from '../../core/time-slice.ts'
import type { Metrics } from '../../metrics.ts'
import type { PageResponse, Pages } from './page.ts'

export interface HealthParts {
  readonly metrics: Metrics
  /** Each throws, or does not answer in time, when its part does not work. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>
  readonly isDraining: () => boolean
}

const CHECK_MS = 2000
const NO_CACHE = { 'Cache-Control': 'no-store' }

const ROOT_TEXT = `Parley, a chat server for games.

/chat/v1/docs           the management API, with a form to try it
/chat/v1/openapi.json   the same as OpenAPI 3.1
/readyz                 whether this server takes requests
/metrics                metrics for Prometheus
`

/** Where to go from the bare address. */
export const createRootPage = (): [string, () => PageResponse] => [
  '/',
  () => ({
    status: 200,
    body: ROOT_TEXT,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...NO_CACHE },
  }),
]

export function createHealthPages({ metrics, checks, isDraining }: HealthParts): Pages {
  const ready = shared(() => readiness(checks))
  return new Map<string, () => Promise<PageResponse> | PageResponse>([
    ['/livez', () => json(200, { status: 'alive' })],
    ['/readyz', () => (isDraining() ? json(503, { status: 'draining' }) : ready())],
    ['/metrics', shared(() => renderMetrics(metrics))],
  ])
}

/**
 * Callers that ask while an answer is being made get the same one. These pages need no credentials: however many ask at
 * once, the store is asked and the metrics are rendered once at a time.
 */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined
  return () => {
    making ??= make().finally(() => {
      making = undefined
    })
    return making
  }
}

async function renderMetrics(metrics: Metrics): Promise<PageResponse> {
  // Whoever asked in the same turn of the loop shares this one.
  await yieldToEventLoop()
  const body = await metrics.render()
  return { status: 200, body, headers: { 'Content-Type': metrics.contentType, ...NO_CACHE } }
}

async function readiness(checks: HealthParts['checks']): Promise<PageResponse> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
  )
  const isReady = results.every(([, passed]) => passed)
  const named = Object.fromEntries(results.map(([name, passed]) => [name, passed ? 'ok' : 'failing']))
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks: named })
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), CHECK_MS)
  const done = check().then(
    () => true,
    () => false,
  )
  const passed = await Promise.race([done, late])
  clearTimeout(timer)
  return passed
}

const json = (status: number, value: unknown): PageResponse => ({
  status,
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...NO_CACHE },
})
