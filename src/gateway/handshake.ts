/** 16 bytes in base64. */
const KEY = /^[A-Za-z\d+/]{22}==$/

/** Returns the name of the header that makes the WebSocket handshake invalid, or undefined if it is valid. */
export function findHandshakeError({ method, headers }: Request): string | undefined {
  const protocols = headers.get('upgrade')?.split(',') ?? []
  const isWebSocket = protocols.some((each) => each.trim().toLowerCase() === 'websocket')
  if (method !== 'GET' || !isWebSocket) return 'Upgrade'
  if (!KEY.test(headers.get('sec-websocket-key') ?? '')) return 'Sec-WebSocket-Key'
  return headers.get('sec-websocket-version') === '13' ? undefined : 'Sec-WebSocket-Version'
}
