import { describe, expect, test } from 'bun:test'
import { readConfig } from '../config.ts'
import { parse } from './body/parse.ts'
import { createFilterInputs } from './filters/schemas.ts'

const { limits } = readConfig({ flags: {}, env: {} })
const inputs = createFilterInputs({ ...limits, expressionsPerLanguage: 10 })

/** An array that counts how many of its elements are read. */
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

const refusalOf = (filters: unknown) => {
  try {
    parse(inputs.list, { language: 'en', filters })
    return undefined
  } catch (thrown) {
    return thrown
  }
}

describe('an array of strings', () => {
  test('is refused at its first element that is no string', () => {
    const { array, read } = counted(['a', 0, 0, 0, 0, 0])
    expect(refusalOf(array)).toMatchObject({ kind: 'not-strings', property: 'filters' })
    expect(read.elements).toBe(2)
  })

  test('is refused at its first element that has an invalid value', () => {
    const { array, read } = counted(['a', '', 'b', '', 'c'])
    expect(refusalOf(array)).toMatchObject({ kind: 'invalid', property: 'filters' })
    expect(read.elements).toBe(array.length + 2)
  })

  test('that is too long is not read to its end', () => {
    const { array, read } = counted(Array(100_000).fill('a'))
    expect(refusalOf(array)).toMatchObject({ kind: 'too-long', property: 'filters' })
    expect(read.elements).toBe(11)
  })

  test('has its types judged before its count, and its count before its values', () => {
    expect(refusalOf(Array(11).fill(0))).toMatchObject({ kind: 'not-strings' })
    expect(refusalOf(Array(11).fill(''))).toMatchObject({ kind: 'too-long' })
    expect(refusalOf([...Array(10).fill('a')])).toBeUndefined()
  })

  test('is required like any other property', () => {
    expect(refusalOf(undefined)).toMatchObject({ kind: 'missing', property: 'filters' })
    expect(refusalOf(null)).toMatchObject({ kind: 'missing', property: 'filters' })
  })
})
