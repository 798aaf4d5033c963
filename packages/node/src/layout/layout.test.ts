import assert from 'node:assert/strict';
import { test } from 'node:test';
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
