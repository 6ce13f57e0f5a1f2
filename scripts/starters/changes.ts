import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.join(import.meta.dir, 'changes')
const SEPARATOR = ' | '
const ARROW = ' => '

/** A reviewed change of a source list. `from` is removed, `to` takes its place; without `from` it is added at the end. */
export interface Change {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly reason: string
}

/**
 * Reads `changes/LANGUAGE.txt`: `- expression`, `= expression => replacement` or `+ expression`, each with its reason
 * after ` # `, else that of the heading (`## reason`) above it. Several expressions of one line are separated by ` | `.
 */
export function readChanges(language: string): Change[] {
  const file = path.join(FOLDER, `${language}.txt`)
  if (!existsSync(file)) return []
  let heading = ''
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) heading = line.slice('## '.length)
      if (line === '' || line.startsWith('#')) return []
      const [change = '', reason = heading] = line.split(' # ')
      if (reason === '') throw new Error(`${file}: ${line}: no reason`)
      return parseChanges(change, reason)
    })
}

function parseChanges(change: string, reason: string): Change[] {
  const expressions = change.slice('- '.length).split(SEPARATOR)
  if (change.startsWith('- ')) return expressions.map((from) => ({ from, to: undefined, reason }))
  if (change.startsWith('+ ')) return expressions.map((to) => ({ from: undefined, to, reason }))
  const [from, to] = change.slice('= '.length).split(ARROW)
  if (!change.startsWith('= ') || to === undefined) throw new Error(`Cannot parse the change "${change}"`)
  return [{ from, to, reason }]
}

/** Throws if a change does not apply: it names an expression that is missing, or adds one that is present. */
export function applyChanges(expressions: readonly string[], changes: readonly Change[]): string[] {
  const changed = new Map(expressions.map((expression) => [expression, expression]))
  const missing = changes.filter(({ from }) => from !== undefined && !changed.has(from))
  const repeated = changes.filter(({ to }) => to !== undefined && changed.has(to))
  if (missing.length > 0) throw new Error(`Not in the list: ${missing.map(({ from }) => from).join(', ')}`)
  if (repeated.length > 0) throw new Error(`Already in the list: ${repeated.map(({ to }) => to).join(', ')}`)
  for (const { from, to } of changes) {
    if (to !== undefined) changed.set(from ?? to, to)
    else if (from !== undefined) changed.delete(from)
  }
  return [...changed.values()]
}
