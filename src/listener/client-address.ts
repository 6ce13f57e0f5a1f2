import { BlockList, isIP } from 'node:net'

/** An address or a CIDR block such as `10.0.0.0/8`. */
const BLOCK = /^([^/]+)(?:\/(\d{1,3}))?$/
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** An address as proxies write it, possibly with a port. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

interface Block {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

function parseBlock(text: string): Block | undefined {
  const [, address = '', prefix] = BLOCK.exec(text) ?? []
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const size = prefix === undefined ? bits : Number(prefix)
  if (version === 0 || size > bits || address.includes('%')) return undefined
  return { address, prefix: size, family: version === 4 ? 'ipv4' : 'ipv6' }
}

export const isAddressBlock = (text: string) => parseBlock(text) !== undefined

/** Determines the client address of a request behind trusted proxies. */
export class ClientAddresses {
  readonly #trusted = new BlockList()

  /** Every entry must satisfy `isAddressBlock`. */
  constructor(trustedProxies: readonly string[]) {
    for (const text of trustedProxies) {
      const block = parseBlock(text)
      if (block !== undefined) this.#trusted.addSubnet(block.address, block.prefix, block.family)
    }
  }

  /**
   * Returns the right-most address in `X-Forwarded-For` that is not a trusted proxy; everything to its left is under
   * the client's control. Ignores the header if the peer itself is not trusted.
   */
  find(peer: string, forwardedFor: string | null): string {
    let address = normalizeAddress(peer)
    let rest = forwardedFor ?? ''
    while (rest !== '' && this.#isTrusted(address)) {
      const comma = rest.lastIndexOf(',')
      const next = readForwarded(rest.slice(comma + 1).trim())
      if (next === undefined) break
      address = next
      rest = rest.slice(0, Math.max(0, comma))
    }
    return address
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address)
    return version !== 0 && this.#trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

/** The key that limits count by: one customer has one IPv4 address or an IPv6 /64. */
export function addressBlock(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address).slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

function readForwarded(text: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? []
  const address = normalizeAddress(bracketed ?? dotted ?? text)
  return isIP(address) === 0 ? undefined : address
}

/** Strips the zone and unwraps an IPv4-mapped IPv6 address. */
function normalizeAddress(text: string): string {
  const [address = ''] = text.split('%')
  return MAPPED.exec(address)?.[1] ?? address
}

/** Returns the eight groups of an IPv6 address; the last two may be one dotted IPv4 part. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const missing = Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array<string>(missing).fill('0'), ...tail]
}
