import { describe, expect, test } from 'bun:test'
import { addressBlock, ClientAddresses, isAddressBlock } from './client-address.ts'

describe('the address of a client', () => {
  const addresses = new ClientAddresses(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8'])

  test.each([
    ['of a direct connection is the peer', '203.0.113.7', null, '203.0.113.7'],
    ['ignores the header of a peer that is not trusted', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['is what a trusted proxy says', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['ignores what the client wrote itself', '10.1.2.3', '1.1.1.1, 2.2.2.2, 198.51.100.1', '198.51.100.1'],
    [
      'is found behind several trusted proxies',
      '127.0.0.1',
      '198.51.100.1, 10.9.9.9,10.8.8.8',
      '198.51.100.1',
    ],
    ['is the left-most when all are trusted', '127.0.0.1', '10.7.7.7, 10.8.8.8', '10.7.7.7'],
    ['is the proxy when it says nothing', '10.1.2.3', null, '10.1.2.3'],
    ['is the proxy when it says nonsense', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['may have a port', '10.1.2.3', '198.51.100.1:5678', '198.51.100.1'],
    ['may be of IPv6', 'fd12::1', '2001:db8::1', '2001:db8::1'],
    ['may be of IPv6 with a port', '::1', '[2001:db8::1]:443', '2001:db8::1'],
    ['is the same when IPv6 carries IPv4', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['does not end in an empty entry', '10.1.2.3', '198.51.100.1,', '10.1.2.3'],
  ])('%s', (_, peer, header, expected) => {
    expect(addresses.find(peer, header)).toBe(expected)
  })

  test('is the peer where no proxy is trusted', () => {
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

test('blocks are addresses, with or without the length of a prefix', () => {
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
