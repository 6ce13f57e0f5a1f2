import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { LoopMonitor } from './loop-monitor.ts'

const SAMPLE_MS = 50

let now: number
let lines: string[]
let frames: { delayMs: number }
let monitor: LoopMonitor

beforeEach(() => {
  jest.useFakeTimers()
  now = 0
  lines = []
  frames = { delayMs: 0 }
  const record = (level: string) => (_: unknown, message?: string) => void lines.push(`${level} ${message}`)
  monitor = new LoopMonitor({ warn: record('warn'), info: record('info') }, () => now, frames)
  monitor.start()
})
afterEach(() => {
  monitor.stop()
  jest.useRealTimers()
})

/** Lets the timers run for a while, each this late. */
function run(ms: number, lagMs: number): void {
  for (const end = now + ms; now < end; ) {
    now += SAMPLE_MS + lagMs
    jest.advanceTimersByTime(SAMPLE_MS)
  }
}

const BEGIN = 'warn event loop saturated: broadcasts are sent in larger batches, less often'
const END = 'info event loop no longer saturated'

test('follows the lag of the timers, up faster than down', () => {
  run(1000, 0)
  expect(monitor.lagMs).toBe(0)
  run(500, 100)
  expect(monitor.lagMs).toBeGreaterThan(90)
  run(200, 0)
  expect(monitor.lagMs).toBeGreaterThan(50)
  run(3000, 0)
  expect(monitor.lagMs).toBeLessThan(1)
})

test('logs once when saturation begins and once when it ends', () => {
  run(5000, 100)
  expect([monitor.isSaturated, lines]).toEqual([true, [BEGIN]])
  run(5000, 30)
  expect(lines).toEqual([BEGIN])
  run(4000, 0)
  run(1000, 100)
  expect(lines).toEqual([BEGIN])
  run(10_000, 0)
  expect([monitor.isSaturated, lines]).toEqual([false, [BEGIN, END]])
  run(5000, 100)
  expect(lines).toEqual([BEGIN, END, BEGIN])
})

test('counts frames that wait for their turn as lag', () => {
  frames.delayMs = 200
  run(5000, 0)
  expect(monitor.lagMs).toBeGreaterThan(190)
  expect(lines).toEqual([BEGIN])
})

test('ignores a single stall', () => {
  run(1000, 0)
  run(500, 450)
  run(10_000, 0)
  expect(lines).toEqual([])
})
