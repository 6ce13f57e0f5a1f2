import { expect, test } from 'bun:test'
import { startTestServer } from '../support/server.ts'
import { createTestClock, expectSuccess, newReport } from './helpers.ts'

interface Entry {
  readonly report_id: number
  readonly message: string
}

test('a server without reports answers an empty array', async () => {
  await using s = await startTestServer()
  expectSuccess(await s.call('GET', '/report_list'), [])
})

test('report_id ascends from 1, and reports are listed newest first', async () => {
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

test('a new report is not processed and has no sanction, and its times are UTC without milliseconds', async () => {
  const { clock } = createTestClock('2027-01-02T23:59:59.999Z')
  await using s = await startTestServer({}, { clock })
  await s.server.app.reports.add(newReport(1, clock()))
  expect((await s.call('GET', '/report_list')).json).toMatchObject([
    { status: 1, value: 0, update_at: '2027-01-02 23:59:59', create_at: '2027-01-02 23:59:59' },
  ])
})

test('text of a report comes back as it was', async () => {
  await using s = await startTestServer()
  const message = 'line\n"quoted" \\ 한 👾 <b> \u2028'
  await s.server.app.reports.add({ ...newReport(1, 0), message, reason: '' })
  expect((await s.call('GET', '/report_list')).json).toMatchObject([{ message, reason: '' }])
})

test('without a page the whole list is answered, however long', async () => {
  await using s = await startTestServer()
  await Promise.all(Array.from({ length: 2001 }, (_, index) => s.server.app.reports.add(newReport(index, 0))))
  const { json } = await s.call('GET', '/report_list')
  expect(json.map((each: Entry) => each.report_id)).toEqual(
    Array.from({ length: 2001 }, (_, index) => 2001 - index),
  )
})
