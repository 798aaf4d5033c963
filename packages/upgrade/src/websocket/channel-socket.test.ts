import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ByteSource, collect } from '@wherry/bytes';
import { WebSocket } from 'ws';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { acceptWebSocket } from './accept.ts';
import { ChannelSocket, type ChannelSocketOptions } from './channel-socket.ts';
import type { MessageSocket } from './message-socket.ts';

/** A channel socket at a server, and a plain WebSocket client that sends it whatever a test wants. */
async function start(options: Partial<ChannelSocketOptions> = {}) {
  const accepted = Promise.withResolvers<MessageSocket>();
  const server = await upgradeServer((request, socket, head) => {
    accepted.resolve(acceptWebSocket({ request, socket, head, protocols: [''] }));
  });
  const client = new WebSocket(server.url.replace('http', 'ws'));
  const received: { data: Buffer; isBinary: boolean }[] = [];
  const closed = new Promise<number>((resolve) => client.once('close', resolve));
  client.on('message', (data: Buffer, isBinary) => received.push({ data, isBinary }));
  client.on('error', () => {});
  await new Promise((resolve) => client.once('open', resolve));
  const channels = new ChannelSocket({
    socket: await accepted.promise,
    encoding: 'binary',
    sources: [0, 4],
    sinks: [1, 2, 3],
    ...options,
  });
  return { client, channels, received, closed, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const text = async (source: ByteSource) => Buffer.from(await collect(source)).toString();

test('each message goes to the channel that its first byte names; others, and empty messages, are ignored', async () => {
  await using session = await start();
  for (const message of ['\x00in', '', '\x00put', '\x07nobody', '\x01a sink', '\x04{}'])
    session.client.send(Buffer.from(message));
  session.client.close(1000);
  const [stdin, resize] = await Promise.all([
    text(session.channels.source(0)),
    text(session.channels.source(4)),
  ]);
  assert.deepEqual([stdin, resize], ['input', '{}']);
});

test('33: ff 00 ends stdin alone; repeats are harmless and stdout keeps flowing', async () => {
  await using session = await start({ closeSignal: 'receive' });
  session.client.send(Buffer.from('\x00last words'));
  session.client.send(Uint8Array.of(255, 0));
  session.client.send(Uint8Array.of(255, 0));
  session.client.send(Buffer.from('\x00too late'));
  assert.equal(await text(session.channels.source(0)), 'last words');
  session.channels.sink(1).write(Buffer.from('still here'));
  session.channels.close();
  assert.equal(await session.closed, 1000);
  assert.equal(session.received[0]?.data.toString(), '\x01still here');
});

for (const bytes of [[255], [255, 0, 0], [255, 9]]) {
  test(`34: the close message [${bytes}] ends the connection`, async () => {
    await using session = await start({ closeSignal: 'receive' });
    session.client.send(Uint8Array.from(bytes));
    await session.closed;
    assert.match(String(await session.channels.closed), /bad close message/);
  });
}

test('a client tells the end of its channel by ff and the channel', async () => {
  await using session = await start({ closeSignal: 'send' });
  session.channels.sink(1).end();
  session.channels.sink(1).end();
  session.channels.close();
  await session.closed;
  assert.deepEqual(
    session.received.map(({ data }) => [...data]),
    [[255, 1]],
  );
});

test('36: base64 carries any bytes as text, and a message that is none is skipped', async () => {
  await using session = await start({ encoding: 'base64' });
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  session.client.send(`0${bytes.subarray(0, 100).toString('base64')}`);
  session.client.send('0not base64!');
  session.client.send(`0${bytes.subarray(100).toString('base64')}`);
  session.client.close(1000);
  assert.deepEqual(Buffer.from(await collect(session.channels.source(0))), bytes);
});

test('36: what base64 sends is a digit and padded base64 in a text message', async () => {
  await using session = await start({ encoding: 'base64' });
  session.channels.sink(2).write(Buffer.from('fo'));
  session.channels.close();
  await session.closed;
  assert.deepEqual(session.received, [{ data: Buffer.from('2Zm8='), isBinary: false }]);
});

test('37: text on a binary sub-protocol ends the session with a clear error where that was asked for', async () => {
  await using session = await start({ acceptText: false });
  session.client.send('\x00text');
  assert.match(
    String(await session.channels.closed),
    /unexpected message type: text on a binary sub-protocol/,
  );
});

test('a channel whose reader stalls holds a bounded amount, then slows the peer, and loses nothing', async () => {
  await using session = await start();
  const total = 16 * 2 ** 20;
  const source = session.channels.source(0);
  let got = 0;
  const ended = new Promise<void>((resolve) => {
    source.receive({ data: (chunk) => (got += chunk.length), end: resolve, closed() {} });
  });
  source.pause();
  for (let sent = 0; sent < total; sent += 2 ** 16) session.client.send(Buffer.alloc(2 ** 16 + 1));
  session.client.close(1000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(got, 0);
  source.resume();
  await ended;
  assert.equal(got, total);
});

test('a channel that is aborted is discarded and stalls no other', async () => {
  await using session = await start();
  session.channels.source(0).abort(new Error('nobody wants it'));
  for (let sent = 0; sent < 64; sent++) session.client.send(Buffer.alloc(2 ** 16));
  session.client.send(Buffer.from('\x04size'));
  session.client.close(1000);
  assert.equal(await text(session.channels.source(4)), 'size');
});

test('a large write leaves as several messages that join to the same bytes', async () => {
  await using session = await start();
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
  session.channels.sink(1).write(bytes);
  session.channels.close();
  await session.closed;
  assert.ok(session.received.length > 1);
  assert.deepEqual(Buffer.concat(session.received.map(({ data }) => data.subarray(1))), bytes);
});
