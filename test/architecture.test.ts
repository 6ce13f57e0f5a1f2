import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What each part of `src/` may import. ARCHITECTURE.md explains it. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: ['core'],
  http: ['http', 'core', 'log', 'metrics', 'thread-priority'],
  gateway: ['gateway', 'core', 'log', 'metrics'],
  filter: ['filter'],
  listener: ['listener', 'http', 'gateway', 'core', 'log', 'metrics'],
  adapters: ['adapters', 'core', 'filter', 'thread-priority'],
  log: [],
  'thread-priority': [],
  metrics: [],
  settings: ['log'],
  config: ['config', 'listener', 'core', 'log', 'settings'],
  server: ['core', 'http', 'gateway', 'listener', 'adapters', 'config', 'log', 'metrics'],
  commands: ['commands', 'server', 'adapters', 'config', 'settings', 'log'],
  main: ['commands', 'log'],
}

const SRC = path.join(import.meta.dir, '..', 'src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(test|contract)\.ts$/.test(name))
  .sort()
const read = (file: string) => readFileSync(path.join(SRC, file), 'utf8')
const part = (file: string) => file.split('/')[0]!.replace(/\.ts$/, '')

const imports = new Map(
  files.map((file) => [
    file,
    [...read(file).matchAll(/from '(\.[^']+)'/g)].map((match) => path.join(path.dirname(file), match[1]!)),
  ]),
)

const offenders = (pattern: RegExp, allowed: (file: string) => boolean) =>
  files.filter((file) => !allowed(file) && pattern.test(read(file)))

describe('the architecture', () => {
  test('allows only the imports listed in ARCHITECTURE.md', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter(
          (target) => !target.endsWith('../package.json') && !MAY_IMPORT[part(file)]?.includes(part(target)),
        )
        .map((target) => `${file} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('keeps adapters independent of each other', () => {
    const folder = (file: string) => file.split('/').slice(0, 2).join('/')
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => part(file) === 'adapters' && path.dirname(target).startsWith('adapters/'))
        .filter((target) => folder(file) !== folder(target))
        .map((target) => `${file} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('has no import cycles, including types', () => {
    const done = new Set<string>()
    const visit = (file: string, trail: readonly string[]) => {
      if (trail.includes(file)) throw new Error([...trail, file].join(' -> '))
      if (done.has(file)) return
      for (const target of imports.get(file) ?? []) visit(target, [...trail, file])
      done.add(file)
    }
    for (const file of imports.keys()) visit(file, [])
  })

  test('reads the environment only in main.ts', () => {
    expect(offenders(/process\.env/, (file) => file === 'main.ts')).toEqual([])
  })

  test('reads the clock in one place', () => {
    expect(offenders(/Date\.now\(\)|new Date\(\)/, (file) => file === 'core/ports/clock.ts')).toEqual([])
  })

  test('limits Bun APIs to the listener, the embedded store and worker entry points', () => {
    const outermost = (file: string) =>
      file.startsWith('listener/') || file.endsWith('/worker.ts') || file.startsWith('adapters/sqlite/')
    expect(offenders(/\bBun\.|'bun:/, outermost)).toEqual([])
  })

  test('keeps the filter free of packages that do not run in browsers', () => {
    const packages = files
      .filter((file) => part(file) === 'filter')
      .flatMap((file) => [...read(file).matchAll(/(?:from|import) '([^.'][^']*)'/g)].map(([, name]) => name))
    expect([...new Set(packages)]).toEqual(['unicode-segmenter/grapheme'])
  })

  test('keeps wire names out of the core', () => {
    expect(offenders(/\b[a-z]+_[a-z_]+\b(?=\??:)/, (file) => part(file) !== 'core')).toEqual([])
  })

  test('has no module-level state', () => {
    // A worker module runs once in its own thread, so its module state belongs to that thread.
    expect(offenders(/^(export )?let /m, (file) => file.endsWith('/worker.ts'))).toEqual([])
  })

  test('has no file over 300 lines', () => {
    expect(files.filter((file) => read(file).split('\n').length > 300)).toEqual([])
  })
})
