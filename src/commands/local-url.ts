const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The URL of a server on this machine; a wildcard address becomes loopback. */
export function localUrl({ host, port }: { readonly host: string; readonly port: number }): URL {
  const address = LOOPBACK[host] ?? host
  return new URL(`http://${address.includes(':') ? `[${address}]` : address}:${port}`)
}
