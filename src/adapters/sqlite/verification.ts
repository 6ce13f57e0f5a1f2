import type { Envelope } from './envelope.ts'
import { unpack } from './envelope.ts'
import type { FromWorker, OpenRequest } from './worker-host.ts'

/** A check of a whole file in its own worker, which may take as long as it needs. */
export class Verification {
  readonly #worker: Worker
  #isStopped = false

  constructor(worker: Worker, path: string, onDamage: (error: Error) => void) {
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Envelope>) => {
      const reply: FromWorker = JSON.parse(unpack(data).json)
      if (this.#isStopped) return
      this.stop()
      if (reply.kind === 'failed') onDamage(new Error(reply.message))
    }
    // A failure of the check itself is not damage.
    worker.onerror = () => this.stop()
    const request: OpenRequest = { kind: 'open', mode: 'verify', path, isInitialized: true }
    worker.postMessage(JSON.stringify(request))
  }

  stop(): void {
    this.#isStopped = true
    this.#worker.terminate()
  }
}
