import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Undefined when no browser is installed; tests that need one are skipped. */
export const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => Bun.which(name))
  .find(Boolean)

interface Reply {
  readonly id?: number
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: every protocol event has its own shape
  readonly params?: any
  // biome-ignore lint/suspicious/noExplicitAny: every protocol method has its own result
  readonly result?: any
  readonly error?: { readonly message: string }
}

/** A page in headless Chromium, controlled through the DevTools protocol. */
export class BrowserPage implements AsyncDisposable {
  readonly #process: Bun.Subprocess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  /** Script errors, failed requests and violations of the content security policy. */
  readonly problems: string[] = []
  /** Every URL that the page requested. */
  readonly requested: string[] = []
  #sessionId: string | undefined
  #nextId = 1

  private constructor(parts: { process: Bun.Subprocess; folder: string; socket: WebSocket }) {
    this.#process = parts.process
    this.#folder = parts.folder
    this.#socket = parts.socket
    this.#socket.onmessage = ({ data }) => {
      const reply: Reply = JSON.parse(String(data))
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply)
      else this.#record(reply)
    }
  }

  static async open(executable: string, url: string): Promise<BrowserPage> {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-browser-'))
    const process = Bun.spawn(
      [executable, '--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`],
      { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    )
    const socket = new WebSocket(await debuggerUrl(process.stderr))
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = reject
    })
    const page = new BrowserPage({ process, folder, socket })
    const { targetId } = await page.#call('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await page.#call('Target.attachToTarget', { targetId, flatten: true })
    page.#sessionId = sessionId
    for (const domain of ['Runtime', 'Log', 'Network']) await page.#call(`${domain}.enable`, {})
    await page.#call('Page.navigate', { url })
    await page.evaluate(`new Promise((resolve) => {
      if (document.readyState === 'complete') resolve()
      else addEventListener('load', resolve)
    })`)
    return page
  }

  /** Evaluates an expression in the page and awaits a promise. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return result.value
  }

  /** Resolves when the expression is true in the page. Checked on every DOM change. */
  async until(condition: string): Promise<void> {
    await this.evaluate(`new Promise((resolve) => {
      const check = () => { if (${condition}) resolve() }
      new MutationObserver(check).observe(document, { childList: true, subtree: true, characterData: true })
      check()
    })`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Killing it would leave its child processes behind.
    this.#sessionId = undefined
    await this.#call('Browser.close', {})
    await this.#process.exited
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }

  #record({ method, params }: Reply): void {
    if (method === 'Network.requestWillBeSent') this.requested.push(params.request.url)
    if (method === 'Runtime.exceptionThrown') this.problems.push(params.exceptionDetails.text)
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.problems.push(params.entry.text)
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
      this.problems.push(JSON.stringify(params.args))
  }

  async #call(method: string, params: object) {
    const id = this.#nextId++
    const { promise, resolve } = Promise.withResolvers<Reply>()
    this.#waiting.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: this.#sessionId }))
    const { result, error } = await promise
    this.#waiting.delete(id)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

async function debuggerUrl(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of stderr) {
    output += decoder.decode(chunk, { stream: true })
    const url = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`The browser did not start: ${output}`)
}
