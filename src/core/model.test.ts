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
])('whether what is said in %s goes through the list %s: %p', (spoken, language, isUsed) => {
  expect(listApplies(spoken, { language })).toBe(isUsed)
})
