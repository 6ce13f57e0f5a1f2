import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CompressedVariants } from '../compression.ts'
import type { PageRequest, PageResponse } from './page.ts'

export interface AssetOptions {
  readonly file: string
  readonly type: string
  /** Whether its path changes with its content, so that a browser need not ask again. */
  readonly isVersioned: boolean
}

interface Loaded {
  readonly etag: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly variants: CompressedVariants
}

/** A file as a page: read when it is first asked for, then kept with its compressed variants. */
export class Asset {
  readonly #options: AssetOptions
  #loading: Promise<Loaded> | undefined

  constructor(options: AssetOptions) {
    this.#options = options
  }

  async answer({ header }: PageRequest): Promise<PageResponse> {
    this.#loading ??= load(this.#options.file).catch((thrown: unknown) => {
      // The next request tries again.
      this.#loading = undefined
      throw thrown
    })
    const { etag, body, variants } = await this.#loading
    const headers = {
      'Content-Type': this.#options.type,
      'Cache-Control': this.#options.isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ETag: etag,
    }
    if (header('if-none-match')?.includes(etag)) return { status: 304, body: null, headers }
    return { status: 200, body, headers, variants }
  }
}

async function load(file: string): Promise<Loaded> {
  const body = new Uint8Array(await readFile(file))
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  // Weak: it names the content, whether compressed or not.
  return { etag: `W/"${digest}"`, body, variants: new Map() }
}
