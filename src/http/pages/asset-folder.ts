import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { errorResponse, RequestError } from '../errors.ts'
import { assetPage } from './asset.ts'
import type { Page, PageResponse } from './page.ts'

export interface AssetFolderOptions {
  /** The path below which the folder is served, such as `/dashboard/`. */
  readonly prefix: string
  readonly folder: string
  /** Headers of every file, such as a content security policy. */
  readonly headers?: Readonly<Record<string, string>>
}

const INDEX = 'index.html'

/** `chunk-1a2b3c4d.js`: a bundler writes the hash of the content into the name. */
const HASHED_NAME = /[-.][A-Za-z0-9]{8,}\.\w+$/

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * Serves the files of a single-page application. Any other path without a file extension is a route of the application and
 * gets `index.html`; a missing file gets 404, so that a browser never takes HTML for a script. The folder is listed once,
 * now: no request can reach another file, and files that are added later are not served.
 */
export async function createAssetFolder({ prefix, folder, headers }: AssetFolderOptions): Promise<Page> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const pages = new Map(
    files.map((file) => [
      path.relative(folder, file).split(path.sep).join('/'),
      assetPage({
        file,
        type: TYPES[path.extname(file)] ?? 'application/octet-stream',
        isVersioned: HASHED_NAME.test(file),
        ...(headers && { headers }),
      }),
    ]),
  )
  const index = pages.get(INDEX)
  if (index === undefined) throw new Error(`${folder} has no ${INDEX}.`)
  return (request) => {
    const name = request.path.slice(prefix.length)
    const page = pages.get(name) ?? (path.posix.extname(name) === '' ? index : undefined)
    return page === undefined ? notFound() : page(request)
  }
}

function notFound(): PageResponse {
  const { headers, ...response } = errorResponse(new RequestError('path-not-found'))
  return { ...response, headers: Object.fromEntries(headers) }
}
