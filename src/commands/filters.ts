import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ListEntry, ManagementClient } from './management-client.ts'

/** What `parley filters` is asked to do. */
export interface FiltersOptions {
  readonly starter: string | undefined
  readonly file: string | undefined
  readonly language: string | undefined
  readonly replace: boolean
  readonly dryRun: boolean
}

const STARTERS = fileURLToPath(new URL('../../starters/', import.meta.url))
const SUFFIX = '.txt'
const EVERY_STARTER = 'all'
/** Others may write while a list is put together from what is there. */
const ATTEMPTS = 5

const count = (number: number) => number.toLocaleString('en')

export function listStarters(print: (line: string) => void): void {
  for (const { language, filters } of starterNames().map(readStarter))
    print(`${language.padEnd(8)} ${count(filters.length).padStart(6)} expressions`)
  print(`Sources and licences: ${path.join(STARTERS, 'README.md')}`)
}

/** Adds the named lists to those of the server, or puts them in their place. */
export async function importLists(
  options: FiltersOptions,
  management: ManagementClient,
  print: (line: string) => void,
): Promise<void> {
  for (const entry of readWanted(options)) print(await importList(entry, options, management))
}

async function importList(
  wanted: ListEntry,
  options: FiltersOptions,
  management: ManagementClient,
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { etag, lists } = await management.profanityLists()
    const there = lists.find(({ language }) => keyOf(language) === keyOf(wanted.language))
    const next = options.replace || there === undefined ? wanted : merge(there, wanted)
    if (options.dryRun || isSame(there, next)) return describe({ wanted, there, next }, options.dryRun)
    if (await management.putList(next, etag)) return describe({ wanted, there, next }, false)
  }
  throw new Error(`${wanted.language}: someone else keeps writing the lists. Nothing was changed; try again.`)
}

function describe(
  { wanted, there, next }: { wanted: ListEntry; there: ListEntry | undefined; next: ListEntry },
  isDryRun: boolean,
): string {
  const before = new Set(there?.filters)
  const after = new Set(next.filters)
  const added = after.difference(before).size
  const removed = before.difference(after).size
  const parts = [
    `${count(wanted.filters.length)} read`,
    `${count(added)} new`,
    ...(removed > 0 ? [`${count(removed)} removed`] : []),
    `${count(next.filters.length)} ${isDryRun ? 'would be in the list' : 'in the list'}`,
  ]
  return `${next.language}: ${parts.join(', ')}`
}

/** What is there stays as it is, in its order. */
function merge({ language, filters }: ListEntry, wanted: ListEntry): ListEntry {
  const known = new Set(filters)
  return { language, filters: [...filters, ...wanted.filters.filter((each) => !known.has(each))] }
}

const keyOf = (language: string) => language.toLowerCase().replaceAll('_', '-')

const isSame = (there: ListEntry | undefined, next: ListEntry) =>
  there !== undefined &&
  there.language === next.language &&
  JSON.stringify(there.filters) === JSON.stringify(next.filters)

function readWanted({ starter, file, language }: FiltersOptions): ListEntry[] {
  if ((starter === undefined) === (file === undefined))
    throw new Error('Name what to import: --starter NAME, or --file LIST.txt with --language CODE.')
  if (starter !== undefined) return namedStarters(starter).map(readStarter)
  if (language === undefined) throw new Error('Name the language of the file: --language CODE, or all.')
  return [{ language, filters: readList(file ?? '') }]
}

const starterNames = () =>
  readdirSync(STARTERS)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort()

function namedStarters(wanted: string): string[] {
  const names = starterNames()
  if (wanted === EVERY_STARTER) return names
  return wanted.split(',').map((each) => {
    const found = names.find((name) => keyOf(name) === keyOf(each.trim()))
    if (found === undefined)
      throw new Error(`There is no starter list "${each.trim()}"; there are ${names.join(', ')}, and all.`)
    return found
  })
}

const readStarter = (name: string): ListEntry => ({
  language: name,
  filters: readList(path.join(STARTERS, `${name}${SUFFIX}`)),
})

/** One expression a line. */
function readList(file: string): string[] {
  if (!existsSync(file)) throw new Error(`${file} does not exist.`)
  const lines = decode(file).split(/\r?\n/)
  const expressions = lines.map((line) => line.trim()).filter((line) => line !== '')
  if (expressions.length === 0) throw new Error(`${file} holds no expression. It must have one per line.`)
  return [...new Set(expressions)]
}

function decode(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (thrown) {
    throw new Error(`${file} is not valid UTF-8.`, { cause: thrown })
  }
}
