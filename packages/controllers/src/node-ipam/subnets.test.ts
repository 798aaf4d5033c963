import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from '@wherry/kubeapi';
import { Subnets } from './subnets.ts';

const subnetsOf = (range: string, nodePrefixBits: number) =>
  new Subnets({ range: parseCidr(range)!, nodePrefixBits });
const used = (...ranges: string[]) => ranges.map((range) => parseCidr(range)!);

test('parts are given one after the other, and those given back come last', () => {
  const subnets = subnetsOf('10.244.0.0/22', 24);
  assert.deepEqual(
    Array.from({ length: 5 }, () => subnets.take([])),
    ['10.244.0.0/24', '10.244.1.0/24', '10.244.2.0/24', '10.244.3.0/24', '10.244.0.0/24'],
  );
});

test('what is used in part, or by something larger, is not given', () => {
  const subnets = subnetsOf('10.244.0.0/16', 24);
  assert.equal(subnets.take(used('10.244.0.128/25', '10.244.2.0/23', '10.244.1.0/24')), '10.244.4.0/24');
  assert.equal(subnets.take(used('10.244.5.0/24', '192.168.0.0/16', 'fd00::/64')), '10.244.6.0/24');
  assert.equal(subnetsOf('10.244.0.0/16', 24).take(used('10.0.0.0/8')), undefined);
});

test('when nothing is free nothing is given, until something is', () => {
  const subnets = subnetsOf('10.244.0.0/23', 24);
  const all = used('10.244.0.0/24', '10.244.1.0/24');
  assert.equal(subnets.take(all), undefined);
  assert.equal(subnets.take(all.slice(1)), '10.244.0.0/24');
});

test('parts of IPv6 are written in the one way', () => {
  const subnets = subnetsOf('fd00:10:244::/56', 64);
  assert.equal(subnets.take(used('fd00:10:244::/63')), 'fd00:10:244:2::/64');
  assert.equal(subnetsOf('fd00::/112', 120).take(used('fd00::/120')), 'fd00::100/120');
});
