import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Measurement, ROOT } from '../support.ts'
import { findInstalledWords, readLines, type WordSource } from './innocents/debian.ts'
import { Judgement, type Reason } from './innocents/judgement.ts'
import { toMeasurement } from './rows.ts'
import { compileSubject } from './subject.ts'

const STARTERS = path.join(ROOT, 'starters')
/** Innocent words flagged, per 1,000. */
const GOAL = 0.3
const EXPRESSIONS_SHOWN = 3
const EXAMPLES_SHOWN = 4

export interface InnocentsOptions {
  /** All shipped languages unless given. */
  readonly languages: readonly string[]
  /** Word lists or texts, one for each language; what is installed on the machine unless given. */
  readonly files: readonly string[]
  /** Receives every flagged word. */
  readonly details: string | undefined
}

/** How many innocent words of a language its starter list flags. */
export async function measureInnocents({
  languages,
  files,
  details,
}: InnocentsOptions): Promise<Measurement[]> {
  if (files.length > 0 && files.length !== languages.length)
    throw new Error('Specify one --language for each --words FILE.')
  const selected = languages.length > 0 ? languages : listShipped()
  const counts = selected.map((language, index) => {
    const file = files[index]
    const sources =
      file === undefined ? findInstalledWords(language) : [{ name: file, read: () => readLines(file) }]
    return countFlagged(language, sources)
  })
  if (details !== undefined) writeFileSync(details, counts.map(renderDetails).join('\n'))
  const missing = counts.filter(({ words }) => words === 0).map(({ language }) => language)
  if (missing.length > 0) console.error(`No words found for ${missing.join(', ')}: specify --words FILE.`)
  return counts.filter(({ words }) => words > 0).map(toRow)
}

const listShipped = () =>
  readdirSync(STARTERS)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => path.basename(name, '.txt'))
    .sort()

interface Count {
  readonly language: string
  readonly sources: readonly WordSource[]
  words: number
  /** Hits on words that are listed themselves or reviewed as vulgar. */
  readonly excluded: Record<Reason, string[]>
  /** Flagged innocent words by expression and rule. */
  readonly falseAlarms: Map<string, string[]>
}

function countFlagged(language: string, sources: readonly WordSource[]): Count {
  const expressions = readLines(path.join(STARTERS, `${language}.txt`)).filter((line) => line !== '')
  const filter = compileSubject([{ language, expressions }])
  const judgement = new Judgement(language, expressions)
  const count: Count = {
    language,
    sources,
    words: 0,
    excluded: { listed: [], vulgar: [] },
    falseAlarms: new Map(),
  }
  for (const text of new Set(sources.flatMap((source) => source.read()))) {
    if (!/\p{L}/u.test(text)) continue
    count.words += judgement.countWords(text)
    for (const hit of filter.find(text, language)) {
      const reason = judgement.reasonToExclude(text, hit)
      const word = judgement.wordAround(text, hit)
      if (reason !== undefined) {
        count.excluded[reason].push(word)
        continue
      }
      const cause = `${hit.expression} (${hit.rule})`
      count.falseAlarms.set(cause, [...(count.falseAlarms.get(cause) ?? []), word])
    }
  }
  return count
}

const byFrequency = ({ falseAlarms }: Count) => [...falseAlarms].sort(([, a], [, b]) => b.length - a.length)

const countFalseAlarms = ({ falseAlarms }: Count) =>
  [...falseAlarms.values()].reduce((sum, words) => sum + words.length, 0)

function toRow(count: Count): Measurement {
  const { language, sources, words, excluded } = count
  const flagged = countFalseAlarms(count)
  const shown = byFrequency(count)
    .slice(0, EXPRESSIONS_SHOWN)
    .map(([cause, found]) => `${cause} ${found.length}: ${examplesOf(found).join(', ')}`)
  return toMeasurement({
    what: `Innocent words flagged: ${language} (${sources.map(({ name }) => name).join(', ')})`,
    parley: `${flagged} of ${words.toLocaleString('en')}; excluded: ${excluded.listed.length} listed, ${excluded.vulgar.length} vulgar`,
    baseline: shown.join('; '),
    figure: (1000 * flagged) / words,
    unit: 'per 1,000',
    goal: { atMost: GOAL },
  })
}

const examplesOf = (words: readonly string[]) =>
  [...new Set(words)].slice(0, EXAMPLES_SHOWN).map((word) => word.replaceAll('|', '\\|'))

function renderDetails(count: Count): string {
  const { language, words, excluded } = count
  const lines = byFrequency(count).map(([cause, found]) => `${cause}: ${listCounted(found)}`)
  const title = `# ${language}: ${countFalseAlarms(count)} of ${words}`
  return [
    title,
    ...lines,
    `listed: ${listCounted(excluded.listed)}`,
    `vulgar: ${listCounted(excluded.vulgar)}`,
    '',
  ].join('\n')
}

function listCounted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.map(([word, times]) => (times === 1 ? word : `${word} (${times})`)).join(', ')
}
