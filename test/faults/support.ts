import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { Random } from '../filter/random.ts'
import { chooseSeed } from '../fuzz/support.ts'
import { type ProcessResult, runParley, type ServerProcess, spawnServer } from '../support/process.ts'
import { type ApiResponse, makeFolder, TOKEN } from '../support/server.ts'

export const UNAVAILABLE = {
  message: 'The service is temporarily unavailable.',
  code: 503100,
  error: true,
}
export const BAD_CREDENTIALS = {
  message: 'There is a problem with the user credentials.',
  code: 400701,
  error: true,
}

export const AUTH_HEADERS = `Host: parley\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`

/** A folder that is removed when it goes out of scope. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const folder = makeFolder()
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Random numbers from the seed in TEST_SEED, or from a new one that is printed. */
export const seededRandom = (name: string) => new Random(chooseSeed(name))

export const databasePath = (folder: string) => path.join(folder, 'parley.db')

/** The file of the message log in use, after the first message. */
export const todaysMessages = () => `messages/${new Date().toISOString().slice(0, 10)}.db`

/** All messages of the log on disk, in order. */
export function readMessageTexts(folder: string): string[] {
  const days = readdirSync(path.join(folder, 'messages')).filter((file) => /^\d.*\.db$/.test(file))
  return days.sort().flatMap((file) => {
    using db = new Database(path.join(folder, 'messages', file), { readonly: true })
    const rows = db.query<{ text: string }, []>('SELECT text FROM message ORDER BY key').all()
    return rows.map(({ text }) => text)
  })
}

export const hashFile = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Log lines of level fatal. */
export const fatalLines = (output: string) => output.split('\n').filter((line) => line.includes('"level":60'))

/** The result of `PRAGMA integrity_check` on the data file, "ok" when it is intact. */
export function checkIntegrity(folder: string): string {
  using db = new Database(databasePath(folder), { readwrite: true })
  return db
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check')
    .all()
    .map((row) => row.integrity_check)
    .join('\n')
}

/** Runs `parley start`, expecting it to exit. */
export const runStart = (folder: string, env: Record<string, string> = {}): Promise<ProcessResult> =>
  runParley(['start'], {
    PARLEY_DATA_DIR: folder,
    PARLEY_PORT: '0',
    PARLEY_MASTER_TOKEN: TOKEN,
    ...env,
  })

/** Resolves to the server, or to the output of a start that failed with a nonzero exit code. */
export async function tryStart(folder: string): Promise<ServerProcess | string> {
  try {
    return await spawnServer(folder)
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    if (/exited with [1-9]/.test(message)) return message
    throw thrown
  }
}

/** Polls until `holds`, bounded by the timeout of the test. */
export async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (holds(value)) return value
    await Bun.sleep(10)
  }
}

export async function getPage(
  server: ServerProcess,
  page: string,
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(new URL(page, server.url))
  return { status: response.status, json: await response.json() }
}

export const expectOk = (response: ApiResponse): ApiResponse => {
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`)
  return response
}

/** A TCP connection that sends and reads exactly what the test says, at its pace. */
export class RawClient implements Disposable {
  readonly #socket: net.Socket
  readonly #openedAt = performance.now()
  #received = ''
  #changed = Promise.withResolvers<void>()
  #timer: ReturnType<typeof setInterval> | undefined
  #isClosed = false
  /** Resolves when the connection closes, to its duration in milliseconds. */
  readonly closed: Promise<number>

  private constructor(socket: net.Socket) {
    this.#socket = socket
    const { promise, resolve } = Promise.withResolvers<number>()
    this.closed = promise
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      this.#received += text
      this.#wake()
    })
    // A disconnect shows up as an error or as an end; both are followed by 'close'.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(this.#timer)
      this.#isClosed = true
      resolve(performance.now() - this.#openedAt)
      this.#wake()
    })
  }

  static connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), hostname)
      socket.once('error', reject)
      socket.once('connect', () => resolve(new RawClient(socket)))
    })
  }

  get received(): string {
    return this.#received
  }

  get localPort(): number {
    return this.#socket.localPort ?? 0
  }

  send(text: string): this {
    this.#socket.write(text)
    return this
  }

  /** Sends and resolves when the kernel has accepted or rejected the bytes. */
  async sendAll(text: string): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(text, () => resolve()))
    await Bun.sleep(0)
  }

  /** Sends `piece` every `everyMs` until the connection closes. */
  drip(piece: string, everyMs: number): this {
    this.#timer = setInterval(() => this.#socket.write(piece), everyMs)
    return this
  }

  pause(): this {
    this.#socket.pause()
    return this
  }

  resume(): this {
    this.#socket.resume()
    return this
  }

  /** Waits until the received text matches. Throws when the connection closes first. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received)) {
      if (this.#isClosed) throw new Error(`Closed after ${JSON.stringify(this.#received.slice(0, 500))}`)
      await this.#changed.promise
    }
    return this.#received
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** The last response in the received text. */
export function lastResponse(received: string): { status: number; headers: string; body: string } {
  const start = received.lastIndexOf('HTTP/1.1 ')
  const end = received.indexOf('\r\n\r\n', start)
  const status = Number(received.slice(start + 9, start + 12))
  return { status, headers: received.slice(start, end), body: received.slice(end + 4) }
}
