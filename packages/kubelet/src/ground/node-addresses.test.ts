import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeIps } from './node-addresses.ts';

test('a node is given one address of each family at most', async () => {
  assert.deepEqual(await nodeIps('10.0.0.1, 2001:db8::1', 'node'), ['10.0.0.1', '2001:db8::1']);
  await assert.rejects(nodeIps('10.0.0.1,10.0.0.2', 'node'), /two addresses of a family/);
  await assert.rejects(nodeIps('10.0.0.1,node', 'node'), /"node" is no IP address/);
});
