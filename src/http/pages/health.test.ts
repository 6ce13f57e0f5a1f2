import { expect, test } from 'bun:test'
import { Metrics } from '../../metrics.ts'
import { createHealthPages } from './health.ts'

const ask = (pages: ReturnType<typeof createHealthPages>, path: string) =>
  pages.get(path)?.({ header: () => null })

test('checks once for all who ask at the same time, and again for those who ask later', async () => {
  let checked = 0
  const store = async () => {
    checked++
  }
  const pages = createHealthPages({ metrics: new Metrics(), checks: { store }, isDraining: () => false })
  await Promise.all(Array.from({ length: 100 }, () => ask(pages, '/readyz')))
  expect(checked).toBe(1)
  await ask(pages, '/readyz')
  expect(checked).toBe(2)
})

test('renders the metrics once for all who ask at the same time', async () => {
  const metrics = new Metrics()
  let rendered = 0
  metrics.registerCollector('test_rendered', 'Counts renderings.', () => ++rendered)
  const pages = createHealthPages({ metrics, checks: {}, isDraining: () => false })
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(pages, '/metrics')))
  expect(rendered).toBe(1)
  expect(new Set(answers.map((answer) => answer?.body)).size).toBe(1)
  expect((await ask(pages, '/metrics'))?.body).toContain('test_rendered 2')
})
