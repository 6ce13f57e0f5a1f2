import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { INNOCENT, VULGAR_SYLLABLES } from './korean.ts'

const STARTER = path.join(import.meta.dir, '..', '..', '..', 'starters', 'ko.txt')
const withoutSpaces = (text: string) => text.replaceAll(' ', '')

describe('innocent Korean phrases', () => {
  test('are distinct, and none is an expression of the starter list', () => {
    const expressions = new Set(readFileSync(STARTER, 'utf8').split('\n').map(withoutSpaces))
    expect(INNOCENT).toEqual([...new Set(INNOCENT)])
    expect(INNOCENT.filter((phrase) => expressions.has(withoutSpaces(phrase)))).toEqual([])
  })

  test('contain no syllable that is vulgar in any word', () => {
    expect(INNOCENT.filter((phrase) => [...phrase].some((each) => VULGAR_SYLLABLES.has(each)))).toEqual([])
  })
})

test('vulgar Korean syllables leave out those of innocent words', () => {
  for (const syllable of '씹젖질좇쌕쉑년놈') expect(VULGAR_SYLLABLES.has(syllable)).toBe(false)
})
