import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { upgradeServer } from '../../upgrade/test/upgrade-server.ts';
import { dialLoopback, tcpServer } from '../test/loopback.ts';
import { legacyProtocols, type ServedPortForward, servePortForward } from './index.ts';

async function start(ports: readonly number[], protocol: string) {
  const served = Promise.withResolvers<ServedPortForward>();
  const server = await upgradeServer((request, socket, head) => {
    servePortForward({ request, socket, head, dial: dialLoopback, ports, podName: 'web' }).then(
      served.resolve,
    );
  });
  const client = new WebSocket(server.url.replace('http', 'ws'), protocol === '' ? [] : [protocol]);
  const messages: { channel: number; bytes: Buffer }[] = [];
  client.on('message', (data: Buffer, isBinary) => {
    assert.equal(isBinary, protocol !== legacyProtocols.v4Base64);
    const channel = isBinary ? data[0]! : data[0]! - 0x30;
    messages.push({
      channel,
      bytes: isBinary ? data.subarray(1) : Buffer.from(data.subarray(1).toString(), 'base64'),
    });
  });
  const closed = new Promise<number>((resolve) => client.once('close', resolve));
  await new Promise((resolve) => client.once('open', resolve));
  const send = (channel: number, text: string) => {
    if (protocol === legacyProtocols.v4Base64)
      client.send(`${channel}${Buffer.from(text).toString('base64')}`);
    else client.send(Buffer.concat([Uint8Array.of(channel), Buffer.from(text)]));
  };
  const on = (channel: number) =>
    messages.filter((message) => message.channel === channel).map(({ bytes }) => bytes);
  return {
    client,
    send,
    on,
    closed,
    served: served.promise,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

for (const protocol of Object.values(legacyProtocols)) {
  test(`63: two ports travel on channels 0 to 3, each announced in two bytes, over "${protocol}"`, async () => {
    const shout = (name: string) =>
      tcpServer((socket) =>
        socket.once('data', (chunk) => socket.end(`${name} ${chunk.toString().toUpperCase()}`)),
      );
    await using first = await shout('first');
    await using second = await shout('second');
    await using session = await start([first.port, second.port], protocol);
    session.send(2, 'two');
    session.send(0, 'one');
    assert.equal(await session.closed, 1000);
    for (const [channel, port] of [first.port, first.port, second.port, second.port].entries()) {
      assert.deepEqual([...session.on(channel)[0]!], [port & 0xff, port >> 8]);
    }
    assert.equal(Buffer.concat(session.on(0).slice(1)).toString(), 'first ONE');
    assert.equal(Buffer.concat(session.on(2).slice(1)).toString(), 'second TWO');
    assert.deepEqual(await session.served, { statusCode: 101, connections: 2, failures: 0, error: null });
  });
}

test('63: a refused port gets its text on its error channel, and the other port goes on', async () => {
  const refusing = await tcpServer(() => {});
  await refusing[Symbol.asyncDispose]();
  await using echo = await tcpServer((socket) => socket.once('data', (chunk) => socket.end(chunk)));
  await using session = await start([refusing.port, echo.port], legacyProtocols.v4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  session.send(2, 'alive');
  assert.equal(await session.closed, 1000);
  assert.match(
    Buffer.concat(session.on(1).slice(1)).toString(),
    /^error forwarding port \d+ to pod web, uid : .*ECONNREFUSED/,
  );
  assert.equal(Buffer.concat(session.on(2).slice(1)).toString(), 'alive');
  assert.equal((await session.served).failures, 1);
});

test("63: a client that leaves ends the pod's connections", async () => {
  const gone = Promise.withResolvers<void>();
  await using server = await tcpServer((socket) => {
    socket.resume();
    socket.once('close', () => gone.resolve());
    socket.once('end', () => socket.end());
  });
  await using session = await start([server.port], legacyProtocols.v4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  session.client.terminate();
  await gone.promise;
});
