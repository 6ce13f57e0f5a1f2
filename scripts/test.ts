/** `npm test`: formatting and lint, types, then all tests. The last line counts the results. */

const steps = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'filter package types', command: ['tsc', '--noEmit', '-p', 'tsconfig.build.json'] },
  { name: 'client types', command: ['tsc', '--noEmit', '-p', 'client'] },
]

for (const { name, command } of steps) {
  console.log(`# ${name}`)
  const { exitCode } = Bun.spawnSync(command, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode !== 0) finish(0, 1)
}

console.log('# tests')
// Each process runs one file at a time; the run fails when any process fails.
const command = [process.execPath, 'test', '--parallel', '--timeout', '60000', ...process.argv.slice(2)]
const tests = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'pipe'] })
const [output, errors, exitCode] = await Promise.all([
  forward(tests.stdout, process.stdout),
  forward(tests.stderr, process.stderr),
  tests.exited,
])
const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(errors + output)?.[1] ?? 0)
finish(count('pass'), Math.max(count('fail'), exitCode === 0 ? 0 : 1), count('skip'))

async function forward(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of from) {
    to.write(chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

function finish(passed: number, failed: number, skipped = 0): never {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
}
