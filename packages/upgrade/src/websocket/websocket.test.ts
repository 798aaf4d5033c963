import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { WebSocket } from 'ws';
import { head, rawConnection } from '../../test/raw-http.ts';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { UpgradeError } from '../errors.ts';
import { type AcceptWebSocketOptions, acceptWebSocket } from './accept.ts';
import { dialWebSocket } from './dial.ts';
import type { MessageSocket } from './message-socket.ts';

const protocols = ['', 'v4.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io'];
const handshake = [
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

async function server(options: Partial<AcceptWebSocketOptions> = {}) {
  const accepted = Promise.withResolvers<MessageSocket>();
  accepted.promise.catch(() => {});
  const listening = await upgradeServer((request, socket, rest) => {
    try {
      accepted.resolve(acceptWebSocket({ protocols, ...options, request, socket, head: rest }));
    } catch (error) {
      accepted.reject(error);
    }
  });
  return {
    url: listening.url,
    accepted: accepted.promise,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

/** Collects what a socket receives. */
function inbox(socket: MessageSocket) {
  const messages: { text: string; isBinary: boolean }[] = [];
  const closed = new Promise<Error | null>((resolve) => {
    socket.receive({
      message: (data, isBinary) => messages.push({ text: Buffer.from(data).toString(), isBinary }),
      closed: resolve,
    });
  });
  return { messages, closed };
}

test('without a common sub-protocol the answer is a bare 403, so that clients fall back', async () => {
  await using listening = await server();
  const request = head('GET / HTTP/1.1', ...handshake, 'Sec-WebSocket-Protocol: v5.channel.k8s.io');
  assert.equal(await rawConnection(listening.url, request).rest(), 'HTTP/1.1 403 Forbidden\r\n\r\n');
  const error = await listening.accepted.catch((reason) => reason);
  assert.ok(error instanceof UpgradeError);
  assert.equal(error.statusCode, 403);
});

for (const { name, request, statusCode } of [
  { name: 'a POST', request: head('POST / HTTP/1.1', ...handshake), statusCode: 405 },
  {
    name: 'a handshake without a key',
    request: head('GET / HTTP/1.1', ...handshake.slice(0, 4)),
    statusCode: 400,
  },
  {
    name: 'version 8',
    request: head('GET / HTTP/1.1', ...handshake.map((line) => line.replace('13', '8'))),
    statusCode: 400,
  },
]) {
  test(`${name} is refused with ${statusCode}`, async () => {
    await using listening = await server();
    const answer = await rawConnection(listening.url, request).rest();
    assert.match(answer, new RegExp(`^HTTP/1.1 ${statusCode} `));
  });
}

test('109: a client that asks for no sub-protocol gets none, and no empty header', async () => {
  await using listening = await server();
  const connection = rawConnection(listening.url, head('GET / HTTP/1.1', ...handshake));
  const answer = await connection.until(/\r\n\r\n/);
  assert.match(answer, /^HTTP\/1.1 101 /);
  assert.doesNotMatch(answer, /sec-websocket-protocol/i);
  connection.socket.destroy();
  assert.equal((await listening.accepted).protocol, '');
});

test('109: our client copes with an empty Sec-WebSocket-Protocol header when it asked for nothing', async () => {
  const { createHash } = await import('node:crypto');
  await using listening = await upgradeServer((request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      head(
        'HTTP/1.1 101 Switching Protocols',
        'Connection: Upgrade',
        'Upgrade: websocket',
        `Sec-WebSocket-Accept: ${accept}`,
        'Sec-WebSocket-Protocol: ',
      ),
    );
  });
  const socket = await dialWebSocket({ url: listening.url, protocols: [] });
  assert.equal(socket.protocol, '');
  socket.abort(new Error('done'));
});

test('the first sub-protocol of the client that the server knows is chosen, with names that are no tokens', async () => {
  await using listening = await server();
  const offered = ['v5.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io', 'v4.channel.k8s.io'];
  const socket = await dialWebSocket({ url: listening.url, protocols: offered });
  assert.equal(socket.protocol, 'SPDY/3.1+portforward.k8s.io');
  socket.abort(new Error('done'));
});

test('our client refuses a sub-protocol that it did not offer', async () => {
  await using listening = await server({ chosenProtocol: 'v4.channel.k8s.io' });
  const error = await dialWebSocket({ url: listening.url, protocols: ['v5.channel.k8s.io'] }).catch(
    (reason) => reason,
  );
  assert.ok(error instanceof UpgradeError);
  assert.equal(error.code, 'protocol');
  assert.equal(
    error.message,
    'invalid protocol, expected one of ["v5.channel.k8s.io"], got "v4.channel.k8s.io"',
  );
});

for (const headers of ['Upgrade: SPDY/3.1', 'Upgrade: websocket\r\nSec-WebSocket-Accept: none']) {
  test(`an answer of 101 that opens no WebSocket is a bad handshake: ${JSON.stringify(headers)}`, async () => {
    await using listening = await upgradeServer((_request, socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${headers}\r\n\r\n`);
    });
    await assert.rejects(dialWebSocket({ url: listening.url, protocols: ['v5.channel.k8s.io'] }), {
      code: 'protocol',
      statusCode: 101,
      message: /^websocket: bad handshake: /,
    });
  });
}

test('our client shows the Status of a refused handshake', async () => {
  const body = '{"kind":"Status","message":"pods \\"p\\" is forbidden"}';
  await using listening = await upgradeServer((_request, socket) => {
    socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  const error = await dialWebSocket({ url: listening.url, protocols: ['v5.channel.k8s.io'] }).catch(
    (reason) => reason,
  );
  assert.ok(error instanceof UpgradeError);
  assert.deepEqual([error.code, error.statusCode], ['refused', 403]);
  assert.equal(error.message, 'unable to upgrade streaming request: pods "p" is forbidden');
});

test('messages pass both ways, text and binary, and code 1000 closes in order', async () => {
  await using listening = await server();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'] });
  const peer = await listening.accepted;
  const [atClient, atPeer] = [inbox(client), inbox(peer)];
  client.sendText('hello');
  client.sendBinary(Buffer.from('bytes'), Uint8Array.of(0x31));
  peer.sendBinary([Buffer.from('in '), Buffer.from('two')]);
  peer.close();
  assert.deepEqual(await Promise.all([atClient.closed, atPeer.closed]), [null, null]);
  assert.deepEqual(atPeer.messages, [
    { text: 'hello', isBinary: false },
    { text: '1bytes', isBinary: true },
  ]);
  assert.deepEqual(atClient.messages, [{ text: 'in two', isBinary: true }]);
});

test('a close frame without a code closes in order, as browsers send it', async () => {
  await using listening = await server();
  const client = new WebSocket(listening.url.replace('http', 'ws'), ['v4.channel.k8s.io']);
  const { messages, closed } = inbox(await listening.accepted);
  await new Promise((resolve) => client.addEventListener('open', resolve));
  client.send('hello');
  client.close();
  assert.equal(await closed, null);
  assert.deepEqual(messages, [{ text: 'hello', isBinary: false }]);
});

test('111: a connection cut without a close frame is an error with code 1006', async () => {
  await using listening = await server();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'] });
  const { closed } = inbox(client);
  (await listening.accepted).abort(new Error('cut'));
  assert.match(String(await closed), /without a close frame/);
});

test('108: fragments are joined, and an unmasked frame of a client is answered with 1002', async () => {
  await using listening = await server();
  const connection = rawConnection(listening.url, head('GET / HTTP/1.1', ...handshake));
  await connection.until(/\r\n\r\n/);
  const { messages, closed } = inbox(await listening.accepted);
  const zeroMask = [0, 0, 0, 0];
  connection.socket.write(
    Uint8Array.from([
      0x02,
      0x81,
      ...zeroMask,
      0x61,
      0x00,
      0x81,
      ...zeroMask,
      0x62,
      0x80,
      0x81,
      ...zeroMask,
      0x63,
    ]),
  );
  connection.socket.write(Uint8Array.from([0x82, 0x01, 0x61]));
  const answer = await connection.until(/\xea$/);
  assert.ok(answer.endsWith(Buffer.from([0x88, 0x02, 0x03, 0xea]).toString('latin1')));
  connection.socket.destroy();
  assert.ok(await closed);
  assert.deepEqual(messages, [{ text: 'abc', isBinary: true }]);
});

test('39: pings leave every 5 s, and data or pongs keep a client waiting', async () => {
  await using listening = await server();
  const clock = new FakeClock();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'], clock });
  inbox(client);
  const peer = await listening.accepted;
  inbox(peer);
  for (let round = 0; round < 30; round++) {
    clock.advance(5_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(client.bufferedBytes, 0);
  client.close();
  assert.equal(await client.closed, null);
});

test('39: a client gives a silent server up after 61 s', async () => {
  await using listening = await server();
  const clock = new FakeClock();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'], clock });
  const { closed } = inbox(client);
  await listening.accepted; // It does not read: no pong comes back.
  clock.advance(60_000);
  clock.advance(5_000);
  assert.match(String(await closed), /silent for 6\d+ ms/);
});

test('39: a server gives a client up that used to ping and is silent for 5 min, and no other client', async () => {
  for (const pings of [true, false]) {
    const clock = new FakeClock();
    await using listening = await server({ clock });
    const raw = new WebSocket(listening.url, 'v4.channel.k8s.io');
    await new Promise((resolve) => raw.once('open', resolve));
    const { closed } = inbox(await listening.accepted);
    if (pings) {
      raw.ping();
      await new Promise((resolve) => raw.once('pong', resolve));
    }
    raw.pause(); // It answers no ping from here on.
    let isOver = false;
    closed.then(() => (isOver = true));
    clock.advance(299_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(!isOver);
    for (let passedMs = 0; passedMs < 600_000; passedMs += 5_000) clock.advance(5_000);
    if (pings) assert.match(String(await closed), /silent for \d+ ms/);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(isOver, pings);
    raw.terminate();
  }
});

test('40: a server that takes no input for 120 s is not given up, and gets it whole when it goes on', async () => {
  await using listening = await server();
  const clock = new FakeClock();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'], clock });
  inbox(client);
  const peer = await listening.accepted; // It does not read yet: no pong comes back.
  for (let sent = 0; sent < 16; sent++) client.sendBinary(Buffer.alloc(64 * 1024));
  for (let second = 0; second < 120; second += 5) clock.advance(5_000);
  const { messages } = inbox(peer);
  client.close();
  assert.equal(await client.closed, null);
  assert.equal(messages.length, 16);
});

test('40: a paused consumer loses nothing, and silence does not count against the peer', async () => {
  await using listening = await server();
  const clock = new FakeClock();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'], clock });
  const { messages } = inbox(client);
  const peer = await listening.accepted;
  inbox(peer);
  client.pause();
  const block = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < 64; sent++) peer.sendBinary(block);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(messages.length < 64);
  for (let second = 0; second < 120; second += 5) clock.advance(5_000);
  client.resume();
  peer.close();
  assert.equal(await client.closed, null);
  assert.equal(messages.length, 64);
});

test('40: while a server does not read, unasked pongs keep the client from giving it up', async () => {
  const clock = new FakeClock();
  await using listening = await server({ clock });
  const client = new WebSocket(listening.url.replace('http', 'ws'), ['v4.channel.k8s.io']);
  const pong = new Promise((resolve) => client.once('pong', resolve));
  const peer = await listening.accepted;
  inbox(peer);
  await new Promise((resolve) => client.once('open', resolve));
  peer.pause();
  clock.advance(5_000);
  await pong;
  client.terminate();
});

test('a sender is told to wait when the peer does not read, and goes on when it does', async () => {
  await using listening = await server();
  const client = await dialWebSocket({ url: listening.url, protocols: ['v4.channel.k8s.io'] });
  const peer = await listening.accepted;
  const block = Buffer.alloc(1024 * 1024);
  let sent = 0;
  while (client.sendBinary(block) && sent < 200) sent++;
  assert.ok(sent < 200, 'the queue grew without bound');
  const drained = client.drained();
  const { messages } = inbox(peer);
  await drained;
  client.close();
  assert.equal(await client.closed, null);
  assert.equal(messages.length, sent + 1);
});

test('an abort during the handshake ends it with its reason', async () => {
  await using listening = await upgradeServer(() => {});
  const abort = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => abort.abort(reason), 20);
  await assert.rejects(dialWebSocket({ url: listening.url, protocols: ['x'], signal: abort.signal }), reason);
});
