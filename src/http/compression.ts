import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

const compressGzip = promisify(gzip)
const compressZstd = promisify(zstdCompress)

/** The codings that an answer may have, the preferred one first. All of them run in the thread pool, off the event loop. */
const CODINGS = {
  zstd: (bytes: Uint8Array) => compressZstd(bytes),
  gzip: (bytes: Uint8Array) => compressGzip(bytes, { level: constants.Z_DEFAULT_COMPRESSION }),
} as const satisfies Record<string, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>

export type Coding = keyof typeof CODINGS
const NAMES = Object.keys(CODINGS) as readonly Coding[]

/** The compressed variants of a body that is sent again and again, kept beside it. */
export type CompressedVariants = Map<Coding, Promise<Uint8Array<ArrayBuffer>>>

/** Shorter bodies fit into a packet or two whatever is saved. */
const MIN_UNITS = 1024
/** More than this at a time would only wait for a processor; the answers beyond it go out as they are. */
const MAX_RUNNING = 8

export type Body = string | Uint8Array<ArrayBuffer> | null

/** What is known of an answer. */
export interface Encodable {
  readonly body: Body
  readonly headers: Headers
  readonly variants?: CompressedVariants | undefined
  /** Never compressed: the size would tell of a secret beside text of the caller's choosing. */
  readonly isSecret?: boolean | undefined
}

/** Compresses answers for callers that ask for it, where it pays. */
export class Compressor {
  #running = 0

  /** The body as it is sent; headers of the answer are set to match. */
  encode(request: Request, answer: Encodable): Body | Promise<Body> {
    const { body, headers } = answer
    if (body === null || body.length < MIN_UNITS || answer.isSecret || headers.has('Content-Encoding'))
      return body
    headers.set('Vary', 'Accept-Encoding')
    const coding = chooseCoding(request.headers.get('accept-encoding'))
    if (coding === undefined) return body
    const compressed = this.#compress(body, coding, answer.variants)
    return compressed === undefined ? body : label(compressed, { coding, request, answer })
  }

  #compress(
    body: string | Uint8Array<ArrayBuffer>,
    coding: Coding,
    variants: CompressedVariants | undefined,
  ): Promise<Uint8Array<ArrayBuffer>> | undefined {
    const kept = variants?.get(coding)
    if (kept !== undefined || this.#running >= MAX_RUNNING) return kept
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
  { coding, request, answer: { body, headers } }: { coding: Coding; request: Request; answer: Encodable },
): Promise<Body> {
  try {
    const bytes = await compressed
    headers.set('Content-Encoding', coding)
    const etag = headers.get('ETag')
    if (etag?.startsWith('"') && isRead(request)) headers.set('ETag', codedEtag(etag, coding))
    return bytes
  } catch {
    // Out of memory, most likely. The body is still there.
    return body
  }
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** A strong tag differs between codings, as HTTP wants it: `"7"`, `"7-gzip"`. */
const codedEtag = (etag: string, coding: Coding) => `${etag.slice(0, -1)}-${coding}"`

/** What clients send is far shorter; reading more would cost more than compressing saves. */
const MAX_HEADER_UNITS = 1024

/** The best coding that the caller accepts; undefined where it prefers the body as it is, or accepts none of ours. */
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
