/** What is left of a monitor that does not start. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { startMonitor } from '../src/index.ts';
import { temporaryFolder } from './bundle.ts';

it('serves nothing where its socket can not be listened on', async (test) => {
  const { path, remove } = temporaryFolder('monitor-start');
  test.after(remove);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  const started = startMonitor({
    dataDir: join(path, 'monitor'),
    // Longer than a socket's path may be.
    socketPath: join(path, `${'x'.repeat(120)}.sock`),
    streamingPort: port,
    logger: silentLogger,
  });
  await assert.rejects(started, /listen EINVAL/);
  const answered = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve('somebody listens');
    });
    socket.once('error', ({ message }) => resolve(message));
  });
  assert.match(answered, /^connect ECONNREFUSED /);
});
