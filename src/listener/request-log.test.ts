import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { ChatError } from '../core/errors.ts'
import { RequestLog } from './request-log.ts'

function logged(use: (log: RequestLog) => void) {
  const lines: string[] = []
  use(new RequestLog(pino({ level: 'info', base: null }, { write: (line) => void lines.push(line) })))
  return lines.map((line) => JSON.parse(line))
}

const responseOf = (status: number, thrown?: unknown) => ({
  operation: 'applyBan',
  status,
  body: null,
  headers: new Headers(),
  thrown,
})
const recorded = (status: number, thrown?: unknown) =>
  logged((log) => log.record('id-1', responseOf(status, thrown)))

const [ERROR, WARN] = [50, 40]

test('logs a server error with its request id, operation and cause', () => {
  const [line, ...rest] = recorded(500, new Error('boom'))
  expect(line).toMatchObject({
    level: ERROR,
    requestId: 'id-1',
    operation: 'applyBan',
    err: { message: 'boom' },
  })
  expect(rest).toEqual([])
})

test('logs an expected 503 as a warning', () => {
  expect(recorded(503, new ChatError('unavailable'))).toMatchObject([{ level: WARN }])
})

test('does not log rejected requests or players asked to retry', () => {
  expect(recorded(400, new Error('rejected'))).toEqual([])
  expect(recorded(503)).toEqual([])
})

test('logs the error that aborted a response, and an outage as a warning', () => {
  const aborted = (thrown: unknown) => logged((log) => log.recordAborted('id-1', responseOf(200), thrown))
  const error = { requestId: 'id-1', operation: 'applyBan', err: { message: 'boom' } }
  expect(aborted(new Error('boom'))).toMatchObject([{ level: ERROR, ...error }])
  expect(aborted(new ChatError('unavailable'))).toMatchObject([{ level: WARN }])
})
