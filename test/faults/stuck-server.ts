import { runCommand } from '../../src/commands.ts'

/** `parley start` with a store worker that can be made to hang. */
const startWorker = () => new Worker(new URL('./stuck-worker.ts', import.meta.url).href)
await runCommand(['start'], {
  env: process.env,
  print: () => undefined,
  note: () => undefined,
  stopRequested: new Promise(() => undefined),
  isInteractive: false,
  exit: (code) => process.exit(code),
  storage: { startWorker, stuckMs: Number(process.argv[2]) },
})
