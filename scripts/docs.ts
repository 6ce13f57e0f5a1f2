/**
 * `npm run docs`: regenerates the parts of the documentation that come from the code, between their markers. With
 * `--check`, which the tests run, it writes nothing and fails when a part is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from '../src/config.ts'
import { ERRORS } from '../src/http/errors.ts'
import { createOpenApi } from '../src/http/openapi/document.ts'
import { GUIDE } from '../src/http/openapi/guide.ts'
import { createOperations } from '../src/http/operations.ts'
import { flagOf, settingNames, settingOf, variableOf } from '../src/settings.ts'
import { cell } from './docs/fields.ts'
import { renderOperations } from './docs/operations.ts'

const ROOT = path.join(import.meta.dir, '..')
const operations = createOperations(readConfig({ flags: {}, env: {} }).limits)
const document = createOpenApi(operations, packageJson.version)

function renderSettings(): string {
  const rows = settingNames.map((name) => {
    const { fallback, about, secret } = settingOf(name)
    const shown = name === 'NODE_NAME' ? 'the host name' : fallback === '' ? '' : `\`${fallback}\``
    return `| \`${variableOf(name)}\` | ${secret ? '' : `\`--${flagOf(name)}\``} | ${shown} | ${cell(about)} |`
  })
  return ['| Variable | Flag | Default | |', '|---|---|---|---|', ...rows].join('\n')
}

function renderErrors(): string {
  const rows = Object.values(ERRORS).map(
    ({ code, message }) => `| ${Math.floor(code / 1000)} | ${code} | ${cell(message)} |`,
  )
  return ['| Status | Code | Message |', '|---|---|---|', ...rows].join('\n')
}

const parts: Record<string, Record<string, string>> = {
  'README.md': { settings: renderSettings() },
  'docs/api.md': {
    guide: GUIDE.trimEnd(),
    errors: renderErrors(),
    operations: renderOperations(operations, document),
  },
}

const isCheck = process.argv.includes('--check')
const stale: string[] = []

function put(file: string, content: string): void {
  const full = path.join(ROOT, file)
  const before = readFileSync(full, 'utf8')
  if (before === content) return
  stale.push(file)
  if (!isCheck) writeFileSync(full, content)
}

for (const [file, sections] of Object.entries(parts)) {
  let text = readFileSync(path.join(ROOT, file), 'utf8')
  for (const [name, content] of Object.entries(sections)) {
    const [begin, end] = [`<!-- ${name}: made by "npm run docs" -->`, `<!-- end of ${name} -->`]
    if (!text.includes(begin) || !text.includes(end)) throw new Error(`${file} has no markers for ${name}.`)
    text = `${text.slice(0, text.indexOf(begin) + begin.length)}\n${content}\n${text.slice(text.indexOf(end))}`
  }
  put(file, text)
}
put('docs/openapi.json', `${JSON.stringify(document, undefined, 2)}\n`)

if (isCheck && stale.length > 0) throw new Error(`Out of date, run "npm run docs": ${stale.join(', ')}`)
console.log(stale.length === 0 ? 'The documentation is up to date.' : `Updated: ${stale.join(', ')}`)
