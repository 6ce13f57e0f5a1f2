/** The body of a streamed response. Pulled as the client reads, so it must produce chunks on demand. */
export type ChunkSource = AsyncIterable<string | Uint8Array>

export interface StreamHooks {
  readonly onError: (thrown: unknown) => void
  /** Called once: at the end, after an error, or when the client leaves. */
  readonly onEnd?: () => void
}

const ENCODER = new TextEncoder()

/**
 * Converts a source into a stream that reads one chunk at a time: backpressure reaches the source. When the client
 * disconnects, the source's iterator is returned. An error aborts the connection, so the client cannot take the part
 * it received for the whole.
 */
export function toStream(
  source: ChunkSource,
  { onError, onEnd }: StreamHooks,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = source[Symbol.asyncIterator]()
  let isEnded = false
  const end = () => {
    if (!isEnded) onEnd?.()
    isEnded = true
  }
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next()
          // The client left meanwhile, which has closed the controller.
          if (isEnded) return
          if (!done) return controller.enqueue(toBytes(value))
          end()
          controller.close()
        } catch (thrown) {
          end()
          onError(thrown)
          // Bun would print an error given here to stderr, between the lines of the log.
          controller.error()
        }
      },
      async cancel() {
        end()
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

const toBytes = (chunk: string | Uint8Array) =>
  typeof chunk === 'string' ? ENCODER.encode(chunk) : new Uint8Array(chunk)
