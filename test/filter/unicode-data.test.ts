import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dir, '../..')

/** A second when idle. */
const TIMEOUT_MS = 60_000

const check = () => {
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, 'scripts/unicode-data.ts'], { cwd: ROOT })
  expect(exitCode).toBe(0)
  const file = readFileSync(path.join(ROOT, 'src/filter/unicode/character-data.ts'), 'utf8')
  expect(stdout.toString() === file).toBe(true)
}

test('the character tables match the output of their generator', check, TIMEOUT_MS)
