import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressPool } from './address-pool.ts';

test('the bridge has the first address and pods the following ones', () => {
  const pool = new AddressPool('10.1.2.0/24');
  assert.equal(pool.gateway, '10.1.2.1');
  assert.deepEqual([pool.allocate(), pool.allocate()], ['10.1.2.2', '10.1.2.3']);
});

test('a released address is given again only after all others', () => {
  const pool = new AddressPool('10.1.2.0/29');
  const first = pool.allocate();
  pool.release(first);
  const rest = Array.from({ length: 5 }, () => pool.allocate());
  assert.deepEqual(rest, ['10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6', first]);
});

test('an exhausted range is said so, and network and broadcast addresses are never given', () => {
  const pool = new AddressPool('10.1.2.0/29');
  const all = Array.from({ length: 5 }, () => pool.allocate());
  assert.ok(!all.includes('10.1.2.0') && !all.includes('10.1.2.1') && !all.includes('10.1.2.7'));
  assert.throws(() => pool.allocate(), /all 5 pod addresses of 10.1.2.0\/29 are taken/);
});

test('addresses that records hold are not given', () => {
  const pool = new AddressPool('10.1.2.0/29');
  pool.take('10.1.2.2');
  assert.equal(pool.allocate(), '10.1.2.3');
});

test('of a dual-stack range the IPv4 part is used', () => {
  assert.equal(new AddressPool('fd00::/64,10.5.0.0/16').cidr, '10.5.0.0/16');
});

test('text without an IPv4 range is refused', () => {
  assert.throws(() => new AddressPool('fd00::/64'), { code: 'INVALID_ARGUMENT' });
});
