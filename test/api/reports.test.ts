import { expect, test } from 'bun:test'
import { startTestServer } from '../support/server.ts'
import { createTestClock, expectSuccess, newReport } from './helpers.ts'

interface Entry {
  readonly report_id: number
  readonly message: string
}

test('returns an empty array without reports', async () => {
  await using s = await startTestServer()
  expectSuccess(await s.call('GET', '/report_list'), [])
})

test('numbers reports from 1 and lists them newest first', async () => {
  const { clock } = createTestClock()
  await using s = await startTestServer({}, { clock })
  for (const number of [1, 2, 3]) await s.server.app.reports.add(newReport(number, clock()))
  const { json } = await s.call('GET', '/report_list')
  expect(json.map((each: Entry) => [each.report_id, each.message])).toEqual([
    [3, 'message 3'],
    [2, 'message 2'],
    [1, 'message 1'],
  ])
})

test('creates reports unprocessed, without a sanction, with UTC times in seconds', async () => {
  const { clock } = createTestClock('2027-01-02T23:59:59.999Z')
  await using s = await startTestServer({}, { clock })
  await s.server.app.reports.add(newReport(1, clock()))
  expect((await s.call('GET', '/report_list')).json).toMatchObject([
    { status: 1, value: 0, update_at: '2027-01-02 23:59:59', create_at: '2027-01-02 23:59:59' },
  ])
})

test('returns the text of a report unchanged', async () => {
  await using s = await startTestServer()
  const message = 'line\n"quoted" \\ 한 👾 <b> \u2028'
  await s.server.app.reports.add({ ...newReport(1, 0), message, reason: '' })
  expect((await s.call('GET', '/report_list')).json).toMatchObject([{ message, reason: '' }])
})

test('returns the whole list when no page is requested', async () => {
  await using s = await startTestServer()
  await Promise.all(Array.from({ length: 2001 }, (_, index) => s.server.app.reports.add(newReport(index, 0))))
  const { json } = await s.call('GET', '/report_list')
  expect(json.map((each: Entry) => each.report_id)).toEqual(
    Array.from({ length: 2001 }, (_, index) => 2001 - index),
  )
})
