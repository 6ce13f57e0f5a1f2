import { describe, expect, test } from 'bun:test'
import { readConfig } from '../config.ts'
import { parse } from './body/parse.ts'
import { createFilterInputs } from './filters/schemas.ts'

const { limits } = readConfig({ flags: {}, env: {} })
const inputs = createFilterInputs({ ...limits, expressionsPerLanguage: 10 })

/** Counts the reads of an array's elements. */
function counted(elements: readonly unknown[]) {
  const read = { elements: 0 }
  const array = new Proxy(elements, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) read.elements++
      return Reflect.get(target, name)
    },
  })
  return { array, read }
}

const errorOf = (filters: unknown) => {
  try {
    parse(inputs.list, { language: 'en', filters })
    return undefined
  } catch (thrown) {
    return thrown
  }
}

describe('an array of strings', () => {
  test('is rejected at the first element that is not a string', () => {
    const { array, read } = counted(['a', 0, 0, 0, 0, 0])
    expect(errorOf(array)).toMatchObject({ kind: 'not-strings', property: 'filters' })
    expect(read.elements).toBe(2)
  })

  test('is rejected at the first element with an invalid value', () => {
    const { array, read } = counted(['a', '', 'b', '', 'c'])
    expect(errorOf(array)).toMatchObject({ kind: 'invalid', property: 'filters' })
    expect(read.elements).toBe(array.length + 2)
  })

  test('is not read to its end if it is too long', () => {
    const { array, read } = counted(Array(100_000).fill('a'))
    expect(errorOf(array)).toMatchObject({ kind: 'too-long', property: 'filters' })
    expect(read.elements).toBe(11)
  })

  test('has its types checked before its length, and its length before its values', () => {
    expect(errorOf(Array(11).fill(0))).toMatchObject({ kind: 'not-strings' })
    expect(errorOf(Array(11).fill(''))).toMatchObject({ kind: 'too-long' })
    expect(errorOf([...Array(10).fill('a')])).toBeUndefined()
  })

  test('is required like any other property', () => {
    expect(errorOf(undefined)).toMatchObject({ kind: 'missing', property: 'filters' })
    expect(errorOf(null)).toMatchObject({ kind: 'missing', property: 'filters' })
  })
})
