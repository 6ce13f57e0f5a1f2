import { expect, test } from 'bun:test'
import { Metrics } from '../../metrics.ts'
import { createHealthPages } from './health.ts'

const draining = new AbortController().signal
const get = (pages: ReturnType<typeof createHealthPages>, path: string) =>
  pages.get(path)?.({ path, header: () => null, draining })

test('concurrent requests share one run of the checks', async () => {
  let checked = 0
  const store = async () => {
    checked++
  }
  const pages = createHealthPages({ metrics: new Metrics(), checks: { store }, isDraining: () => false })
  await Promise.all(Array.from({ length: 100 }, () => get(pages, '/readyz')))
  expect(checked).toBe(1)
  await get(pages, '/readyz')
  expect(checked).toBe(2)
})

test('concurrent requests share one rendering of the metrics', async () => {
  const metrics = new Metrics()
  let rendered = 0
  metrics.registerCollector('test_rendered', 'Counts renderings.', () => ++rendered)
  const pages = createHealthPages({ metrics, checks: {}, isDraining: () => false })
  const responses = await Promise.all(Array.from({ length: 100 }, () => get(pages, '/metrics')))
  expect(rendered).toBe(1)
  expect(new Set(responses.map((response) => response?.body)).size).toBe(1)
  expect((await get(pages, '/metrics'))?.body).toContain('test_rendered 2')
})
