import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { closeServer, listen, trackSockets } from './server.ts';

test('closing a server cuts idle, waiting and upgraded connections, and waits for them', {
  timeout: 5000,
}, async () => {
  const server = createHttpServer(() => {});
  server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const sockets = trackSockets(server);
  await listen(server, { port: 0, host: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;
  const head = 'GET / HTTP/1.1\r\nHost: x\r\n';
  const clients = ['', `${head}\r\n`, `${head}Upgrade: x\r\nConnection: upgrade\r\n\r\n`].map((request) => {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    client.write(request);
    return client;
  });
  await once(clients[2]!, 'data');
  while (sockets.size < 3) await new Promise((resolve) => setImmediate(resolve));
  for (const client of clients) client.resume();
  const gone = clients.map((client) => once(client, 'close'));
  await closeServer(server, sockets);
  await Promise.all(gone);
  assert.equal(sockets.size, 0);
});

test('an address that is taken is the error of the one who listens', async () => {
  const first = createServer();
  await listen(first, { port: 0, host: '127.0.0.1' });
  const { port } = first.address() as AddressInfo;
  await assert.rejects(listen(createServer(), { port, host: '127.0.0.1' }), { code: 'EADDRINUSE' });
  await closeServer(first, []);
});
