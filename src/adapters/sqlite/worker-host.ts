import { describeStorageError } from './database.ts'
import { attach, detach, type Envelope, type ItemAttachments, pack, unpack } from './envelope.ts'
import type { Call, Executor, Result } from './executor.ts'

/** The purpose of a worker. A file is opened to write before it is opened to read. */
export type Mode = 'write' | 'read'

export interface OpenRequest {
  readonly kind: 'open'
  /** `verify` checks the whole file. */
  readonly mode: Mode | 'verify'
  readonly path: string
  /** Whether the data folder was used before, so that an empty file means loss of data. */
  readonly isInitialized: boolean
}

export type ToWorker =
  | OpenRequest
  | { readonly kind: 'run'; readonly calls: readonly Call[] }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'opened'; readonly needsVerification: boolean }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ran'; readonly results: readonly Result[] }
  | { readonly kind: 'closed' }

export interface OpenedStore {
  readonly executor: Executor
  close(): void
  /** Whether the start skipped a part of the integrity check. */
  readonly needsVerification?: boolean
}

/** Serves a store from a worker, so that only the worker waits for the disk. */
export function serveStore(self: Worker, openStore: (request: OpenRequest) => OpenedStore): void {
  let opened: OpenedStore | undefined

  const open = (request: OpenRequest): FromWorker => {
    try {
      opened = openStore(request)
      return { kind: 'opened', needsVerification: opened.needsVerification ?? false }
    } catch (thrown) {
      const message = describeStorageError(thrown)
      const named = message.includes('data file')
        ? message
        : `Cannot open the data file ${request.path}: ${message}`
      return { kind: 'failed', message: named }
    }
  }

  const reply = (message: ToWorker, attachments: ItemAttachments): Envelope => {
    switch (message.kind) {
      case 'open':
        return encode(open(message))
      case 'run': {
        const results = opened?.executor.run(attach(message.calls, attachments)) ?? []
        return pack(encode({ kind: 'ran', results: detach(results) }), results)
      }
      case 'close':
        opened?.close()
        return encode({ kind: 'closed' })
    }
  }

  self.onmessage = ({ data }: MessageEvent<Envelope>) => {
    const { json, attachments } = unpack(data)
    self.postMessage(reply(JSON.parse(json), attachments))
  }
}

const encode = (message: FromWorker) => JSON.stringify(message)
