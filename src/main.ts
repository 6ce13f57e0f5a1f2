import { runCommand } from './commands.ts'
import { describeError } from './log.ts'

// Files are readable by the owner only.
process.umask(0o077)

function fail(error: unknown): never {
  process.stderr.write(`${describeError(error)}\n`)
  process.exit(1)
}

/** Under npm, Ctrl-C sends the signal twice: from the terminal and from npm. Both count as one request. */
const SAME_REQUEST_MS = 500

/** The first signal requests a graceful stop; a later one exits immediately. */
const stopRequested = new Promise<string>((resolve) => {
  let requestedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      requestedAt ??= performance.now()
      if (performance.now() - requestedAt > SAME_REQUEST_MS) process.exit(1)
      resolve(signal)
    })
  }
})

const print = (line: string) => {
  process.stdout.write(`${line}\n`)
}

const note = (line: string) => {
  process.stderr.write(`${line}\n`)
}

try {
  const isInteractive = process.stdout.isTTY === true
  const exit = (code: number) => process.exit(code)
  await runCommand(process.argv.slice(2), {
    env: process.env,
    print,
    note,
    stopRequested,
    isInteractive,
    exit,
  })
  process.exit(0)
} catch (thrown) {
  fail(thrown)
}
