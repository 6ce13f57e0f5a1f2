import type { Database } from 'bun:sqlite'
import { describeTrouble, openDatabase } from './database.ts'
import { type Call, Executor, type Result } from './executor.ts'

/**
 * The thread that waits for the disk, so that the one which carries requests never does. Messages are JSON:
 * a structured clone of the same calls costs twice as much.
 */

export type ToWorker =
  | { readonly kind: 'open'; readonly path: string; readonly isUsed: boolean }
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
      return open(message.path, message.isUsed)
    case 'run':
      return { kind: 'ran', results: opened?.executor.run(message.calls) ?? [] }
    case 'close':
      opened?.db.close()
      return { kind: 'closed' }
  }
}

function open(path: string, isUsed: boolean): FromWorker {
  try {
    const db = openDatabase(path, isUsed)
    opened = { db, executor: new Executor(db) }
    return { kind: 'opened' }
  } catch (thrown) {
    const message = describeTrouble(thrown)
    return {
      kind: 'refused',
      message: message.includes(path) ? message : `The data file ${path}: ${message}`,
    }
  }
}
