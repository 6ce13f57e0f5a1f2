/** Sixteen bytes in base64. */
const KEY = /^[A-Za-z\d+/]{22}==$/

/** The header that keeps a request from being a WebSocket handshake, undefined when there is none. */
export function findHandshakeError({ method, headers }: Request): string | undefined {
  const protocols = headers.get('upgrade')?.split(',') ?? []
  const isWebSocket = protocols.some((each) => each.trim().toLowerCase() === 'websocket')
  if (method !== 'GET' || !isWebSocket) return 'Upgrade'
  if (!KEY.test(headers.get('sec-websocket-key') ?? '')) return 'Sec-WebSocket-Key'
  return headers.get('sec-websocket-version') === '13' ? undefined : 'Sec-WebSocket-Version'
}
