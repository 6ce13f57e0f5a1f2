import path from 'node:path'
import { createCaller, TOKEN } from './server.ts'

export const ROOT = path.join(import.meta.dir, '..', '..')

export interface ProcessResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Keeps a developer's own PARLEY_ variables out of the tests. */
export function environment(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, ...env }
}

/** Runs a command to its end and resolves to its output. Throws if it fails. */
export async function runCommand(command: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: environment({}),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, output, problem] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(`${command.join(' ')}\n${output}${problem}`)
  return output
}

/** Runs `parley ARGS` until it exits. Killed, which shows in the code, when it does not exit in time. */
export async function runParley(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ProcessResult> {
  const child = Bun.spawn([process.execPath, 'src/main.ts', ...args], {
    cwd: ROOT,
    env: environment(env),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly call: ReturnType<typeof createCaller>
  readonly pid: number
  /** Sends the signal and resolves to the exit code. */
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number>
  readonly exited: Promise<number>
  /** The output so far; complete once it has exited. */
  output(): string
}

/** Starts a server process on `folder`. Resolves when it listens; throws its output when it exits instead. */
export async function spawnServer(
  folder: string,
  env: Record<string, string> = {},
  command: readonly string[] = ['src/main.ts', 'start'],
): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: ROOT,
    env: environment({
      PARLEY_DATA_DIR: folder,
      PARLEY_PORT: '0',
      PARLEY_MASTER_TOKEN: TOKEN,
      PARLEY_RATE_LIMIT: 'off',
      ...env,
    }),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  const listening = Promise.withResolvers<string>()
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true })
      const url = /is listening on (http:\/\/[^\s"]+)/.exec(output)?.[1]
      if (url !== undefined) listening.resolve(url)
    }
  }
  const drained = Promise.all([read(child.stdout), read(child.stderr)])
  const exited = Promise.all([child.exited, drained]).then(([code]) => code)
  exited.then((code) => listening.reject(new Error(`The server exited with ${code}: ${output}`)))
  const url = await listening.promise
  const kill = (signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT') => {
    child.kill(signal)
    return exited
  }
  return {
    url,
    call: createCaller(url),
    pid: child.pid,
    kill,
    exited,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await kill('SIGKILL')
    },
  }
}
