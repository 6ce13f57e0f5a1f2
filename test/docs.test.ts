import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './support/process.ts'

const documents = ['*.md', '{docs,client,starters,scripts,src,test}/**/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)])
  .filter((file) => !file.includes('node_modules'))
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

/** Paths from the root of the repository; `*`, `{a,b}` and `<name>` stand for several. */
const PATHS = /(?<![\w./-])(?:src|test|docs|bench|scripts|client|starters|packaging)\/[\w./*<>{},-]*/g

/** Whether the path exists, in the repository or in the folder of the document. */
function exists(named: string, document: string): boolean {
  const pattern = named.replace(/[.,]+$/, '').replaceAll(/<\w+>/g, '*')
  const folders = [ROOT, path.join(ROOT, path.dirname(document))]
  if (!/[*{]/.test(pattern)) return folders.some((folder) => existsSync(path.join(folder, pattern)))
  return expandBraces(pattern).every((each) => new Bun.Glob(each).scanSync(ROOT).next().done === false)
}

function expandBraces(pattern: string): string[] {
  const [whole, names] = /\{([^}]*)\}/.exec(pattern) ?? []
  if (whole === undefined || names === undefined) return [pattern]
  return names.split(',').flatMap((name) => expandBraces(pattern.replace(whole, name)))
}

const brokenIn = (find: (text: string) => string[], isThere: (target: string, file: string) => boolean) =>
  documents.flatMap((file) =>
    find(read(file))
      .filter((target) => !isThere(target, file))
      .map((target) => `${file} names ${target}`),
  )

/** Headings as GitHub turns them into fragments, and explicit anchors. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)])
}

describe('the documentation', () => {
  test('matches the code it is generated from', async () => {
    const child = Bun.spawn([process.execPath, 'scripts/docs.ts', '--check'], {
      cwd: ROOT,
      stderr: 'pipe',
      stdout: 'ignore',
    })
    expect({ code: await child.exited, problem: await child.stderr.text() }).toEqual({ code: 0, problem: '' })
  })

  test('links only to files that exist', () => {
    const links = (text: string) =>
      [...text.matchAll(/\]\(([^)#:\s]+)(#[^)]*)?\)/g)].map(([, link = '']) => link)
    const broken = brokenIn(links, (link, file) => existsSync(path.join(ROOT, path.dirname(file), link)))
    expect(broken).toEqual([])
  })

  test('links only to headings that exist', () => {
    const links = (text: string) =>
      [...text.matchAll(/\]\(((?:[^)#:\s]+\.md)?#[^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = brokenIn(links, (link, file) => {
      const [target = '', anchor = ''] = link.split('#')
      const full = target === '' ? file : path.join(path.dirname(file), target)
      return existsSync(path.join(ROOT, full)) && anchorsOf(read(full)).has(anchor)
    })
    expect(broken).toEqual([])
  })

  test('names only paths that exist', () => {
    expect(documents.length).toBeGreaterThan(30)
    expect(brokenIn((text) => text.match(PATHS) ?? [], exists)).toEqual([])
  })
})
