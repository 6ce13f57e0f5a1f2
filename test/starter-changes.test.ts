import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { applyChanges, type Change, readChanges } from '../scripts/starters/changes.ts'

const reason = 'everyday sense'
const remove = (from: string): Change => ({ from, to: undefined, reason })
const replace = (from: string, to: string): Change => ({ from, to, reason })
const add = (to: string): Change => ({ from: undefined, to, reason })

describe('changes of a starter list', () => {
  test('remove, replace in place and add at the end', () => {
    expect(applyChanges(['a', 'b', 'c'], [remove('a'), replace('b', 'b!'), add('d')])).toEqual([
      'b!',
      'c',
      'd',
    ])
  })

  test('must apply to the source', () => {
    expect(() => applyChanges(['a'], [remove('a'), remove('x'), replace('y', 'z')])).toThrow(
      'Not in the list: x, y',
    )
    expect(() => applyChanges(['a', 'b'], [replace('a', 'b'), add('a')])).toThrow('Already in the list: b, a')
  })

  test('have a reason, and name each expression once', () => {
    const files = readdirSync(path.join(import.meta.dir, '../scripts/starters/changes'))
    expect(files.length).toBeGreaterThan(20)
    for (const language of files.map((name) => path.basename(name, '.txt'))) {
      const changes = readChanges(language)
      expect(changes.filter((change) => change.reason.trim() === '')).toEqual([])
      const changed = changes.map(({ from, to }) => from ?? to)
      expect(changed.filter((each, index) => changed.indexOf(each) !== index)).toEqual([])
    }
  })
})
