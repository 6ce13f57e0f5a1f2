import { ROOT } from '../support.ts'
import { Crowd, type CrowdOptions, type Speech } from './crowd.ts'

export type { CrowdOptions, Speech }

interface Command {
  readonly id: number
  readonly name: 'connect' | 'reconnect' | 'speak' | 'stopSpeaking' | 'untilMoved'
  readonly options: unknown
}

interface Reply {
  readonly id: number
  readonly result: unknown
}

/** A crowd in a process of its own. */
export class CrowdProcess implements AsyncDisposable {
  readonly #child: Bun.Subprocess
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>()
  #nextId = 1

  constructor(options: CrowdOptions) {
    this.#child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(options)], {
      cwd: ROOT,
      stdout: 'inherit',
      stderr: 'inherit',
      ipc: ({ id, result }: Reply) => {
        this.#pending.get(id)?.resolve(result)
        this.#pending.delete(id)
      },
      onExit: () => {
        for (const { reject } of this.#pending.values()) reject(new Error('The crowd exited.'))
      },
    })
  }

  connect = () => this.#run('connect') as Promise<{ readonly seconds: number }>
  reconnect = (staying: number) =>
    this.#run('reconnect', { staying }) as Promise<{ readonly seconds: number }>
  speak = (perSecond: number) => this.#run('speak', { perSecond })
  stopSpeaking = (drain: boolean) => this.#run('stopSpeaking', { drain }) as Promise<Speech>
  untilMoved = (members: number) => this.#run('untilMoved', { members })

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill()
    await this.#child.exited
  }

  #run(name: Command['name'], options: unknown = {}): Promise<unknown> {
    const id = this.#nextId++
    const pending = Promise.withResolvers<unknown>()
    this.#pending.set(id, pending)
    this.#child.send({ id, name, options } satisfies Command)
    return pending.promise
  }
}

if (import.meta.main) {
  const crowd = new Crowd(JSON.parse(process.argv[2] ?? ''))
  process.on('message', async ({ id, name, options }: Command) => {
    const command = crowd[name].bind(crowd) as (options: unknown) => unknown
    const result = await command(options)
    process.send?.({ id, result: result ?? null } satisfies Reply)
  })
}
