import { expect, test } from 'bun:test'
import { compile, compileFilter } from '../compile/compile.ts'
import { LanguageScopes } from './language-scopes.ts'

/** `aa`, `ab`, … */
const codeOf = (index: number) =>
  String.fromCharCode(97 + Math.floor(index / 26)) + String.fromCharCode(97 + (index % 26))

const wordOf = (language: number, word: number) => `q${codeOf(language)}${codeOf(word % 600)}${word}z`

test('applies only the lists of the language when many languages alternate', () => {
  const languages = Array.from({ length: 200 }, (_, index) => codeOf(index))
  const filter = compileFilter({
    lists: [
      { language: 'all', expressions: ['everywhere'] },
      ...languages.map((language) => ({ language, expressions: [`bad${language}`] })),
    ],
    allowed: languages.map((language) => ({ language, expressions: [`everywhere but ${language}`] })),
  })
  for (const [index, language] of [...languages, ...languages].entries()) {
    const other = languages[(index + 7) % languages.length]
    expect(filter.clean(`bad${language} bad${other} everywhere but ${language}`, language).text).toBe(
      `***** bad${other} everywhere but ${language}`,
    )
    expect(filter.clean(`everywhere but ${other}`, language).text).toBe(`********** but ${other}`)
  }
})

test('stays cheap when more languages alternate than are cached', () => {
  const languages = Array.from({ length: 100 }, (_, index) => codeOf(index))
  const filter = compileFilter({
    lists: languages.map((language, at) => ({
      language,
      expressions: Array.from({ length: 1000 }, (_, word) => wordOf(at, word)),
    })),
    allowed: [],
  })
  const sayAll = () => {
    for (const language of languages) filter.clean('hello there, how are you?', language)
  }
  sayAll()
  const before = process.cpuUsage()
  for (let round = 0; round < 100; round++) sayAll()
  // 10,000 messages, some 20 ms. Building a table for each of them takes seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
})

test('resolves a language code of any length and number of subtags quickly', () => {
  const filter = compileFilter({
    lists: [
      { language: 'en', expressions: ['bad'] },
      { language: 'en-a', expressions: ['worse'] },
    ],
    allowed: [],
  })
  const before = process.cpuUsage()
  for (let round = 0; round < 100; round++) {
    const language = `en${'-a'.repeat(8000)}-${round}`
    expect(filter.clean('bad worse', language).text).toBe('*** *****')
  }
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})

test('has tables for 32 languages and one shared by all others', () => {
  const languages = Array.from({ length: 100 }, (_, index) => codeOf(index))
  const lists = languages.map((language) => ({ language, expressions: [`bad${language}`] }))
  const scopes = new LanguageScopes(compile({ lists, allowed: [] }), languages)
  expect(new Set(languages.map((language) => scopes.of(language).followers)).size).toBe(33)
})
