import type { Database } from 'bun:sqlite'
import { describeTrouble, openDatabase } from './database.ts'
import { type Call, Executor, type Result } from './executor.ts'
import { FACTS, MESSAGES } from './migrations.ts'

/**
 * The thread that waits for the disk, so that the one which carries requests never does. Messages are JSON:
 * a structured clone of the same calls costs twice as much.
 */

export type ToWorker =
  | { readonly kind: 'open'; readonly path: string; readonly messagesPath: string; readonly isUsed: boolean }
  | { readonly kind: 'run'; readonly calls: readonly Call[] }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'ran'; readonly results: readonly Result[] }
  | { readonly kind: 'closed' }

declare const self: Worker

let opened: { readonly files: readonly Database[]; readonly executor: Executor } | undefined

self.onmessage = ({ data }: MessageEvent<string>) => {
  self.postMessage(JSON.stringify(answer(JSON.parse(data))))
}

function answer(message: ToWorker): FromWorker {
  switch (message.kind) {
    case 'open':
      return open(message)
    case 'run':
      return { kind: 'ran', results: opened?.executor.run(message.calls) ?? [] }
    case 'close':
      for (const file of opened?.files ?? []) file.close()
      return { kind: 'closed' }
  }
}

function open({ path, messagesPath, isUsed }: Extract<ToWorker, { kind: 'open' }>): FromWorker {
  try {
    const facts = openDatabase(path, { migrations: FACTS, isUsed, isChecked: true })
    const messages = openDatabase(messagesPath, { migrations: MESSAGES, isUsed: false, isChecked: false })
    opened = { files: [facts, messages], executor: new Executor(facts, messages) }
    return { kind: 'opened' }
  } catch (thrown) {
    const message = describeTrouble(thrown)
    return {
      kind: 'refused',
      message: message.includes('data file') ? message : `The data file ${path}: ${message}`,
    }
  }
}
