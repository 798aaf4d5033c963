/** `wherry logs -f` of several containers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { inProcess } from './in-process.ts';

const pod = (name: string) => ({
  metadata: { name, namespace: 'default', uid: name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'busybox' }] },
  status: { phase: 'Running' },
});
const refusal = {
  kind: 'Status',
  status: 'Failure',
  code: 403,
  reason: 'Forbidden',
  message: 'not this one',
};

test('a log that can not be followed ends the command, whatever others still say', async (context) => {
  const followed = Promise.withResolvers<ServerResponse>();
  const server = createServer(async ({ url = '' }, response) => {
    if (url.includes('/pods/talks/log')) {
      response.write('a line\n');
      followed.resolve(response);
    } else if (url.includes('/pods/refuses/log')) {
      await followed.promise;
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
    } else response.end(JSON.stringify({ metadata: {}, items: [pod('talks'), pod('refuses')] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ended = inProcess(['logs', '-f', '-l', 'app=web', '--server', `http://127.0.0.1:${port}`]);
  const left = once(await followed.promise, 'close').then(() => 'left');
  const { code, stderr } = await ended;
  assert.equal(code, 1);
  assert.match(stderr, /not this one/);
  const stays = new Promise((resolve) => setTimeout(resolve, 2_000, 'still reads'));
  assert.equal(await Promise.race([left, stays]), 'left');
});
