import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressPool } from './address-pool.ts';
import { parseRanges } from './address-range.ts';

const poolOf = (text: string) => new AddressPool(parseRanges(text)[0]!);

test('the bridge has the first address and pods the following ones', () => {
  const pool = poolOf('10.1.2.0/24');
  assert.equal(pool.gateway, '10.1.2.1');
  assert.deepEqual([pool.allocate(), pool.allocate()], ['10.1.2.2', '10.1.2.3']);
});

test('a released address is given again only after all others', () => {
  const pool = poolOf('10.1.2.0/29');
  const first = pool.allocate();
  pool.release(first);
  const rest = Array.from({ length: 5 }, () => pool.allocate());
  assert.deepEqual(rest, ['10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6', first]);
});

test('an exhausted range is said so, and network and broadcast addresses are never given', () => {
  const pool = poolOf('10.1.2.0/29');
  const all = Array.from({ length: 5 }, () => pool.allocate());
  assert.ok(!all.includes('10.1.2.0') && !all.includes('10.1.2.1') && !all.includes('10.1.2.7'));
  assert.throws(() => pool.allocate(), /all 5 pod addresses of 10.1.2.0\/29 are taken/);
});

test('addresses that records hold are not given', () => {
  const pool = poolOf('10.1.2.0/29');
  pool.take('10.1.2.2');
  assert.equal(pool.allocate(), '10.1.2.3');
});

test('of an IPv6 range the bridge and pods have the first addresses, and no more than 32 bits are used', () => {
  const pool = poolOf('fd00:10:244::/64');
  assert.equal(pool.gateway, 'fd00:10:244::1');
  assert.deepEqual([pool.allocate(), pool.allocate()], ['fd00:10:244::2', 'fd00:10:244::3']);
  pool.take('fd00:10:244::ffff:fffe');
  assert.equal(pool.allocate(), 'fd00:10:244::4', 'after the last one it begins anew');
});

test('ranges are one of each family, in the order in which pods have them', () => {
  const cidrs = (text: string) => parseRanges(text).map((range) => new AddressPool(range).cidr);
  assert.deepEqual(cidrs('fd00:0:0::5/64, 10.5.6.7/16'), ['fd00::/64', '10.5.0.0/16']);
  for (const bad of [
    '10.1.0.0/16,10.2.0.0/16',
    'fd00::/127',
    '10.1.0.0/30',
    'ten dot something',
    '',
    '10.1.0.0',
  ])
    assert.throws(() => parseRanges(bad), { code: 'INVALID_ARGUMENT' }, bad);
});
