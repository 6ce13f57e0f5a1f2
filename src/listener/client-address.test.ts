import { describe, expect, test } from 'bun:test'
import { addressBlock, ClientAddresses, isAddressBlock } from './client-address.ts'

describe('the client address', () => {
  const addresses = new ClientAddresses(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8'])

  test.each([
    ['is the peer for a direct connection', '203.0.113.7', null, '203.0.113.7'],
    ['ignores the header of an untrusted peer', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['is taken from the header of a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['ignores entries written by the client', '10.1.2.3', '1.1.1.1, 2.2.2.2, 198.51.100.1', '198.51.100.1'],
    [
      'is found behind several trusted proxies',
      '127.0.0.1',
      '198.51.100.1, 10.9.9.9,10.8.8.8',
      '198.51.100.1',
    ],
    ['is the left-most entry if all are trusted', '127.0.0.1', '10.7.7.7, 10.8.8.8', '10.7.7.7'],
    ['is the proxy if it sends no header', '10.1.2.3', null, '10.1.2.3'],
    ['is the proxy if the entry is not an address', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['may have a port', '10.1.2.3', '198.51.100.1:5678', '198.51.100.1'],
    ['may be IPv6', 'fd12::1', '2001:db8::1', '2001:db8::1'],
    ['may be IPv6 with a port', '::1', '[2001:db8::1]:443', '2001:db8::1'],
    [
      'is unwrapped if it is an IPv4-mapped IPv6 address',
      '::ffff:10.1.2.3',
      '::ffff:198.51.100.1',
      '198.51.100.1',
    ],
    ['is the proxy if the last entry is empty', '10.1.2.3', '198.51.100.1,', '10.1.2.3'],
  ])('%s', (_, peer, header, expected) => {
    expect(addresses.find(peer, header)).toBe(expected)
  })

  test('is the peer if no proxy is trusted', () => {
    expect(new ClientAddresses([]).find('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1')
  })

  test('is found quickly in the longest header', () => {
    const startedAt = performance.now()
    for (let round = 0; round < 100; round++) addresses.find('127.0.0.1', '10.1.1.1,'.repeat(2000))
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['', ''],
])('limits count %s as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

test('isAddressBlock accepts addresses with or without a prefix length', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '::/128'])
    expect(isAddressBlock(text)).toBe(true)
  for (const text of [
    '',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    'proxy',
    'fe80::1%eth0',
    '*',
  ])
    expect(isAddressBlock(text)).toBe(false)
})
