/**
 * Closing a connection while the peer is still sending resets it, and the peer never sees the response. So the rest of a
 * rejected body is read and discarded before the connection is closed, within these limits.
 */
const MAX_DRAINED_BYTES = 67_108_864
const MAX_SILENCE_MS = 2000

/** A smaller rest arrived with the headers, or the runtime reads it without closing the connection. */
const MIN_DRAINED_BYTES = 65_536

/** Whether the client of a rejected request may still be sending a body that is worth draining. */
export function hasUnreadBody(request: Request, status: number): boolean {
  if (status < 400 || request.method === 'GET' || request.method === 'HEAD') return false
  // A body over the limit was read in part or not at all; any other one was read to its end or not at all.
  if (request.bodyUsed && status !== 413) return false
  const length = request.headers.get('content-length')
  return length === null ? request.headers.has('transfer-encoding') : Number(length) > MIN_DRAINED_BYTES
}

/** Sends the response immediately, drains the request for up to `withinMs`, then closes the connection. */
export function respondAndDrain(
  request: Request,
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: Headers; readonly body: string | Uint8Array },
  withinMs: number,
): Response {
  headers.set('Connection', 'close')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const send = async () => {
    await writer.write(typeof body === 'string' ? new TextEncoder().encode(body) : body)
    await drain(request, performance.now() + withinMs)
    await writer.close()
  }
  // Fails only when the client has disconnected.
  send().catch(() => undefined)
  return new Response(readable, { status, headers })
}

async function drain({ body }: Request, deadline: number): Promise<void> {
  const reader = body?.getReader()
  if (reader === undefined) return
  const stop = () => reader.cancel().catch(() => undefined)
  for (let drained = 0; drained <= MAX_DRAINED_BYTES && performance.now() < deadline; ) {
    const timer = setTimeout(stop, MAX_SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    drained += value.byteLength
  }
}
