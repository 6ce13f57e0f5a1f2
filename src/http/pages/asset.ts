import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CompressedVariants } from '../compression.ts'
import type { Page } from './page.ts'

export interface AssetOptions {
  readonly file: string
  readonly type: string
  /** Whether the path changes with the content, so that browsers never have to revalidate. */
  readonly isVersioned: boolean
  readonly headers?: Readonly<Record<string, string>>
}

interface LoadedFile {
  readonly etag: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly variants: CompressedVariants
}

/** Serves a file, which is read on the first request and cached with its compressed variants. */
export function assetPage({ file, type, isVersioned, headers: more }: AssetOptions): Page {
  const load = cached(() => loadFile(file))
  return async ({ header }) => {
    const { etag, body, variants } = await load()
    const headers = {
      'Content-Type': type,
      'Cache-Control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ETag: etag,
      ...more,
    }
    if (header('if-none-match')?.includes(etag)) return { status: 304, body: null, headers }
    return { status: 200, body, headers, variants }
  }
}

/** Loads once. After a failure, the next call tries again. */
function cached<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((thrown: unknown) => {
      loading = undefined
      throw thrown
    })
    return loading
  }
}

async function loadFile(file: string): Promise<LoadedFile> {
  const body = new Uint8Array(await readFile(file))
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  // Weak, because it names the content in any coding.
  return { etag: `W/"${digest}"`, body, variants: new Map() }
}
