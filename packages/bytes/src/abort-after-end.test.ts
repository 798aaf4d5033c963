import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const program = `
  import { createServer, connect } from 'node:net';
  import { fromDuplex } from '${new URL('./index.ts', import.meta.url).href}';
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => {}).end('bye'));
  server.listen(0, '127.0.0.1', () => {
    const channel = fromDuplex(connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true }));
    channel.receive({
      data() {},
      end() {
        channel.end();
        channel.abort(new Error('enough'));
        server.close();
      },
      closed() {},
    });
  });
`;

test('a process that aborted a socket after ending it can exit', { timeout: 20_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  assert.deepEqual([code, signal], [0, null]);
});
