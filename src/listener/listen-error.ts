export interface ListenAddress {
  readonly host: string
  readonly port: number
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another process is using the port. Stop that process, or choose another port with PARLEY_PORT.',
  EADDRNOTAVAIL:
    'this machine has no such address. Set PARLEY_HOST to one of its own, or to 0.0.0.0 or :: for all of them.',
  EINVAL: 'the address is not valid. Set PARLEY_HOST to an address or a host name of this machine.',
  EACCES:
    'permission denied. Ports below 1024 need CAP_NET_BIND_SERVICE; choose a higher port with PARLEY_PORT.',
}

/** Describes why the server cannot listen: address, reason, remedy. */
export function listenError({ host, port }: ListenAddress, thrown: unknown, isAdmin = false): Error {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const reason = isAdmin ? reasonOf(thrown).replaceAll('PARLEY_', 'PARLEY_ADMIN_') : reasonOf(thrown)
  return new Error(`Cannot listen on ${address}: ${reason}`, { cause: thrown })
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return ('code' in thrown && REASONS[String(thrown.code)]) || thrown.message
}
