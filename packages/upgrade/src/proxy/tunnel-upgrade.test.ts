import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { collect, fromDuplex } from '@wherry/bytes';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import { head, rawConnection } from '../../test/raw-http.ts';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { UpgradeError } from '../errors.ts';
import { acceptSpdyUpgrade } from '../spdy/accept.ts';
import { acceptWebSocket } from '../websocket/accept.ts';
import { dialWebSocket } from '../websocket/dial.ts';
import { spdyOverWebSocket } from '../websocket/tunnel.ts';
import type { ProxyOutcome } from './contract.ts';
import { tunnelUpgrade } from './tunnel-upgrade.ts';

const protocol = 'SPDY/3.1+portforward.k8s.io';

/** A server whose tunnel collects what comes, and answers with `answer` before it ends. */
async function tunnelServer(answer = '') {
  const received = Promise.withResolvers<Uint8Array>();
  const server = await upgradeServer((request, socket, rest) => {
    const tunnel = spdyOverWebSocket(
      acceptWebSocket({ request, socket, head: rest, protocols: ['', protocol] }),
    );
    collect(tunnel).then(received.resolve, received.reject);
    if (answer) tunnel.write(Buffer.from(answer));
  });
  return {
    url: server.url,
    received: received.promise,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function plainClient(url: string): Promise<WebSocket> {
  const client = new WebSocket(url.replace('http', 'ws'));
  client.on('error', () => {});
  await new Promise((resolve) => client.once('open', resolve));
  return client;
}

test('61: message borders and fragments mean nothing, wherever they fall, and code 1000 is the end', async () => {
  const cuts = fc.array(fc.record({ size: fc.integer({ min: 0, max: 40 }), fin: fc.boolean() }), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(cuts, async (pieces) => {
      await using server = await tunnelServer();
      const client = await plainClient(server.url);
      const bytes = Buffer.from(Array.from({ length: 400 }, (_, index) => index % 256));
      let offset = 0;
      for (const { size, fin } of pieces) {
        client.send(bytes.subarray(offset, offset + size), { binary: true, fin });
        offset += size;
      }
      client.send(bytes.subarray(offset), { binary: true, fin: true });
      client.close(1000);
      assert.deepEqual(Buffer.from(await server.received), bytes);
    }),
    { numRuns: 20 },
  );
});

test('61: a text message breaks the tunnel', async () => {
  await using server = await tunnelServer();
  const client = await plainClient(server.url);
  client.send('text');
  await assert.rejects(server.received, /invalid message type received/);
});

test('61: a close code other than 1000 is an error, and so is a cut', async () => {
  await using server = await tunnelServer();
  (await plainClient(server.url)).close(1011);
  await assert.rejects(server.received, /closed the WebSocket with code 1011/);
  await using other = await tunnelServer();
  (await plainClient(other.url)).terminate();
  await assert.rejects(other.received, /without a close frame/);
});

test('101: the writes of one tick leave in one message', async () => {
  await using server = await upgradeServer((request, socket, rest) => {
    const tunnel = spdyOverWebSocket(acceptWebSocket({ request, socket, head: rest, protocols: [''] }));
    tunnel.receive({ data() {}, end() {}, closed() {} });
    for (const piece of ['one ', 'frame ', 'in ', 'pieces']) tunnel.write(Buffer.from(piece));
    tunnel.end();
  });
  const client = new WebSocket(server.url.replace('http', 'ws'));
  const messages: string[] = [];
  client.on('message', (data) => messages.push(data.toString()));
  await new Promise((resolve) => client.once('close', resolve));
  assert.deepEqual(messages, ['one frame in pieces']);
});

test('a stalled reader slows the peer, and loses nothing', async () => {
  const total = 16 * 2 ** 20;
  await using server = await upgradeServer((request, socket, rest) => {
    const tunnel = spdyOverWebSocket(acceptWebSocket({ request, socket, head: rest, protocols: [protocol] }));
    tunnel.receive({ data() {}, end() {}, closed() {} });
    const send = async () => {
      for (let sent = 0; sent < total; sent += 65_536) {
        if (!tunnel.write(Buffer.alloc(65_536))) await tunnel.drained();
      }
      tunnel.end();
    };
    send();
  });
  const tunnel = spdyOverWebSocket(await dialWebSocket({ url: server.url, protocols: [protocol] }));
  tunnel.pause();
  const got = collect(tunnel, { bytesMax: total });
  await new Promise((resolve) => setTimeout(resolve, 100));
  tunnel.resume();
  assert.equal((await got).length, total);
});

/** A tunnel proxy in front of a backend that the test plays. */
async function tunnelProxy(serve: (request: IncomingMessage, socket: Duplex, rest: Buffer) => void) {
  const outcome = Promise.withResolvers<ProxyOutcome>();
  const back = await upgradeServer(serve);
  const front = await upgradeServer((request, socket, rest) => {
    tunnelUpgrade({ request, socket, head: rest, backend: { url: `${back.url}/pf` } }).then(outcome.resolve);
  });
  return {
    url: front.url,
    outcome: outcome.promise,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await back[Symbol.asyncDispose]();
    },
  };
}

test('the backend gets a POST for SPDY without anything of the WebSocket, and bytes pass both ways', async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  await using proxy = await tunnelProxy((request, socket, rest) => {
    asked.resolve(request);
    const { channel } = acceptSpdyUpgrade({ request, socket, head: rest, protocols: ['portforward.k8s.io'] });
    channel.receive({ data: (chunk) => channel.write(chunk), end: () => channel.end(), closed() {} });
  });
  const socket = await dialWebSocket({ url: proxy.url, protocols: [protocol] });
  assert.equal(socket.protocol, protocol);
  const tunnel = spdyOverWebSocket(socket);
  const got = new Promise<string>((resolve) => {
    tunnel.receive({ data: (chunk) => resolve(Buffer.from(chunk).toString()), end() {}, closed() {} });
  });
  tunnel.write(Buffer.from('through the tunnel'));
  assert.equal(await got, 'through the tunnel');
  tunnel.end();
  assert.deepEqual(await proxy.outcome, {
    statusCode: 101,
    bytesFromClient: 18,
    bytesFromBackend: 18,
    error: null,
    endedBy: 'client',
  });
  const { method, headers } = await asked.promise;
  assert.equal(method, 'POST');
  assert.equal(headers.upgrade, 'SPDY/3.1');
  assert.equal(headers['x-stream-protocol-version'], 'portforward.k8s.io');
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith('sec-websocket')),
    [],
  );
});

