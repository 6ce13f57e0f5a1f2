import { describe, expect, test } from 'bun:test'
import type { CompiledList, List } from '../compiled.ts'
import { Filter, ListFilter } from '../filter.ts'
import { buffersOf, compileExceptions, compileFilter, compileList } from './compile.ts'

const source = {
  lists: [
    { language: 'all', expressions: ['bad', 'dumb ass', '!!!', '🖕', 'fuck', 'fucker', '漢字', '𠮷野'] },
    { language: 'ko', expressions: ['시발', 'ㅗ'] },
  ] as const satisfies readonly List[],
  allowed: [{ language: 'all', expressions: ['bad luck'] }],
}
const TEXTS = [
  'bad luck, b a d',
  'f*cked fucking',
  'baaad!!!',
  '시1발 ㅅㅂ ㅗ',
  '🖕𠮷野漢字',
  'DUMB-A$$',
  'fine',
]
const cleanAll = (filter: Filter) => TEXTS.map((text) => filter.clean(text, 'ko'))

const [bad] = source.lists

describe('compiled list', () => {
  test('works the same after a transfer to another thread', () => {
    const move = (list: List, compile: (list: List) => CompiledList) => {
      const compiled = compile(list)
      return new ListFilter({
        ...list,
        compiled: structuredClone(compiled, { transfer: buffersOf(compiled) }),
      })
    }
    const moved = new Filter(
      source.lists.map((list) => move(list, compileList)),
      source.allowed.map((list) => move(list, compileExceptions)),
    )
    expect(cleanAll(moved)).toEqual(cleanAll(compileFilter(source)))
  })

  test('transfers all of its own buffers and no others', () => {
    const compiled = compileList(bad)
    const buffers = buffersOf(compiled)
    structuredClone(compiled, { transfer: buffers })
    expect(buffers.filter(({ detached }) => !detached)).toEqual([])
    expect(cleanAll(compileFilter(source))[0]?.text).toBe('bad luck, *****')
  })

  test('contains no expression text', () => {
    const seen = JSON.stringify(compileList(bad), (_, value: unknown) =>
      ArrayBuffer.isView(value) ? null : value,
    )
    expect(seen).not.toMatch(/bad|fuck|dumb/)
  })

  test('is deterministic', () => {
    expect(compileList(bad)).toEqual(compileList(bad))
  })
})

describe('unusual lists', () => {
  test.each([
    ['no lists', []],
    ['an empty list before another', [{ language: 'aa', expressions: [] }, ...source.lists]],
    ['a list of invisible characters', [{ language: 'aa', expressions: ['\u200b'] }, ...source.lists]],
    ['duplicate lists', [...source.lists, ...source.lists]],
    ['a repeated expression', [{ language: 'all', expressions: Array.from({ length: 500 }, () => 'bad') }]],
  ])('%s', (_, lists) => {
    const filter = compileFilter({ lists, allowed: [] })
    expect(filter.find('bad', 'en')).toHaveLength(lists.length === 0 ? 0 : 1)
    expect(filter.find('fine', 'en')).toEqual([])
  })

  test('expressions named like properties of every object', () => {
    const expressions = [
      'constructor',
      'toString',
      'valueOf',
      '__proto__',
      'hasOwnProperty',
      'then',
      'undefined',
    ]
    const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
    for (const text of expressions)
      expect(filter.find(text, 'en').map(({ expression }) => expression)).toEqual([text])
  })

  test('a hundred thousand expressions', () => {
    const expressions = Array.from({ length: 100_000 }, (_, index) => `w${index.toString(36)}ord`)
    const filter = compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })
    for (const index of [0, 1, 777, 31_337, 99_999])
      expect(filter.find(`a w${index.toString(36)}ord b`, 'en')).not.toEqual([])
    expect(filter.find('a word of no list', 'en')).toEqual([])
  })
})
