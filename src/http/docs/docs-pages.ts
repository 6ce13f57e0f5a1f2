import path from 'node:path'
import { fileURLToPath } from 'node:url'
import viewer from 'swagger-ui-dist/package.json' with { type: 'json' }
import { version } from '../../../package.json' with { type: 'json' }
import type { CompressedVariants } from '../compression.ts'
import { JSON_TYPE } from '../errors.ts'
import { createOpenApi } from '../openapi/document.ts'
import { BASE_PATH, type Operation } from '../operation.ts'
import { assetPage } from '../pages/asset.ts'
import type { Page, Pages } from '../pages/page.ts'

const VIEWER_FOLDER = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const START_SCRIPT = fileURLToPath(new URL('start.js', import.meta.url))

const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }
/** No inline code and no other origins. `data:` is for the icons in the viewer's style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Parley management API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/${viewer.version}/swagger-ui.css">
</head>
<body>
<div id="viewer"></div>
<noscript>This page needs JavaScript. Without it, read <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/${viewer.version}/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** The OpenAPI document and its viewer. Both are public. */
export function createDocsPages(operations: readonly Operation[]): Pages {
  const document = once(() => JSON.stringify(createOpenApi(operations, version), undefined, 2))
  const variants: CompressedVariants = new Map()
  const viewerFile = (name: string, type: string) =>
    assetPage({ file: path.join(VIEWER_FOLDER, name), type, isVersioned: true })
  return new Map<string, Page>([
    [
      `${BASE_PATH}/openapi.json`,
      () => ({ status: 200, body: document(), headers: { ...HEADERS, 'Content-Type': JSON_TYPE }, variants }),
    ],
    [`${BASE_PATH}/docs`, () => ({ status: 200, body: PAGE, headers: PAGE_HEADERS })],
    [
      `${BASE_PATH}/docs/start.js`,
      assetPage({ file: START_SCRIPT, type: JAVASCRIPT_TYPE, isVersioned: false }),
    ],
    [
      `${BASE_PATH}/docs/${viewer.version}/swagger-ui-bundle.js`,
      viewerFile('swagger-ui-bundle.js', JAVASCRIPT_TYPE),
    ],
    [
      `${BASE_PATH}/docs/${viewer.version}/swagger-ui.css`,
      viewerFile('swagger-ui.css', 'text/css; charset=utf-8'),
    ],
  ])
}

const JAVASCRIPT_TYPE = 'text/javascript; charset=utf-8'
const PAGE_HEADERS = {
  ...HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
}

function once(render: () => string): () => string {
  let rendered: string | undefined
  return () => {
    rendered ??= render()
    return rendered
  }
}
