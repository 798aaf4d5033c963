/** Sessions on real sockets, and what becomes of them when the sockets are torn. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { it } from 'node:test';
import { fromDuplex, pump } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import type { SpdySession } from './contract.ts';
import { createSpdySession } from './session.ts';

interface SocketPair {
  near: Socket;
  far: Socket;
}

async function socketPair(): Promise<SocketPair> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = await Promise.all([once(server, 'connection'), once(near, 'connect')]);
  server.close();
  return { near, far };
}

/** An echoing server session and a client session on a socket pair. */
function sessionsOn({ near, far }: SocketPair): { client: SpdySession; server: SpdySession } {
  const server = createSpdySession({
    transport: fromDuplex(far),
    role: 'server',
    clock: systemClock,
    onStream(stream) {
      stream.reply();
      pump(stream, stream);
    },
  });
  return {
    client: createSpdySession({ transport: fromDuplex(near), role: 'client', clock: systemClock }),
    server,
  };
}

it('echoes eight streams at once over TCP, byte for byte', async () => {
  const { client, server } = sessionsOn(await socketPair());
  const echo = async () => {
    const stream = await client.createStream({});
    const sent = createHash('sha256');
    const received = createHash('sha256');
    const done = new Promise<void>((resolve, reject) => {
      stream.receive({ data: (chunk) => received.update(chunk), end: resolve, closed: reject });
    });
    for (let index = 0; index < 64; index++) {
      const chunk = randomBytes(1 + ((index * 7919) % 70_000));
      sent.update(chunk);
      if (!stream.write(chunk)) await stream.drained();
    }
    stream.end();
    await done;
    assert.equal(received.digest('hex'), sent.digest('hex'));
  };
  await Promise.all(Array.from({ length: 8 }, echo));
  client.close();
  assert.deepEqual(await Promise.all([client.closed, server.closed]), [null, null]);
});

it('tells both sessions and their streams when the connection is reset', async () => {
  const sockets = await socketPair();
  const { client, server } = sessionsOn(sockets);
  const stream = await client.createStream({});
  const waiting = client.createStream({});
  await waiting;
  const ping = assert.rejects(client.ping(), { code: 'transport-closed' });
  sockets.far.resetAndDestroy();
  await ping;
  assert.equal(((await stream.closed) as { code?: string }).code, 'transport-closed');
  assert.equal(((await client.closed) as { code?: string }).code, 'transport-closed');
  assert.equal(((await server.closed) as { code?: string }).code, 'transport-closed');
  await assert.rejects(client.createStream({}), { code: 'transport-closed' });
});

it('lets a writer go whose connection is torn while it waits', async () => {
  const sockets = await socketPair();
  const { client } = sessionsOn(sockets);
  const stream = await client.createStream({});
  sockets.far.pause();
  const writing = (async () => {
    for (;;) if (!stream.write(Buffer.alloc(65_536))) await stream.drained();
  })();
  setTimeout(() => sockets.far.resetAndDestroy(), 50);
  await assert.rejects(writing, { name: 'ChannelClosedError', code: 'closed' });
});
