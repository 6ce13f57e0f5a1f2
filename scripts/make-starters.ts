/**
 * `bun scripts/make-starters.ts FOLDER`: regenerates the lists in starters/ from copies of their sources in FOLDER
 * (`ldnoobw/` and `korean_bad_words/`) and the reviewed changes in scripts/starters/changes/. The same sources produce
 * the same files. Fails if a change no longer applies.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { applyChanges, readChanges } from './starters/changes.ts'

const STARTERS = path.join(import.meta.dir, '..', 'starters')
const OTHER_FILES = new Set(['LICENSE', 'SOURCE.txt'])
/** For file names that are not language codes of the API. */
const LANGUAGES: Readonly<Record<string, string>> = { 'fr-CA-u-sd-caqc': 'fr-CA' }
/** An expression of only digits and punctuation would mask prices and times. */
const HAS_MEANING = /[\p{L}\p{Extended_Pictographic}]/u

const [folder] = process.argv.slice(2)
if (folder === undefined)
  throw new Error('Specify the folder of the sources: bun scripts/make-starters.ts FOLDER')

const read = (...names: string[]) => readFileSync(path.join(folder, ...names), 'utf8').split('\n')

const lists = new Map<string, string[]>()
for (const name of readdirSync(path.join(folder, 'ldnoobw')).sort()) {
  if (!OTHER_FILES.has(name)) lists.set(LANGUAGES[name] ?? name, read('ldnoobw', name))
}
lists.set('ko', [...(lists.get('ko') ?? []), ...read('korean_bad_words', 'korean-bad-words.md')])

const clean = (lines: readonly string[]) => {
  const expressions = lines.map((line) => line.replaceAll(/\p{Cc}/gu, '').trim())
  return [...new Set(expressions.filter((expression) => HAS_MEANING.test(expression)))]
}

mkdirSync(path.join(STARTERS, 'licenses'), { recursive: true })
for (const [language, lines] of lists) {
  const changes = readChanges(language)
  const expressions = applyChanges(clean(lines), changes)
  writeFileSync(path.join(STARTERS, `${language}.txt`), `${expressions.join('\n')}\n`)
  console.log(`${language}: ${expressions.length}, ${changes.length} changes`)
}
for (const [source, license] of [
  ['ldnoobw', 'CC-BY-4.0.txt'],
  ['korean_bad_words', 'MIT-korean-bad-words.txt'],
] as const)
  writeFileSync(path.join(STARTERS, 'licenses', license), readFileSync(path.join(folder, source, 'LICENSE')))
