import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PageAnswer, PageRequest } from './pages.ts'

export interface AssetOptions {
  readonly file: string
  readonly type: string
  /** Whether its path changes with its content, so that a browser need not ask again. */
  readonly isVersioned: boolean
}

interface Loaded {
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly compressed: Uint8Array<ArrayBuffer>
}

const compress = promisify(gzip)

/** A file as a page: read and compressed when it is first asked for, then kept. */
export class Asset {
  readonly #options: AssetOptions
  #loading: Promise<Loaded> | undefined

  constructor(options: AssetOptions) {
    this.#options = options
  }

  async answer({ header }: PageRequest): Promise<PageAnswer> {
    this.#loading ??= load(this.#options.file)
    const { etag, plain, compressed } = await this.#loading
    const headers = {
      'Content-Type': this.#options.type,
      'Cache-Control': this.#options.isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ETag: etag,
    }
    if (header('if-none-match')?.includes(etag)) return { status: 304, body: null, headers }
    return acceptsGzip(header('accept-encoding'))
      ? { status: 200, body: compressed, headers: { ...headers, 'Content-Encoding': 'gzip' } }
      : { status: 200, body: plain, headers }
  }
}

async function load(file: string): Promise<Loaded> {
  const plain = new Uint8Array(await readFile(file))
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // Weak: it names the content, whether compressed or not.
  return { etag: `W/"${digest}"`, plain, compressed: new Uint8Array(await compress(plain)) }
}

const acceptsGzip = (accepted: string | null) =>
  accepted !== null && /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted)
