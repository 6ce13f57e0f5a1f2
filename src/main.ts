import { runCommand } from './commands.ts'

// What this process writes is for its user alone.
process.umask(0o077)

function fail(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}

/** With what has caused it, where the message does not say so itself. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : describe(error.cause)
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
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
  await runCommand(process.argv.slice(2), { env: process.env, print, note, stopRequested, fail })
  process.exit(0)
} catch (thrown) {
  fail(thrown)
}
