import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { KubeClient, kinds } from '../src/index.ts';

/** A client behind a proxy that does with each connection what `act` says. */
async function behindProxy(context: TestContext, scheme: string, act: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    act(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new KubeClient({
    access: {
      server: new URL('https://kube.test'),
      tls: { rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({}),
      proxy: new URL(`${scheme}://me:secret@127.0.0.1:${port}`),
    },
  });
  context.after(() => {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { client, sockets };
}

const get = (client: KubeClient, signal?: AbortSignal) =>
  client.resource(kinds.pods).get({ name: 'p', namespace: 'n', signal });

for (const scheme of ['http', 'socks5']) {
  test(`giving up on a silent ${scheme} proxy leaves no connection`, async (context) => {
    const { client, sockets } = await behindProxy(context, scheme, (socket) => socket.resume());
    const giveUp = new AbortController();
    const reason = new Error('enough');
    const upgrading = client.upgrade({ path: '/x', signal: giveUp.signal }, async ({ connect }) =>
      connect?.(),
    );
    setTimeout(() => giveUp.abort(reason), 100);
    await assert.rejects(upgrading, reason);
    while (sockets.size > 0) await once([...sockets][0] as Socket, 'close');
  });

  test(`a ${scheme} proxy that hangs up is named, without its password`, async (context) => {
    const { client } = await behindProxy(context, scheme, (socket) => socket.end());
    await assert.rejects(get(client), ({ message }: Error) => {
      assert.match(
        message,
        /the proxy (http|socks5):\/\/127\.0\.0\.1:\d+ did not connect to kube\.test:443: /,
      );
      assert.doesNotMatch(message, /secret/);
      return true;
    });
  });

  test(`a ${scheme} proxy that answers something else is an error`, async (context) => {
    const { client } = await behindProxy(context, scheme, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await assert.rejects(get(client), { code: 'unreachable' });
  });
}

test('a proxy that connects and then tears the connection in the TLS handshake is an error', async (context) => {
  const { client } = await behindProxy(context, 'http', (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  const upgrading = client.upgrade({ path: '/x' }, async ({ connect }) => connect?.());
  await assert.rejects(upgrading, /ECONNRESET|closed in the TLS handshake/);
});
