import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { BrowserPage, CHROMIUM } from './support/browser.ts'
import { ROOT, runCommand } from './support/process.ts'
import { makeFolder } from './support/server.ts'

const NODE = Bun.which('node')
const TIMEOUT_MS = 120_000
const NOT_PACKED = new Set(['.git', 'bench', 'data', 'dist', 'node_modules', 'test'])

const documentation = readFileSync(path.join(ROOT, 'docs/filter-package.md'), 'utf8')
/** The scripts and pages of the documentation by the name in their first line. */
const examples = new Map(
  [
    ...documentation.matchAll(/```(?:js|html)\n(?:\/\/|<!--) (\S+)(?: -->)?\n([^`]*(?:`[^`]+`[^`]*)*?)```/g),
  ].map(([, name = '', text = '']) => [name, text]),
)
const outputOf = (name: string) =>
  /```text\n([^`]+)```/.exec(documentation.slice(documentation.indexOf(`// ${name}`)))?.[1]

let folder: string
let consumer: string
let installed: string
let packed: readonly string[]

/** Packs a copy, because packing builds, and other tests use the build of this folder meanwhile. */
async function pack(): Promise<string> {
  const copy = path.join(folder, 'copy')
  const isPacked = (file: string) => !NOT_PACKED.has(path.relative(ROOT, file).split(path.sep)[0] ?? '')
  cpSync(ROOT, copy, { recursive: true, filter: isPacked })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  const [result] = JSON.parse(await runCommand(['npm', 'pack', '--json', '--pack-destination', folder], copy))
  packed = result.files.map((file: { path: string }) => file.path)
  return path.join(folder, result.filename)
}

/** A project with the package and its dependencies, and all examples of the documentation. */
async function createConsumer(tarball: string): Promise<void> {
  consumer = path.join(folder, 'consumer')
  const packages = path.join(consumer, 'node_modules')
  installed = path.join(packages, 'parley-chat')
  mkdirSync(packages, { recursive: true })
  await runCommand(['tar', '-xzf', tarball], packages)
  renameSync(path.join(packages, 'package'), installed)
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(packages, name))
  writeFileSync(path.join(consumer, 'package.json'), '{"private": true, "type": "module"}')
  for (const [name, text] of examples) writeFileSync(path.join(consumer, name), text)
}

const runNode = (...args: string[]) => runCommand([NODE ?? '', ...args], consumer)

beforeAll(async () => {
  folder = makeFolder()
  await createConsumer(await pack())
}, TIMEOUT_MS)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the packed files', () => {
  test('include the built filter, its sources, and the licenses of the words', () => {
    const licenses = readdirSync(path.join(ROOT, 'src/filter/words/licenses'))
    expect(licenses.length).toBeGreaterThan(3)
    for (const file of [
      'dist/filter/index.js',
      'dist/filter/index.d.ts',
      'src/filter/index.ts',
      'src/filter/words/README.md',
      ...licenses.map((name) => `src/filter/words/licenses/${name}`),
      'docs/filter-package.md',
      'bin/parley',
      'src/main.ts',
    ])
      expect(packed).toContain(file)
    expect(packed.filter((file) => file.includes('.test.'))).toEqual([])
  })

  test('include the source of each source map', () => {
    const maps = packed.filter((file) => file.startsWith('dist/filter/') && file.endsWith('.js.map'))
    expect(maps.length).toBeGreaterThan(50)
    for (const map of maps) {
      const { sources } = JSON.parse(readFileSync(path.join(installed, map), 'utf8'))
      for (const source of sources)
        expect([source, existsSync(path.join(installed, path.dirname(map), source))]).toEqual([source, true])
    }
  })

  test('still run the server', async () => {
    expect(await runCommand([path.join(installed, 'bin/parley'), 'help'], consumer)).toContain('parley start')
  })
})

