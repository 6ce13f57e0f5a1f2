import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { ChatError } from '../core/errors.ts'
import { RequestLog } from './request-log.ts'

function recorded(status: number, thrown?: unknown) {
  const lines: string[] = []
  const log = new RequestLog(pino({ level: 'info', base: null }, { write: (line) => void lines.push(line) }))
  log.record('id-1', { operation: 'applyBan', status, body: null, headers: new Headers(), thrown })
  return lines.map((line) => JSON.parse(line))
}

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
