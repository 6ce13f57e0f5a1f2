import { expect, test } from 'bun:test'
import { Counter, Histogram, Registry } from 'prom-client'
import { Metrics } from './metrics.ts'

/** Lines of a metric, with their labels sorted. */
const linesOf = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.split(/[ {]/, 3).some((word) => word.startsWith(name)))
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort()}}`))

test('renders counters and histograms as the library does', async () => {
  const metrics = new Metrics()
  const registry = new Registry()
  const registers = [registry]
  const seconds = [0.0004, 0.001, 0.0011, 0.3, 99]
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of management requests.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers,
  })
  const messages = new Counter({
    name: 'parley_messages_total',
    help: 'Messages sent by players, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const deliveries = new Counter({
    name: 'parley_deliveries_total',
    help: 'Broadcast frames sent to player connections of this node.',
    registers,
  })
  const deliverySeconds = new Histogram({
    name: 'parley_delivery_seconds',
    help: 'Time from receiving a message to sending it to the connections.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1],
    registers,
  })
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name)
  const compare = async () => {
    const [shown, expected] = [await metrics.render(), await registry.metrics()]
    for (const name of names) expect(linesOf(shown, name)).toEqual(linesOf(expected, name))
  }

  await compare()
  for (const [operation, status] of [
    ['listChannels', 200],
    ['listChannels', 400],
    ['', 404],
  ] as const) {
    for (const each of seconds) {
      metrics.observeRequest(operation, status, each)
      requests.observe({ operation, status }, each)
    }
  }
  for (const outcome of ['delivered', 'masked', 'delivered']) {
    metrics.countMessage(outcome)
    messages.inc({ outcome })
  }
  for (const recipients of [0, 1000]) {
    metrics.countDeliveries(recipients)
    deliveries.inc(recipients)
  }
  for (const each of seconds) {
    metrics.observeDelivery(each)
    deliverySeconds.observe(each)
  }
  await compare()
})
