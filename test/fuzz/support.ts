/** Takes the seed from TEST_SEED, or picks and prints one, so that every run can be repeated. */
export function chooseSeed(name: string): number {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff))
  process.stdout.write(`${name}: TEST_SEED=${seed}\n`)
  return seed
}

/** Minimum number of cases for the long properties: a few thousand in `npm test`, a million in `npm run test:fuzz`. */
export const fuzzCases = Number(process.env['TEST_FUZZ_CASES'] ?? 4000)
/** No test timeout, because the number of cases is configurable; each request has its own timeout. */
export const NO_LIMIT = 2 ** 31 - 1

/** Log lines of level error and above. */
export const errorLines = (output: string) =>
  output.split('\n').filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= 50)
