/** What becomes of who asks, where somebody else's request is passed on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { KubeClient } from '../src/index.ts';

const brought = {
  authorization: 'Bearer of-the-user',
  'impersonate-user': 'admin',
  'impersonate-group': 'system:masters',
  'x-remote-user': 'admin',
};

const told = ({ authorization, ...headers }: IncomingHttpHeaders) => ({
  authorization,
  user: headers['impersonate-user'],
  group: headers['impersonate-group'],
  remote: headers['x-remote-user'],
});

const asClient = { authorization: 'Bearer secret', user: 'jane', group: undefined, remote: undefined };
const asBrought = { authorization: 'Bearer of-the-user', user: 'admin', group: 'system:masters' };

/** A server that answers what it was told of who asks, and a client that acts as jane. */
async function start(context: TestContext) {
  const server = createServer((asked, response) => response.end(JSON.stringify(told(asked.headers))));
  server.on('upgrade', ({ headers }, socket) => {
    const text = JSON.stringify(told(headers));
    socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new KubeClient({
    access: {
      server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      tls: { rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({ authorization: 'Bearer secret', 'impersonate-user': 'jane' }),
    },
  });
  context.after(() => {
    client.close();
    server.close();
  });
  return client;
}

async function textOf(message: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

for (const [bringsCredentials, expected] of [
  [undefined, asClient],
  [true, { ...asBrought, remote: 'admin' }],
] as const)
  test(`a request that is passed on is asked as ${expected.user}`, async (context) => {
    const client = await start(context);
    const answer = await client.pass({ method: 'GET', path: '/', headers: brought, bringsCredentials });
    assert.deepEqual({ ...asClient, ...JSON.parse(await textOf(answer)) }, expected);
  });

for (const [bringsCredentials, expected] of [
  [undefined, asClient],
  [true, { ...asBrought, remote: undefined }],
] as const)
  test(`an upgrade that is passed on is asked as ${expected.user}`, async (context) => {
    const client = await start(context);
    const gateway = createServer().on('upgrade', (asked, socket, head) => {
      void client.passUpgrade({ path: '/', request: asked, socket, head, bringsCredentials });
    });
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    context.after(() => gateway.close());
    const { port } = gateway.address() as AddressInfo;
    const asking = request({
      ...{ host: '127.0.0.1', port },
      headers: { ...brought, connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    }).end();
    const [answer] = await once(asking, 'response');
    assert.deepEqual({ ...asClient, ...JSON.parse(await textOf(answer)) }, expected);
  });
