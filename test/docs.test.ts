import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './support/process.ts'

const documents = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
)

test('what the documentation has from the code is up to date', async () => {
  const child = Bun.spawn([process.execPath, 'scripts/docs.ts', '--check'], {
    cwd: ROOT,
    stderr: 'pipe',
    stdout: 'ignore',
  })
  expect({ code: await child.exited, problem: await child.stderr.text() }).toEqual({ code: 0, problem: '' })
})

test('links between documents lead somewhere', () => {
  const broken = documents.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\]\(([^)#:\s]+)(#[^)]*)?\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(path.join(ROOT, path.dirname(file), target)))
      .map((target) => `${file} -> ${target}`),
  )
  expect(broken).toEqual([])
})

test('files that the documentation names exist', () => {
  const broken = documents.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/`((?:src|test|bench|scripts)\/[\w./-]+\.ts)`/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(path.join(ROOT, target)))
      .map((target) => `${file} names ${target}`),
  )
  expect(broken).toEqual([])
})
