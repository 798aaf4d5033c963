/** What is left of a runtime that does not start. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { startRuntime } from '../src/index.ts';

it('serves nothing where one of its sockets can not be listened on', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-runtime-start-'));
  test.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'net.d'));
  const adminSocketPath = join(folder, 'images.sock');
  const started = startRuntime({
    dataDir: join(folder, 'data'),
    // Longer than a socket's path may be.
    socketPath: join(folder, `${'x'.repeat(120)}.sock`),
    adminSocketPath,
    monitorSocketPath: join(folder, 'monitor.sock'),
    cni: { confDir: join(folder, 'net.d') },
    logger: silentLogger,
  });
  await assert.rejects(started, /listen EINVAL/);
  const answered = await new Promise<string>((resolve) => {
    const socket = connect(adminSocketPath, () => {
      socket.destroy();
      resolve('somebody listens');
    });
    socket.once('error', ({ message }) => resolve(message));
  });
  assert.match(answered, /^connect (ENOENT|ECONNREFUSED) /);
});
