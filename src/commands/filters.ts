import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ListEntry, ManagementClient } from './management-client.ts'

export interface ImportOptions {
  readonly starter: string | undefined
  readonly file: string | undefined
  readonly language: string | undefined
  readonly replace: boolean
  readonly dryRun: boolean
}

const STARTERS = fileURLToPath(new URL('../../starters/', import.meta.url))
const SUFFIX = '.txt'
const ALL_STARTERS = 'all'
/** Another client may change the list between reading and writing it. */
const ATTEMPTS = 5

const count = (number: number) => number.toLocaleString('en')

export function listStarters(print: (line: string) => void): void {
  for (const { language, filters } of starterNames().map(readStarter))
    print(`${language.padEnd(8)} ${count(filters.length).padStart(6)} expressions`)
  print(`Sources and licenses: ${path.join(STARTERS, 'README.md')}`)
}

/** Merges the named lists into those of the server, or replaces them. */
export async function importLists(
  options: ImportOptions,
  management: ManagementClient,
  print: (line: string) => void,
): Promise<void> {
  for (const entry of readLists(options)) print(await importList(entry, options, management))
}

async function importList(
  imported: ListEntry,
  options: ImportOptions,
  management: ManagementClient,
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { etag, lists } = await management.profanityLists()
    const current = lists.find(({ language }) => keyOf(language) === keyOf(imported.language))
    const next = options.replace || current === undefined ? imported : merge(current, imported)
    if (options.dryRun || isSame(current, next)) return describe({ imported, current, next }, options.dryRun)
    if (await management.putList(next, etag)) return describe({ imported, current, next }, false)
  }
  throw new Error(
    `${imported.language}: another client keeps changing the lists. Nothing was changed; try again.`,
  )
}

function describe(
  { imported, current, next }: { imported: ListEntry; current: ListEntry | undefined; next: ListEntry },
  isDryRun: boolean,
): string {
  const before = new Set(current?.filters)
  const after = new Set(next.filters)
  const added = after.difference(before).size
  const removed = before.difference(after).size
  const parts = [
    `${count(imported.filters.length)} read`,
    `${count(added)} new`,
    ...(removed > 0 ? [`${count(removed)} removed`] : []),
    `${count(next.filters.length)} ${isDryRun ? 'would be in the list' : 'in the list'}`,
  ]
  return `${next.language}: ${parts.join(', ')}`
}

/** Keeps the existing expressions and their order. */
function merge({ language, filters }: ListEntry, imported: ListEntry): ListEntry {
  const known = new Set(filters)
  return { language, filters: [...filters, ...imported.filters.filter((each) => !known.has(each))] }
}

const keyOf = (language: string) => language.toLowerCase().replaceAll('_', '-')

const isSame = (current: ListEntry | undefined, next: ListEntry) =>
  current !== undefined &&
  current.language === next.language &&
  JSON.stringify(current.filters) === JSON.stringify(next.filters)

function readLists({ starter, file, language }: ImportOptions): ListEntry[] {
  if ((starter === undefined) === (file === undefined))
    throw new Error('Specify a list to import: --starter NAME, or --file LIST.txt with --language CODE.')
  if (starter !== undefined) return namedStarters(starter).map(readStarter)
  if (language === undefined) throw new Error('Specify the language of the file: --language CODE, or all.')
  return [{ language, filters: readList(file ?? '') }]
}

const starterNames = () =>
  readdirSync(STARTERS)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort()

function namedStarters(requested: string): string[] {
  const names = starterNames()
  if (requested === ALL_STARTERS) return names
  return requested.split(',').map((each) => {
    const found = names.find((name) => keyOf(name) === keyOf(each.trim()))
    if (found === undefined)
      throw new Error(`Unknown starter list "${each.trim()}". Available: ${names.join(', ')}, or all.`)
    return found
  })
}

const readStarter = (name: string): ListEntry => ({
  language: name,
  filters: readList(path.join(STARTERS, `${name}${SUFFIX}`)),
})

function readList(file: string): string[] {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`)
  const lines = decode(file).split(/\r?\n/)
  const expressions = lines.map((line) => line.trim()).filter((line) => line !== '')
  if (expressions.length === 0) throw new Error(`${file} contains no expressions. Put one on each line.`)
  return [...new Set(expressions)]
}

function decode(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (thrown) {
    throw new Error(`${file} is not valid UTF-8.`, { cause: thrown })
  }
}
