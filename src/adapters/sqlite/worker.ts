import type { Database } from 'bun:sqlite'
import { MISCOUNTED_LISTS } from './commands/filters.ts'
import { describeStorageError, openDatabase, openReadOnly } from './database.ts'
import { attachTexts, detachTexts, type Envelope, pack, type Texts, unpack } from './envelope.ts'
import { type Call, type Executor, Reader, type Result, Writer } from './executor.ts'
import { FACTS, MESSAGES } from './migrations.ts'

/** A store worker. It waits for the disk, so that the main event loop never does. */

/** A read worker opens files that a write worker has opened before. */
export type Mode = 'write' | 'read'

export type ToWorker =
  | {
      readonly kind: 'open'
      readonly mode: Mode
      readonly path: string
      readonly messagesPath: string
      readonly isInitialized: boolean
    }
  | { readonly kind: 'run'; readonly calls: readonly Call[] }
  | { readonly kind: 'close' }

export type FromWorker =
  | { readonly kind: 'opened' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ran'; readonly results: readonly Result[] }
  | { readonly kind: 'closed' }

declare const self: Worker

let opened: { readonly files: readonly Database[]; readonly executor: Executor } | undefined

self.onmessage = ({ data }: MessageEvent<Envelope>) => {
  const { json, texts } = unpack(data)
  self.postMessage(handle(JSON.parse(json), texts))
}

function handle(message: ToWorker, texts: Texts): Envelope {
  switch (message.kind) {
    case 'open':
      return encode(open(message))
    case 'run': {
      const results = opened?.executor.run(attachTexts(message.calls, texts)) ?? []
      return pack(encode({ kind: 'ran', results: detachTexts(results) }), results)
    }
    case 'close':
      for (const file of opened?.files ?? []) file.close()
      return encode({ kind: 'closed' })
  }
}

const encode = (message: FromWorker) => JSON.stringify(message)

function open({ mode, path, messagesPath, isInitialized }: Extract<ToWorker, { kind: 'open' }>): FromWorker {
  try {
    opened =
      mode === 'write' ? openToWrite(path, messagesPath, isInitialized) : openToRead(path, messagesPath)
    return { kind: 'opened' }
  } catch (thrown) {
    const message = describeStorageError(thrown)
    return {
      kind: 'failed',
      message: message.includes('data file') ? message : `Cannot open the data file ${path}: ${message}`,
    }
  }
}

function openToWrite(path: string, messagesPath: string, isInitialized: boolean) {
  const facts = openDatabase(path, {
    migrations: FACTS,
    isInitialized,
    checkIntegrity: true,
    inconsistencies: MISCOUNTED_LISTS,
  })
  const messages = openDatabase(messagesPath, {
    migrations: MESSAGES,
    isInitialized: false,
    checkIntegrity: false,
  })
  return { files: [facts, messages], executor: new Writer(facts, messages) }
}

function openToRead(path: string, messagesPath: string) {
  const [facts, messages] = [openReadOnly(path), openReadOnly(messagesPath)]
  return { files: [facts, messages], executor: new Reader(facts, messages) }
}
