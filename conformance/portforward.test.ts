import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { collect } from '@wherry/bytes';
import {
  connectPortForward,
  PortForwardError,
  servePortForward,
  tunnelPortForward,
} from '@wherry/portforward';
import { proxyUpgrade } from '@wherry/upgrade';
import { dialLoopback, tcpServer } from '../packages/portforward/test/loopback.ts';
import { upgradeServer } from '../packages/upgrade/test/upgrade-server.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { startGoPeer } from './peers/go-process.ts';

const forwardClient = await buildGoPeer('forwardclient');

/** A second on a machine of one's own; tests share theirs. A wedged session takes 30. */
const promptMs = 8000;

/** How client-go gets to our server, and which of our hops is between. */
const roads = [
  { name: 'SPDY', transport: 'spdy', hop: 'none' },
  { name: 'SPDY inside a WebSocket', transport: 'websocket', hop: 'none' },
  { name: 'SPDY through the proxy', transport: 'spdy', hop: 'proxy' },
  { name: 'SPDY inside a WebSocket through the tunnel proxy', transport: 'auto', hop: 'tunnel' },
] as const;

async function forward(road: (typeof roads)[number], ports: readonly number[]) {
  const server = await upgradeServer((request, socket, head) => {
    const backend = { url: `${server.url}/back` };
    if (request.url === '/front' && road.hop === 'proxy') proxyUpgrade({ request, socket, head, backend });
    else if (request.url === '/front' && road.hop === 'tunnel')
      tunnelPortForward({ request, socket, head, backend });
    else servePortForward({ request, socket, head, dial: dialLoopback });
  });
  const args = [
    `-url=${server.url}/front`,
    `-transport=${road.transport}`,
    ...ports.map((port) => `:${port}`),
  ];
  const client = startGoPeer(forwardClient, args);
  const local = new Map<number, number>();
  const lines = await client.output(new RegExp(`(.*\\n){${ports.length}}`));
  for (const line of lines.trim().split('\n'))
    local.set(Number(line.split(' ')[1]), Number(line.split(' ')[0]));
  return {
    client,
    dial: (port: number) => connect({ port: local.get(port) ?? 0, host: '127.0.0.1', allowHalfOpen: true }),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Everything that comes until the other side ends or breaks the connection. */
function readAll(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.once('end', () => socket.end());
    socket.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

for (const road of roads) {
  test(`client-go over ${road.name} carries bytes both ways whole`, async () => {
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    await using session = await forward(road, [echo.port]);
    const sent = randomBytes(8 * 2 ** 20);
    const socket = session.dial(echo.port);
    const got = readAll(socket);
    socket.end(sent);
    assert.equal(sha256(await got), sha256(sent));
  });

  test(`56: client-go over ${road.name} goes on after a refused port`, async () => {
    const refusing = await tcpServer(() => {});
    await refusing[Symbol.asyncDispose]();
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    await using session = await forward(road, [refusing.port, echo.port]);
    assert.equal((await readAll(session.dial(refusing.port))).length, 0);
    const socket = session.dial(echo.port);
    const got = readAll(socket);
    socket.end('still here');
    assert.equal((await got).toString(), 'still here');
    assert.equal(session.client.process.exitCode, null);
  });

  test(`57: client-go over ${road.name} goes on after the pod reset a connection`, async () => {
    await using resetting = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    await using session = await forward(road, [resetting.port, echo.port]);
    const broken = session.dial(resetting.port);
    broken.write('X');
    assert.equal((await readAll(broken)).length, 0);
    const socket = session.dial(echo.port);
    const got = readAll(socket);
    socket.end('next');
    assert.equal((await got).toString(), 'next');
  });

  test(`58: client-go over ${road.name} gets a new connection promptly after 100 cancelled downloads`, async () => {
    await using endless = await tcpServer((socket) => {
      const block = Buffer.alloc(65_536);
      const fill = () => {
        while (socket.write(block));
      };
      socket.on('drain', fill);
      fill();
    });
    await using echo = await tcpServer((socket) => socket.pipe(socket));
    await using session = await forward(road, [endless.port, echo.port]);
    const downloads = Array.from({ length: 100 }, () => session.dial(endless.port));
    await Promise.all(downloads.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
    for (const socket of downloads) socket.destroy();
    const startedMs = performance.now();
    const socket = session.dial(echo.port);
    const got = readAll(socket);
    socket.end('quick');
    assert.equal((await got).toString(), 'quick');
    assert.ok(performance.now() - startedMs < promptMs, `it took ${performance.now() - startedMs} ms`);
  });

  test(`59: client-go over ${road.name} gets an answer long after its FIN`, async () => {
    await using slow = await tcpServer((socket) => {
      socket.resume();
      socket.once('end', () => setTimeout(() => socket.end('answer'), 1500));
    });
    await using session = await forward(road, [slow.port]);
    const socket = session.dial(slow.port);
    const got = readAll(socket);
    socket.end('request');
    assert.equal((await got).toString(), 'answer');
  });
}

const streamingServer = startGoPeer(await buildGoPeer('streamingserver'), []);
after(() => streamingServer[Symbol.asyncDispose]());

async function connectUpstream() {
  const base = (await streamingServer.output(/\n/)).trim();
  const url = await (await fetch(`${base}/new/portforward`)).text();
  return connectPortForward({ url, transport: 'spdy' });
}

test("our client carries bytes both ways whole through upstream's streaming server", async () => {
  await using echo = await tcpServer((socket) => socket.pipe(socket));
  const connection = await connectUpstream();
  const sent = randomBytes(8 * 2 ** 20);
  const channel = await connection.dial(echo.port);
  const got = collect(channel);
  channel.write(sent);
  channel.end();
  assert.equal(sha256(await got), sha256(sent));
  assert.equal(await channel.closed, null);
  connection.close();
});

test("56: our client gets the text of a refused port from upstream's streaming server and goes on", async () => {
  const refusing = await tcpServer(() => {});
  await refusing[Symbol.asyncDispose]();
  await using echo = await tcpServer((socket) => socket.pipe(socket));
  const connection = await connectUpstream();
  const refused = await connection.dial(refusing.port);
  refused.receive({ data() {}, end() {}, closed() {} });
  const error = await refused.closed;
  assert.ok(error instanceof PortForwardError);
  assert.match(error.message, /error forwarding port \d+ to pod p, uid : dial tcp .*connection refused/);
  const channel = await connection.dial(echo.port);
  const got = collect(channel);
  channel.write(Buffer.from('still here'));
  channel.end();
  assert.equal(Buffer.from(await got).toString(), 'still here');
  connection.close();
});
