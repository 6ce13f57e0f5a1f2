import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { type ChunkSource, type StreamHooks, toStream } from './streams/stream.ts'

const compressGzip = promisify(gzip)
const compressZstd = promisify(zstdCompress)

/** Content codings, preferred first. All of them run in the thread pool. */
const CODINGS = {
  zstd: (bytes: Uint8Array) => compressZstd(bytes),
  gzip: (bytes: Uint8Array) => compressGzip(bytes, { level: constants.Z_DEFAULT_COMPRESSION }),
} as const satisfies Record<string, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>

export type Coding = keyof typeof CODINGS
const NAMES = Object.keys(CODINGS) as readonly Coding[]

/** The compressed variants of a body that is sent repeatedly, cached next to it. */
export type CompressedVariants = Map<Coding, Promise<Uint8Array<ArrayBuffer>>>

/** A shorter body fits into a packet or two either way. */
const MIN_UNITS = 1024
/** More concurrent compressions would only compete for processors: further responses are sent uncompressed. */
const MAX_RUNNING = 8
/** Counted apart, because a slow client holds its stream for long. */
const MAX_STREAMS = 8

/** Images, fonts and media are compressed already. */
const COMPRESSIBLE =
  /^(text\/(?!event-stream)|image\/svg|font\/ttf|application\/(json|javascript|wasm|manifest))/

type Bytes = string | Uint8Array<ArrayBuffer>
export type Body = Bytes | ChunkSource | null

export const isBytes = (body: Bytes | ChunkSource): body is Bytes =>
  typeof body === 'string' || body instanceof Uint8Array

/** The parts of a response that compression needs. */
export interface Encodable {
  readonly headers: Headers
  readonly variants?: CompressedVariants | undefined
  /** Never compressed: the size would leak a secret that is next to text of the caller's choosing. */
  readonly isSecret?: boolean | undefined
}

/** Compresses responses for clients that accept it, where it pays off. */
export class Compressor {
  #running = 0
  #streams = 0

  /** Returns the body to send, and sets the headers of the response to match. */
  encode(request: Request, response: Encodable, body: Bytes | null): Bytes | null | Promise<Bytes> {
    if (body === null || body.length < MIN_UNITS) return body
    const coding = chooseFor(request, response)
    const compressed = coding && this.#compress(body, coding, response.variants)
    return coding && compressed
      ? label(compressed, body, { coding, request, headers: response.headers })
      : body
  }

  /** Compresses a stream whatever its length, which is not known in advance. */
  encodeStream(
    request: Request,
    response: Encodable,
    { source, onError }: { source: ChunkSource; onError: StreamHooks['onError'] },
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const coding = chooseFor(request, response)
    if (coding === undefined || this.#streams >= MAX_STREAMS) return toStream(source, { onError })
    setCoding(response.headers, coding, request)
    // The runtime never reads this stream, but a compressor would.
    if (request.method === 'HEAD') return toStream(source, { onError })
    this.#streams++
    const onEnd = () => {
      this.#streams--
    }
    return toStream(source, { onError, onEnd }).pipeThrough(new CompressionStream(coding))
  }

  #compress(
    body: Bytes,
    coding: Coding,
    variants: CompressedVariants | undefined,
  ): Promise<Uint8Array<ArrayBuffer>> | undefined {
    const cached = variants?.get(coding)
    if (cached !== undefined || this.#running >= MAX_RUNNING) return cached
    this.#running++
    const compressed = CODINGS[coding](typeof body === 'string' ? Buffer.from(body) : body).finally(() => {
      this.#running--
    })
    variants?.set(coding, compressed)
    compressed.catch(() => variants?.delete(coding))
    return compressed
  }
}

async function label(
  compressed: Promise<Uint8Array<ArrayBuffer>>,
  body: Bytes,
  { coding, request, headers }: { coding: Coding; request: Request; headers: Headers },
): Promise<Bytes> {
  try {
    const bytes = await compressed
    setCoding(headers, coding, request)
    return bytes
  } catch {
    // Most likely out of memory. The uncompressed body still works.
    return body
  }
}

function setCoding(headers: Headers, coding: Coding, { method }: Request): void {
  headers.set('Content-Encoding', coding)
  const etag = headers.get('ETag')
  const isRead = method === 'GET' || method === 'HEAD'
  if (etag?.startsWith('"') && isRead) headers.set('ETag', codedEtag(etag, coding))
}

/** HTTP requires strong entity tags to differ between codings: `"7"`, `"7-gzip"`. */
const codedEtag = (etag: string, coding: Coding) => `${etag.slice(0, -1)}-${coding}"`

/** Sets `Vary` where the coding depends on the request. */
function chooseFor(request: Request, { headers, isSecret }: Encodable): Coding | undefined {
  const type = headers.get('Content-Type') ?? ''
  if (isSecret || headers.has('Content-Encoding') || !COMPRESSIBLE.test(type)) return undefined
  headers.set('Vary', 'Accept-Encoding')
  return chooseCoding(request.headers.get('accept-encoding'))
}

/** Clients send far shorter headers; parsing more would cost more than compression saves. */
const MAX_HEADER_UNITS = 1024

/** The best coding that the client accepts; undefined if it prefers no coding, or accepts none of these. */
export function chooseCoding(header: string | null): Coding | undefined {
  if (header === null || header.length > MAX_HEADER_UNITS) return undefined
  const weights = new Map(header.toLowerCase().split(',').map(readWeight))
  const weigh = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = NAMES.reduce((one, other) => (weigh(other) > weigh(one) ? other : one))
  const isPreferred = weigh(best) > 0 && weigh(best) >= (weights.get('identity') ?? 0)
  return isPreferred ? best : undefined
}

function readWeight(item: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  if (weight === undefined) return [coding, 1]
  return [coding, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
}
