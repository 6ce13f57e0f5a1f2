import { expect, test } from 'bun:test'
import { BrowserPage, CHROMIUM } from '../support/browser.ts'
import { startTestServer, TOKEN } from '../support/server.ts'

const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click()`
const has = (selector: string) => `document.querySelector(${JSON.stringify(selector)}) !== null`
/** Sets the value through the native setter, so that React notices the change. */
const type = (selector: string, text: string) => `{
  const input = document.querySelector(${JSON.stringify(selector)})
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(text)})
  input.dispatchEvent(new Event('input', { bubbles: true }))
}`

test.skipIf(CHROMIUM === undefined)(
  'the docs page lists every operation, runs one with the token, and loads nothing from other origins',
  async () => {
    await using s = await startTestServer()
    await using page = await BrowserPage.open(CHROMIUM ?? '', new URL('/chat/v1/docs', s.url).href)
    await page.until(has('#operations-Channels-createOpenChannel'))
    const { paths } = (await s.call('GET', '/openapi.json')).json
    const operations = Object.values<object>(paths).flatMap((path) => Object.keys(path))
    expect(await page.evaluate(`document.querySelectorAll('.opblock').length`)).toBe(operations.length)
    expect(await page.evaluate(`document.querySelector('.info').textContent`)).toContain('Authentication')

    await page.evaluate(click('.auth-wrapper .authorize'))
    await page.until(has('.auth-container input'))
    await page.evaluate(type('.auth-container input', TOKEN))
    await page.evaluate(click('.auth-btn-wrapper .authorize'))
    await page.until(has('.auth-container .btn-done'))
    await page.evaluate(click('.auth-container .btn-done'))

    const operation = '#operations-Channels-createOpenChannel'
    await page.evaluate(click(`${operation} .opblock-summary-control`))
    await page.until(has(`${operation} .execute`))
    await page.evaluate(click(`${operation} .execute`))
    await page.until(has(`${operation} .live-responses-table .response-col_description .microlight`))
    const shown = `document.querySelector('${operation} .live-responses-table').textContent`
    expect(await page.evaluate(shown)).toContain('"channel_group": "global"')
    expect((await s.call('GET', '/open_channel_groups')).json).toEqual(['global'])

    expect(page.problems).toEqual([])
    const elsewhere = page.requested.filter((url) => !url.startsWith(s.url) && !url.startsWith('data:'))
    expect(elsewhere).toEqual([])
    expect(page.requested.join('\n')).not.toContain(TOKEN)
    const kept =
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])'
    expect(await page.evaluate(kept)).not.toContain(TOKEN)
  },
  60_000,
)
