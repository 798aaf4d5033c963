import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestNode } from './node.ts';

test('sockets may be in folders that are not there yet, which are for root alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-sockets-'));
  const [socketPath, adminSocketPath] = [join(folder, 'cri/cri.sock'), join(folder, 'images/images.sock')];
  const node = await startTestNode(37, { socketPath, adminSocketPath });
  try {
    assert.equal((await node.cri.runtime.version({})).runtimeName, 'wherry');
    for (const name of ['cri', 'images']) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o700);
  } finally {
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