test("62: the backend's refusal reaches the client with its status and body, before any WebSocket", async () => {
  await using proxy = await tunnelProxy((_request, socket) => {
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 18\r\n\r\npod does not exist');
  });
  const error = await dialWebSocket({ url: proxy.url, protocols: [protocol] }).catch((reason) => reason);
  assert.ok(error instanceof UpgradeError);
  assert.deepEqual([error.statusCode, error.body], [404, 'pod does not exist']);
  assert.equal((await proxy.outcome).statusCode, 404);
});

test('115: a backend that names no protocol leads to a WebSocket without one, which the client refuses', async () => {
  await using proxy = await tunnelProxy((_request, socket) => {
    socket.write(head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'));
    fromDuplex(socket).receive({ data() {}, end() {}, closed() {} });
  });
  const error = await dialWebSocket({ url: proxy.url, protocols: [protocol] }).catch((reason) => reason);
  assert.ok(error instanceof UpgradeError);
  assert.equal(error.code, 'protocol');
});

test('a backend that answers 101 without upgrade headers gives 500', async () => {
  await using proxy = await tunnelProxy((_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  const error = await dialWebSocket({ url: proxy.url, protocols: [protocol] }).catch((reason) => reason);
  assert.deepEqual(
    [error.statusCode, error.body],
    [500, 'unable to upgrade: missing upgrade headers in response\n'],
  );
});

test('a WebSocket without a tunnel protocol is refused with 400', async () => {
  await using proxy = await tunnelProxy(() => {});
  const request = head(
    'GET / HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Protocol: v5.channel.k8s.io',
  );
  const answer = await rawConnection(proxy.url, request).rest();
  assert.match(answer, /^HTTP\/1.1 400 /);
  assert.match(answer, /unable to upgrade: no tunneling spdy protocols provided\n$/);
});
