import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePodCidr } from '../start/host-network.ts';
import { layoutOf } from './layout.ts';

const interfaceNameBytesMax = 15;
const socketPathBytesMax = 107;

test('two folders share no name that the kernel knows', () => {
  const [left, right] = [layoutOf('/tmp/left'), layoutOf('/tmp/right')];
  for (const field of ['bridgeName', 'cgroupRoot', 'criSocket', 'shortLink', 'lockFile'] as const) {
    assert.notEqual(left[field], right[field]);
  }
  assert.deepEqual(layoutOf('/tmp/left/').id, left.id);
});

test('names stay within what the kernel takes, however long the folder is', () => {
  const layout = layoutOf(`/tmp/${'deep/'.repeat(40)}`);
  assert.ok(layout.needsShortLink);
  for (const socket of [layout.criSocket, layout.monitorSocket, layout.imageSocket]) {
    assert.ok(Buffer.byteLength(socket) <= socketPathBytesMax, socket);
  }
  assert.ok(layout.bridgeName.length <= interfaceNameBytesMax);
});

test('a pod network is taken by one node only, and the search ends when none is left', () => {
  const taken = new Set<string>();
  const first = choosePodCidr(7, taken);
  taken.add(first);
  const second = choosePodCidr(7, taken);
  assert.notEqual(first, second);
  for (let third = 0; third < 256; third += 1) taken.add(`10.88.${third}.0/24`);
  assert.throws(() => choosePodCidr(7, taken), /no free \/24 is left/);
});