describe.skipIf(NODE === null)('the filter in Node', () => {
  test.each(['example.mjs', 'starter.mjs'])('prints what the documentation shows: %s', async (name) => {
    expect(await runNode(name)).toBe(outputOf(name) ?? '')
  })

  test('runs where Map.groupBy is missing', async () => {
    const script = `delete Map.groupBy
      const { compileFilter } = await import('parley-chat/filter')
      const filter = compileFilter({ lists: [{ language: 'en', expressions: ['heck'] }], allowed: [] })
      console.log(filter.clean('heck he^ck, heck and h*ck', 'en').text)`
    expect(await runNode('--input-type=module', '-e', script)).toBe('**** *****, **** and ****\n')
  })

  test('exports the filter, the starter lists and the API description, and nothing internal', async () => {
    const resolve = (name: string) =>
      runNode('--input-type=module', '-e', `console.log(import.meta.resolve('parley-chat/${name}'))`)
    for (const name of ['filter', 'starters/ko.txt', 'docs/openapi.json', 'package.json'])
      expect(existsSync(new URL((await resolve(name)).trim()))).toBe(true)
    await expect(resolve('dist/filter/filter.js')).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
    const names = await runNode(
      '--input-type=module',
      '-e',
      `console.log(Object.keys(await import('parley-chat/filter')).join())`,
    )
    expect(names.trim()).toBe('Filter,ListFilter,buffersOf,compileExceptions,compileFilter,compileList')
  })
})

test(
  'the filter has types for Node and bundler module resolution',
  async () => {
    writeFileSync(
      path.join(consumer, 'game.ts'),
      `import { type CleanText, type CompiledList, compileFilter, compileList, Filter, type FilterSource, type Hit,
        type List, ListFilter, type LoadedList, type RuleName } from 'parley-chat/filter'
      const list: List = { language: 'en', expressions: ['heck'] }
      const source: FilterSource = { lists: [list], allowed: [] }
      const { text, hits }: CleanText = compileFilter(source).clean('heck', 'en')
      const compiled: CompiledList = compileList(list)
      const loaded: LoadedList = { ...list, compiled }
      export const found: readonly Hit[] = new Filter([new ListFilter(loaded)], []).find(text, 'en')
      export const rules: RuleName[] = hits.map(({ rule }) => rule)
      `,
    )
    writeFileSync(
      path.join(consumer, 'mistake.ts'),
      `import { compileFilter } from 'parley-chat/filter'
      compileFilter({ lists: [], allowed: [] }).clean(1, 'en')
      `,
    )
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc')
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022', '--types', '']
    for (const module of [
      ['--module', 'nodenext'],
      ['--module', 'preserve', '--moduleResolution', 'bundler'],
    ]) {
      const check = (file: string) => runCommand([tsc, ...options, ...module, file], consumer)
      await check('game.ts')
      await expect(check('mistake.ts')).rejects.toThrow(
        "Argument of type 'number' is not assignable to parameter of type 'string'",
      )
    }
  },
  TIMEOUT_MS,
)

describe('the filter in a page', () => {
  const command = /```sh\nnpx (bun build [^`]+)```/.exec(documentation)?.[1] ?? ''

  beforeAll(async () => {
    await runCommand(['sh', '-euc', `node_modules/.bin/${command}`], consumer)
  }, TIMEOUT_MS)

  test('is bundled without dictionaries if only the worker compiles', () => {
    const sizeOf = (name: string) => Bun.file(path.join(consumer, 'public', name)).size
    expect(sizeOf('page.js')).toBeLessThan(200_000)
    expect(sizeOf('worker.js')).toBeGreaterThan(1_000_000)
  })

  test.skipIf(NODE === null)('keeps what older browsers need when it is bundled', async () => {
    await runCommand(
      ['node_modules/.bin/bun', 'build', 'example.mjs', '--minify', '--outdir', 'public'],
      consumer,
    )
    const script = `delete Map.groupBy; await import('./public/example.js')`
    expect(await runNode('--input-type=module', '-e', script)).toBe(outputOf('example.mjs') ?? '')
  })

  test.skipIf(CHROMIUM === undefined).each([
    ['public/index.html', 'Oh ****, a **. What the heck!'],
    ['unbundled.html', 'Oh ****!'],
  ])(
    'masks a text in a browser: %s',
    async (name, text) => {
      await using server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: ({ url }) => new Response(Bun.file(path.join(consumer, new URL(url).pathname))),
      })
      await using page = await BrowserPage.open(CHROMIUM ?? '', new URL(name, server.url).href)
      await page.until(`document.querySelector('output').textContent !== ''`)
      expect(await page.evaluate(`document.querySelector('output').textContent`)).toBe(text)
      expect(page.problems).toEqual([])
    },
    TIMEOUT_MS,
  )
})
