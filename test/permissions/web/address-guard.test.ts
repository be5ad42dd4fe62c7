import { describe, expect, it } from 'vitest';
import { findAddressProblem } from '../../../src/permissions/web/address-guard.js';
import { spellHost } from '../../../src/permissions/web/address.js';

/** The findings for a host in any of its spellings. */
function problemOf(host: string, ...addresses: string[]): string | undefined {
  return findAddressProblem(spellHost(host) ?? '', addresses)?.what;
}

describe('the address guard', () => {
  it.each([
    ['0.0.0.0', 'an unspecified address'],
    ['10.255.255.255', 'a private address'],
    ['100.64.0.1', "a carrier's shared address"],
    ['100.127.255.255', "a carrier's shared address"],
    ['127.1', 'a loopback address'],
    ['0x7f.1', 'a loopback address'],
    ['169.254.0.1', 'a link-local address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.0.0.8', 'a protocol address'],
    ['192.168.1.1', 'a private address'],
    ['198.19.255.255', 'a benchmarking address'],
    ['239.0.0.1', 'a multicast address'],
    ['255.255.255.255', 'a reserved address'],
    ['::', 'an unspecified address'],
    ['::1', 'a loopback address'],
    ['::ffff:10.0.0.1', 'a private address'],
    ['64:ff9b::7f00:1', 'a loopback address'],
    ['2002:c0a8:101::', 'a private address'],
    ['fd00::1', 'a unique local address'],
    ['fe80::1', 'a link-local address'],
    ['febf::1', 'a link-local address'],
    ['ff02::1', 'a multicast address'],
    ['::7f00:1', 'a reserved address'],
    ['4000::1', 'a reserved address'],
    ['2001::1', 'a protocol address'],
    ['2001:2::1', 'a protocol address'],
    ['::a9fe:a9fe', 'a metadata service'],
    ['localhost', 'a name of this machine'],
    ['a.b.localhost', 'a name of this machine'],
    ['169.254.169.254', 'a metadata service'],
    ['::ffff:169.254.169.254', 'a metadata service'],
    ['fd00:ec2::254', 'a metadata service'],
    ['metadata.google.internal', 'a metadata service'],
  ])('keeps %s out as %s', (host, what) => {
    expect(problemOf(host)).toBe(what);
  });

  it.each([
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:200::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::',
    'localhost.example.com',
    'example.com',
  ])('lets %s pass', (host) => {
    expect(problemOf(host)).toBeUndefined();
  });

  it('looks at every address that a name resolves to', () => {
    expect(problemOf('example.com', '93.184.216.34', '10.0.0.1')).toBe('a private address');
    expect(problemOf('example.com', '93.184.216.34', '::1')).toBe('a loopback address');
    expect(problemOf('example.com', 'fe80::1%eth0')).toBe('a link-local address');
    expect(problemOf('example.com', 'nowhere')).toBe('an address that cannot be read');
    expect(problemOf('localhost', '169.254.169.254')).toBe('a metadata service');
    expect(problemOf('example.com', '93.184.216.34', '2606:4700::1111')).toBeUndefined();
  });
});
