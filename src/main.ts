import { runCommand } from './commands.ts'
import { describeError } from './log.ts'

// What this process writes is for its user alone.
process.umask(0o077)

function fail(error: unknown): never {
  process.stderr.write(`${describeError(error)}\n`)
  process.exit(1)
}

/** The first signal asks to stop; a second one does not wait. */
const stopRequested = new Promise<string>((resolve) => {
  let isAsked = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isAsked) process.exit(1)
      isAsked = true
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
