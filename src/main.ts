import { runCommand } from './commands.ts'

// What this process writes is for its user alone.
process.umask(0o077)

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

/** The first signal asks to stop; a second one does not wait. */
const stopRequested = new Promise<string>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      resolve(signal)
      process.once(signal, () => process.exit(1))
    })
  }
})

const print = (line: string) => {
  process.stdout.write(`${line}\n`)
}

try {
  await runCommand(process.argv.slice(2), { env: process.env, print, stopRequested, fail })
  process.exit(0)
} catch (thrown) {
  fail(thrown)
}
