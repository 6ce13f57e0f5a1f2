import { version } from '../../package.json' with { type: 'json' }
import { BASE_PATH } from './api.ts'
import { ERRORS, JSON_TYPE } from './errors.ts'
import { createOpenApi } from './openapi.ts'
import { exampleRequest, type Operation } from './operation.ts'
import type { PageAnswer, Pages } from './pages.ts'

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); } h3 { margin: 2.5rem 0 .25rem; }
code, pre { font: .875rem/1.45 ui-monospace, monospace; } pre { overflow: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
nav ul { columns: 18rem 2; padding-left: 1.2rem; } .method { font-weight: 700; } .role { opacity: .75; font-size: .875rem; }
`

const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }
const HTML_HEADERS = {
  ...HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

/** The documents of the API, made when they are first asked for. They need no token. */
export function createDocumentPages(operations: readonly Operation[]): Pages {
  const document = once(() => JSON.stringify(createOpenApi(operations, version), undefined, 2))
  const page = once(() => renderPage(operations))
  return new Map<string, () => PageAnswer>([
    [
      `${BASE_PATH}/openapi.json`,
      () => ({ status: 200, body: document(), headers: { ...HEADERS, 'Content-Type': JSON_TYPE } }),
    ],
    [`${BASE_PATH}/docs`, () => ({ status: 200, body: page(), headers: HTML_HEADERS })],
  ])
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function renderPage(operations: readonly Operation[]): string {
  const byTag = [...Map.groupBy(operations, ({ tag }) => tag)]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley management API</title>
<style>${STYLE}</style>
<h1>Parley management API</h1>
<p>Version ${version}. Base path <code>${BASE_PATH}</code>, also as <a href="openapi.json">OpenAPI 3.1</a>. Every request carries
<code>Authorization: Bearer &lt;MASTER_TOKEN&gt;</code>.</p>
<nav aria-label="Operations"><ul>${operations.map(renderLink).join('')}</ul></nav>
${byTag.map(([tag, rows]) => `<h2>${escapeHtml(tag)}</h2>${rows.map(renderOperation).join('')}`).join('')}
<h2 id="errors">Errors</h2>
<p>An error is always <code>{"message": string, "code": number, "error": true}</code>; the first three digits of the code are the HTTP status.</p>
<table><tr><th>Code<th>Message</tr>${Object.values(ERRORS).map(renderError).join('')}</table>
</html>
`
}

const renderLink = ({ id, summary }: Operation) => `<li><a href="#${id}">${escapeHtml(summary)}</a>`

const renderError = ({ code, message }: { code: number; message: string }) =>
  `<tr><td>${code}<td>${escapeHtml(message)}</tr>`

function renderOperation(row: Operation): string {
  const own = row.refuses.map((kind) => renderError(ERRORS[kind])).join('')
  return `<section>
<h3 id="${row.id}">${escapeHtml(row.summary)}</h3>
<p><code><span class="method">${row.method}</span> ${BASE_PATH}${row.path}</code> <span class="role">${row.role}</span></p>
<p>${escapeHtml(row.description)}</p>
<pre>${escapeHtml(renderCurl(row))}</pre>
<pre>${escapeHtml(JSON.stringify(row.example.output, undefined, 2))}</pre>
${own === '' ? '' : `<table><tr><th>Code<th>Refused with</tr>${own}</table>`}
</section>`
}

/** A command that can be pasted, given CHAT_URL and CHAT_TOKEN. */
export function renderCurl(row: Operation): string {
  const { path, properties } = exampleRequest(row)
  const url = `"$CHAT_URL${BASE_PATH}${path}`
  const headers = `-H "Authorization: Bearer $CHAT_TOKEN"`
  if (row.method === 'GET') {
    const query = new URLSearchParams(properties as Record<string, string>).toString()
    return `curl ${url}${query && `?${query}`}" \\\n  ${headers}`
  }
  const start = `curl -X ${row.method} ${url}" \\\n  ${headers}`
  if (Object.keys(properties).length === 0) return start
  return `${start} -H "Content-Type: application/json; charset=utf8" \\\n  -d '${JSON.stringify(properties)}'`
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
