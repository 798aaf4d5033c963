import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressFinder, nodeIps } from './node-addresses.ts';

test('a node is given one address of each family at most', async () => {
  assert.deepEqual(await nodeIps('10.0.0.1, 2001:db8::1', 'node'), ['10.0.0.1', '2001:db8::1']);
  await assert.rejects(nodeIps('10.0.0.1,10.0.0.2', 'node'), /two addresses of a family/);
  await assert.rejects(nodeIps('10.0.0.1,node', 'node'), /"node" is no IP address/);
  await assert.rejects(nodeIps('10.0.0.1,::', 'node'), /give that alone/);
});

test('without an address a node has that of its name which is its own, else that of the default route, IPv4 first', async () => {
  const own = ['10.0.0.2', '2001:db8::2'];
  const finder = (addresses: string[] | undefined): AddressFinder => ({
    addressesOf: async () => addresses ?? Promise.reject(new Error('no such name')),
    isOwn: (ip) => own.includes(ip),
    routeIp: async (family) => (family === 4 ? '10.0.0.9' : '2001:db8::9'),
  });
  const found = async (given: string, addresses?: string[]) => nodeIps(given, 'node', finder(addresses));
  const named = ['127.0.0.1', '10.0.0.77', ...own.toReversed()];
  assert.deepEqual(await found('', named), ['10.0.0.2']);
  assert.deepEqual(await found('::', named), ['2001:db8::2']);
  assert.deepEqual(await found('::', ['10.0.0.2']), ['10.0.0.2']);
  assert.deepEqual(await found('', ['127.0.0.1', '10.0.0.77']), ['10.0.0.9']);
  assert.deepEqual(await found('0.0.0.0'), ['10.0.0.9']);
  assert.deepEqual(await found('::'), ['2001:db8::9']);
  assert.deepEqual(await nodeIps('', '192.0.2.7', finder(undefined)), ['192.0.2.7']);
});
