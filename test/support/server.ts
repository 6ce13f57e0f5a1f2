import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { type Server, type ServerDependencies, startServer } from '../../src/server.ts'

export const TOKEN = 'test-master-token-of-43-characters-xxxxxxxx'

export const makeFolder = () => mkdtempSync(path.join(tmpdir(), 'parley-test-'))

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect responses of every shape
  readonly json: any
}

export interface CallOptions {
  readonly body?: unknown
  /** Sent verbatim instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Record<string, string>
  readonly token?: string | null
}

/** Calls the management API as a game backend would. */
export function createCaller(url: string) {
  return async (method: string, pathAndQuery: string, options: CallOptions = {}): Promise<ApiResponse> => {
    const token = options.token === undefined ? TOKEN : options.token
    const response = await fetch(new URL(`/chat/v1${pathAndQuery}`, url), {
      method,
      headers: {
        'Content-Type': 'application/json; charset=utf8',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      ...((options.raw ?? options.body) !== undefined && {
        body: options.raw ?? JSON.stringify(options.body),
      }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }
}

export interface TestServer extends AsyncDisposable {
  readonly server: Server
  readonly url: string
  readonly call: ReturnType<typeof createCaller>
}

/** Starts a server in this process on a temporary folder that is removed with it. */
export async function startTestServer(
  env: Record<string, string> = {},
  ports?: ServerDependencies['ports'],
  more?: Pick<ServerDependencies, 'pages'>,
): Promise<TestServer> {
  const folder = makeFolder()
  const started = await startServerOn(folder, env, ports, more)
  return {
    ...started,
    [Symbol.asyncDispose]: async () => {
      await started.server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a server in this process on a folder that outlives it, so that another can start on it. */
export async function startServerOn(
  folder: string,
  env: Record<string, string> = {},
  ports?: ServerDependencies['ports'],
  more?: Pick<ServerDependencies, 'pages'>,
): Promise<TestServer> {
  const config = readConfig({
    flags: {},
    env: {
      PARLEY_DATA_DIR: folder,
      PARLEY_PORT: '0',
      PARLEY_MASTER_TOKEN: TOKEN,
      PARLEY_LOG_LEVEL: 'silent',
      PARLEY_RATE_LIMIT: 'off',
      PARLEY_CONNECTIONS_PER_ADDRESS: '0',
      PARLEY_PENDING_PER_ADDRESS: '0',
      PARLEY_REPORTS_PER_DAY: '100000',
      ...env,
    },
  })
  const onFailure = (error: Error) => {
    throw error
  }
  const server = await startServer(config, {
    log: createLogger('silent'),
    onFailure,
    ...(ports && { ports }),
    ...more,
  })
  return {
    server,
    url: server.url.href,
    call: createCaller(server.url.href),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}
