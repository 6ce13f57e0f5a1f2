import type { Database } from 'bun:sqlite'
import { openDatabase } from './database.ts'
import { type Call, Executor, type Result } from './executor.ts'

/**
 * The thread that waits for the disk, so that the one which carries requests never does. Messages are JSON:
 * a structured clone of the same calls costs twice as much.
 */

export type ToWorker =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'run'; readonly calls: readonly Call[] }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'ran'; readonly results: readonly Result[] }
  | { readonly kind: 'closed' }

declare const self: Worker

let opened: { readonly db: Database; readonly executor: Executor } | undefined

self.onmessage = ({ data }: MessageEvent<string>) => {
  self.postMessage(JSON.stringify(answer(JSON.parse(data))))
}

function answer(message: ToWorker): FromWorker {
  switch (message.kind) {
    case 'open':
      return open(message.path)
    case 'run':
      return { kind: 'ran', results: opened?.executor.run(message.calls) ?? [] }
    case 'close':
      opened?.db.close()
      return { kind: 'closed' }
  }
}

function open(path: string): FromWorker {
  try {
    const db = openDatabase(path)
    opened = { db, executor: new Executor(db) }
    return { kind: 'opened' }
  } catch (thrown) {
    return { kind: 'refused', message: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
