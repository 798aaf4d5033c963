import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ipAddress } from '../formats.ts';
import { addressWarnings, rangeWarnings } from './address-warnings.ts';
import { validateCidr } from './cidr.ts';

const saidOf = (found: readonly string[]) => found.map((text) => text.replace(/^f: /, ''));

test('addresses in forms that not all programs read alike are told of, with the one way of writing them', () => {
  for (const [text, ...said] of [
    ['192.0.2.1'],
    ['fd00::1'],
    ['no address'],
    ['010.0.0.1', 'non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"'],
    ['::ffff:192.0.2.1', 'non-standard IP address "::ffff:192.0.2.1" is invalid: use "192.0.2.1"'],
    ['FD00::1', 'IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")'],
    ['fd00:0:0::1', 'IPv6 address "fd00:0:0::1" should be in RFC 5952 canonical format ("fd00::1")'],
    ['::1.2.3.4', 'IPv6 address "::1.2.3.4" should be in RFC 5952 canonical format ("::102:304")'],
  ] as const)
    assert.deepEqual(saidOf(addressWarnings('f', text)), said, text);
});

test('ranges too, and those with bits beyond their prefix', () => {
  for (const [text, ...said] of [
    ['10.0.0.0/8'],
    [
      '10.1.0.0/8',
      'CIDR value "10.1.0.0/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.0.0/32"?)',
    ],
    ['10.0.0.0/08', 'non-standard CIDR value "10.0.0.0/08" is invalid: use "10.0.0.0/8"'],
    ['::ffff:10.0.0.0/104', 'non-standard CIDR value "::ffff:10.0.0.0/104" is invalid: use "10.0.0.0/8"'],
    ['FD00::/8', 'IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")'],
  ] as const)
    assert.deepEqual(saidOf(rangeWarnings('f', text)), said, text);
});

test('new objects may have none of the forms that are read in two ways', () => {
  assert.deepEqual(ipAddress('010.0.0.1'), ['must not have leading 0s']);
  assert.deepEqual(ipAddress('::ffff:10.0.0.1'), ['must not be an IPv4-mapped IPv6 address']);
  assert.deepEqual(ipAddress('fe80::1%eth0'), [
    'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ]);
  for (const [text, body] of [
    ['10.0.0.0/08', /leading 0s in IP or prefix length/],
    ['::ffff:10.0.0.0/104', /IPv4-mapped/],
    ['10.1.0.0/8', /bits set beyond the prefix/],
  ] as const)
    assert.match(validateCidr('f', text)[0]?.body ?? '', body, text);
});
