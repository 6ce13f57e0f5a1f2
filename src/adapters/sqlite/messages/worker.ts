import { lowerThreadPriority } from '../../../thread-priority.ts'
import { SeparateExecutor } from '../executor.ts'
import { serveStore } from '../worker-host.ts'
import { LogReader } from './log-reader.ts'
import { LogWriter } from './log-writer.ts'

declare const self: Worker

serveStore(self, ({ mode, path }) => {
  // A back-test or a long count must not take the processor from chat.
  if (mode === 'read') lowerThreadPriority()
  const log = mode === 'write' ? new LogWriter(path) : new LogReader(path)
  return { executor: new SeparateExecutor(log, log.commands), close: () => log.close() }
})
