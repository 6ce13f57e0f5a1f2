import { expect, test } from 'bun:test'
import { listApplies } from './model.ts'

test.each([
  ['ko', 'all', true],
  ['ko', 'ko', true],
  ['ko_KR', 'KO', true],
  ['ko-kr', 'ko_KR', true],
  ['zh-Hant-TW', 'zh-hant', true],
  ['ko', 'ko-kr', false],
  ['kok', 'ko', false],
  ['en', 'ko', false],
  ['all', 'ko', false],
])('messages in %s, list for %s: applies = %p', (messageLanguage, language, applies) => {
  expect(listApplies(messageLanguage, { language })).toBe(applies)
})
