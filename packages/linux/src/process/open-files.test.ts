import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { openFilesMaxOf, openFilesOf } from './open-files.ts';

test('files and sockets that a process has open are counted', async () => {
  const before = openFilesOf([process.pid], 1_000);
  const file = openSync('/dev/null', 'r');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const after = openFilesOf([process.pid], 1_000);
    assert.equal(after.sockets - before.sockets, 1);
    assert.ok(after.files - before.files >= 2);
    assert.equal(openFilesOf([process.pid], 1).files, 1);
  } finally {
    closeSync(file);
    server.close();
  }
});

test('of a process that is gone nothing is open', () => {
  assert.deepEqual(openFilesOf([0x7fff_fff0], 10), { files: 0, sockets: 0 });
  assert.equal(openFilesMaxOf(0x7fff_fff0), undefined);
  assert.ok(openFilesMaxOf(process.pid)! > 0);
});
