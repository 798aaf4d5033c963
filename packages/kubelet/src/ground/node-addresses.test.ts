import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressFinder, NodeAddresses, nodeIps } from './node-addresses.ts';

test('a node is given one address of each family at most', async () => {
  assert.deepEqual(await nodeIps('10.0.0.1, 2001:db8::1', 'node'), ['10.0.0.1', '2001:db8::1']);
  await assert.rejects(nodeIps('10.0.0.1,10.0.0.2', 'node'), /two addresses of a family/);
  await assert.rejects(nodeIps('10.0.0.1,node', 'node'), /"node" is no IP address/);
  await assert.rejects(nodeIps('10.0.0.1,::', 'node'), /give that alone/);
});

test('without an address a node has that of its name which is its own, else that of the default route, IPv4 first', async () => {
  const own = ['10.0.0.2', '2001:db8::2'];
  const finder = (addresses: string[] | undefined): AddressFinder => ({
    addressesOf: async () => addresses ?? [],
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

test('a node follows the address that it gets, unless it was given one, and keeps its own while no resolver answers', async () => {
  let own = ['10.0.0.2', '10.0.0.5'];
  let named: string[] | undefined = ['10.0.0.5'];
  const finder: AddressFinder = {
    addressesOf: async () => named,
    isOwn: (ip) => own.includes(ip),
    routeIp: async () => own[0],
  };
  const found = await NodeAddresses.find({ given: '', nodeName: 'node', isOfCloud: false }, finder);
  const given = await NodeAddresses.find({ given: '10.0.0.5', nodeName: 'node', isOfCloud: false }, finder);
  const looked = async () => [await found.look(), ...found.ips];
  assert.deepEqual(await looked(), [false, '10.0.0.5']);
  named = undefined;
  assert.deepEqual(await looked(), [false, '10.0.0.5']);
  own = ['10.0.0.3', '10.0.0.6'];
  assert.deepEqual(await looked(), [true, '10.0.0.3']);
  named = ['10.0.0.6'];
  assert.deepEqual(await looked(), [true, '10.0.0.6']);
  assert.equal(await given.look(), false);
  assert.deepEqual(given.ips, ['10.0.0.5']);
});

test('a node of a cloud has the addresses that it was given until those of the cloud are told', async () => {
  const finder: AddressFinder = {
    addressesOf: async () => ['10.0.0.9'],
    isOwn: () => true,
    routeIp: async () => '10.0.0.9',
  };
  const find = (given: string) => NodeAddresses.find({ given, nodeName: 'node', isOfCloud: true }, finder);
  const [without, any, given] = await Promise.all(['', '0.0.0.0', '10.0.0.5, fd00::5'].map(find));
  assert.deepEqual(
    [without, any, given].map((each) => [each?.provided, each?.ips]),
    [
      [undefined, []],
      [undefined, ['10.0.0.9']],
      ['10.0.0.5,fd00::5', ['10.0.0.5', 'fd00::5']],
    ],
  );
  const addresses = [
    { type: 'ExternalIP', address: '203.0.113.7' },
    { type: 'InternalIP', address: '172.16.0.7' },
    { type: 'InternalIP', address: 'fd00::7' },
    { type: 'Hostname', address: 'node' },
  ];
  given?.tell({ status: { addresses } });
  assert.deepEqual(given?.ips, ['172.16.0.7', 'fd00::7']);
  await given?.look();
  assert.deepEqual(given?.ips, ['172.16.0.7', 'fd00::7']);
});
