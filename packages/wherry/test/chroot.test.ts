import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInChroot } from '../../linux/test/in-chroot.ts';

const entry = join(import.meta.dirname, '../bin/wherry.cjs');

test('a node is not begun in a chroot, where what is executed in a pod would be outside of it', () => {
  const words = ['up', '--detach', '--data-dir', '/tmp/wherry-in-chroot'];
  const { status, stderr } = runInChroot([process.execPath, entry, ...words]);
  assert.match(
    stderr,
    /^error: this is a chroot, and what is executed in a pod would leave it for the machine/,
  );
  assert.equal(status, 1);
});
