const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where a server that listens there answers from this machine. */
export function localUrl({ host, port }: { readonly host: string; readonly port: number }): URL {
  const address = LOOPBACK[host] ?? host
  return new URL(`http://${address.includes(':') ? `[${address}]` : address}:${port}`)
}
