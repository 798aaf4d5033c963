import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect } from '@wherry/bytes';
import { proxyUpgrade } from '@wherry/upgrade';
import { upgradeServer } from '../../upgrade/test/upgrade-server.ts';
import { dialLoopback, tcpServer } from '../test/loopback.ts';
import {
  connectPortForward,
  PortForwardError,
  type ServedPortForward,
  servePortForward,
  tunnelPortForward,
} from './index.ts';

/** A second on a machine of one's own; tests share theirs. A wedged session takes 30. */
const promptMs = 8000;

/** Every road from client to server. */
const roads = [
  { name: 'SPDY', transport: 'spdy', hop: 'none' },
  { name: 'SPDY inside a WebSocket', transport: 'websocket', hop: 'none' },
  { name: 'SPDY through a proxy', transport: 'spdy', hop: 'proxy' },
  { name: 'SPDY inside a WebSocket through a proxy', transport: 'websocket', hop: 'proxy' },
  { name: 'SPDY inside a WebSocket up to a tunnel proxy', transport: 'websocket', hop: 'tunnel' },
] as const;

async function start(road: (typeof roads)[number]) {
  const served: Promise<ServedPortForward>[] = [];
  const server = await upgradeServer((request, socket, head) => {
    const backend = { url: `${server.url}/back` };
    if (request.url === '/front' && road.hop === 'proxy') proxyUpgrade({ request, socket, head, backend });
    else if (request.url === '/front' && road.hop === 'tunnel')
      tunnelPortForward({ request, socket, head, backend });
    else served.push(servePortForward({ request, socket, head, dial: dialLoopback, podName: 'web' }));
  });
  const connection = await connectPortForward({ url: `${server.url}/front`, transport: road.transport });
  return { server, connection, served };
}

for (const road of roads) {
  test(`an answer comes back over ${road.name}`, async () => {
    const { server, connection, served } = await start(road);
    await using _ = server;
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    const channel = await connection.dial(echo.port);
    const got = collect(channel);
    channel.write(Buffer.from('hello'));
    channel.end();
    assert.equal(Buffer.from(await got).toString(), 'hello');
    assert.equal(await channel.closed, null);
    connection.close();
    assert.equal(await connection.closed, null);
    assert.deepEqual(await served[0], { statusCode: 101, connections: 1, failures: 0, error: null });
  });

  test(`56: a refused port ends its own connection only, with the text, over ${road.name}`, async () => {
    const { server, connection } = await start(road);
    await using _ = server;
    const closedServer = await tcpServer(() => {});
    await closedServer[Symbol.asyncDispose]();
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    const live = await connection.dial(echo.port);
    const refused = await connection.dial(closedServer.port);
    refused.receive({ data() {}, end() {}, closed() {} });
    const error = await refused.closed;
    assert.ok(error instanceof PortForwardError);
    assert.equal(error.code, 'remote');
    assert.match(
      error.message,
      new RegExp(`error forwarding port ${closedServer.port} to pod web, uid : .*ECONNREFUSED`),
    );
    const got = collect(live);
    live.write(Buffer.from('still here'));
    live.end();
    assert.equal(Buffer.from(await got).toString(), 'still here');
    connection.close();
  });

  test(`57: a connection that the pod resets ends alone over ${road.name}`, async () => {
    const { server, connection } = await start(road);
    await using _ = server;
    await using resetting = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    const broken = await connection.dial(resetting.port);
    broken.receive({ data() {}, end() {}, closed() {} });
    broken.write(Buffer.from('X'));
    assert.ok((await broken.closed) instanceof PortForwardError);
    const next = await connection.dial(echo.port);
    const got = collect(next);
    next.end();
    assert.equal((await got).length, 0);
    connection.close();
  });

  test(`113: after the pod's FIN bytes still go to the pod over ${road.name}`, async () => {
    const { server, connection } = await start(road);
    await using _ = server;
    const received = Promise.withResolvers<string>();
    await using early = await tcpServer((socket) => {
      let text = '';
      socket.end('bye');
      socket.on('data', (chunk) => (text += chunk));
      socket.once('end', () => received.resolve(text));
    });
    const channel = await connection.dial(early.port);
    await new Promise<void>((resolve) => channel.receive({ data() {}, end: resolve, closed() {} }));
    channel.write(Buffer.from('late but '));
    await new Promise((resolve) => setTimeout(resolve, 50));
    channel.write(Buffer.from('whole'));
    channel.end();
    assert.equal(await received.promise, 'late but whole');
    assert.equal(await channel.closed, null);
    connection.close();
  });

  test(`58: after 100 downloads cancelled midway a new connection works promptly over ${road.name}`, async () => {
    const { server, connection } = await start(road);
    await using _ = server;
    await using endless = await tcpServer((socket) => {
      const fill = () => {
        while (socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', fill);
      fill();
    });
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    const downloads = await Promise.all(Array.from({ length: 100 }, () => connection.dial(endless.port)));
    const started = downloads.map(
      (channel) =>
        new Promise<void>((resolve) => channel.receive({ data: () => resolve(), end() {}, closed() {} })),
    );
    await Promise.all(started);
    for (const channel of downloads) channel.abort(new Error('cancelled'));
    const startedMs = performance.now();
    const channel = await connection.dial(echo.port);
    const got = collect(channel);
    channel.write(Buffer.from('quick'));
    channel.end();
    assert.equal(Buffer.from(await got).toString(), 'quick');
    assert.ok(performance.now() - startedMs < promptMs, `it took ${performance.now() - startedMs} ms`);
    connection.close();
  });

  test(`a connection whose reader stalls does not stop its siblings over ${road.name}`, async () => {
    const { server, connection } = await start(road);
    await using _ = server;
    await using endless = await tcpServer((socket) => socket.write(Buffer.alloc(512 * 1024)));
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    const stalled = await connection.dial(endless.port);
    stalled.pause();
    stalled.receive({ data() {}, end() {}, closed() {} });
    const channel = await connection.dial(echo.port);
    const got = collect(channel);
    channel.write(Buffer.alloc(4 * 2 ** 20));
    channel.end();
    assert.equal((await got).length, 4 * 2 ** 20);
    connection.close();
  });
}

test('59: request, FIN, and an answer after 5 s is delivered over every road', async () => {
  await Promise.all(
    roads.map(async (road) => {
      const { server, connection } = await start(road);
      await using _ = server;
      await using slow = await tcpServer((socket) => {
        socket.resume();
        socket.once('end', () => setTimeout(() => socket.end('answer'), 5_000));
      });
      const channel = await connection.dial(slow.port);
      const got = collect(channel);
      channel.write(Buffer.from('request'));
      channel.end();
      assert.equal(Buffer.from(await got).toString(), 'answer', road.name);
      connection.close();
    }),
  );
});

test('23: a 101 that names no protocol is refused', async () => {
  await using server = await upgradeServer((_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
  });
  const error = await connectPortForward({ url: server.url, transport: 'spdy' }).catch((reason) => reason);
  assert.match(
    error.message,
    /unable to negotiate protocol: client supports "portforward.k8s.io", server returned ""/,
  );
});
