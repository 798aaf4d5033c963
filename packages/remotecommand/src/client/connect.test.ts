import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { ChannelClosedError, collect } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import { createSpdySession, type SpdySession, type SpdyStream } from '@wherry/spdy';
import { acceptSpdyUpgrade, acceptWebSocket, type MessageSocket, UpgradeError } from '@wherry/upgrade';
import { upgradeServer } from '../../../upgrade/test/upgrade-server.ts';
import { protocols } from '../protocols.ts';
import { serveRemoteCommand } from '../server/serve.ts';
import type { RemoteCommandStreams } from '../session.ts';
import { connectRemoteCommand } from './connect.ts';
import type { RemoteCommandConnection } from './connection.ts';

const output: RemoteCommandStreams = { stdin: false, stdout: true, stderr: false, tty: false };
const success = Buffer.from('{"metadata":{},"status":"Success"}');

interface FakeServer {
  session: SpdySession;
  streams: Map<string, SpdyStream>;
  socket: Duplex;
}

/** A SPDY server whose end a test plays once the client has opened error and stdout. */
async function spdyServer(protocol: string, play: (server: FakeServer) => void) {
  return upgradeServer((request, socket, head) => {
    const { channel } = acceptSpdyUpgrade({ request, socket, head, protocols: [protocol] });
    const streams = new Map<string, SpdyStream>();
    const session = createSpdySession({
      transport: channel,
      role: 'server',
      clock: systemClock,
      onStream(stream) {
        stream.reply();
        stream.receive({ data() {}, end() {}, closed() {} });
        streams.set(stream.headers.get('streamtype') ?? '', stream);
        if (streams.size === 2) play({ session, streams, socket });
      },
    });
  });
}

async function webSocketServer(play: (socket: MessageSocket) => void) {
  return upgradeServer((request, socket, head) => {
    const accepted = acceptWebSocket({ request, socket, head, protocols: [protocols.v5] });
    accepted.receive({ message() {}, closed() {} });
    play(accepted);
  });
}

const connect = (url: string, transport: 'spdy' | 'websocket' | 'auto') =>
  connectRemoteCommand({ url, streams: output, transport });

/** What the user sees in the end: the output that came, and the exit code or the error's code. */
async function result(connection: RemoteCommandConnection) {
  const stdout = collect(connection.stdout!).then(
    (bytes) => Buffer.from(bytes).toString(),
    () => 'broken',
  );
  const outcome = connection.exitCode.catch((error) => error.code);
  return [await stdout, await outcome];
}

test('28: SPDY streams that end in order without a status are a failure', async () => {
  await using server = await spdyServer(protocols.v4, ({ streams }) => {
    for (const stream of streams.values()) stream.end();
  });
  assert.deepEqual(await result(await connect(server.url, 'spdy')), ['', 'missingStatus']);
});

test('28: a SPDY server that leaves without a status is a failure', async () => {
  await using server = await spdyServer(protocols.v4, ({ session, streams }) => {
    streams.get('stdout')?.write(Buffer.from('half'));
    session.close();
  });
  const [, outcome] = await result(await connect(server.url, 'spdy'));
  assert.notEqual(outcome, 0);
});

test('28: a SPDY connection that is cut before the status is lost, whatever came before', async () => {
  await using server = await spdyServer(protocols.v4, ({ streams, socket }) => {
    streams.get('stdout')?.end();
    setTimeout(() => socket.destroy(), 20);
  });
  assert.deepEqual(await result(await connect(server.url, 'spdy')), ['', 'connectionLost']);
});

test('a SPDY connection that is cut before the end of stdout is lost, although a success status came', async () => {
  await using server = await spdyServer(protocols.v4, ({ streams, socket }) => {
    streams.get('error')?.write(success);
    streams.get('stdout')?.write(Buffer.from('half'));
    setTimeout(() => socket.destroy(), 20);
  });
  assert.deepEqual(await result(await connect(server.url, 'spdy')), ['broken', 'connectionLost']);
});

test('103: resets behind the status are how some servers end, and stdout then ends in order', async () => {
  await using server = await spdyServer(protocols.v4, ({ session, streams }) => {
    streams.get('stdout')?.write(Buffer.from('all of it'));
    streams.get('error')?.write(success);
    session.close();
  });
  assert.deepEqual(await result(await connect(server.url, 'spdy')), ['all of it', 0]);
});

test('30: a v1 server that resets the error stream at once and ends stdout means success', async () => {
  await using server = await spdyServer(protocols.v1, ({ streams }) => {
    streams.get('error')?.reset();
    streams.get('stdout')?.end();
  });
  const connection = await connect(server.url, 'spdy');
  assert.equal(connection.protocol, protocols.v1);
  assert.deepEqual(await result(connection), ['', 0]);
});

test('28, 111: a WebSocket that closes with 1000 and no status is a failure, one that is cut is lost', async () => {
  await using orderly = await webSocketServer((socket) => socket.close());
  assert.deepEqual(await result(await connect(orderly.url, 'websocket')), ['', 'missingStatus']);
  await using cut = await webSocketServer((socket) => setTimeout(() => socket.abort(new Error('cut')), 20));
  assert.deepEqual(await result(await connect(cut.url, 'websocket')), ['broken', 'connectionLost']);
});

test('a WebSocket that is cut behind the status has given all its output, which then ends in order', async () => {
  await using server = await webSocketServer((socket) => {
    socket.sendBinary(Buffer.from('all'), Uint8Array.of(1));
    socket.sendBinary(success, Uint8Array.of(3));
    setTimeout(() => socket.abort(new Error('cut')), 20);
  });
  assert.deepEqual(await result(await connect(server.url, 'websocket')), ['all', 0]);
});

test('35: an empty first message is not taken for the end', async () => {
  await using server = await webSocketServer((socket) => {
    socket.sendBinary(Uint8Array.of(1));
    socket.sendBinary(Buffer.from('\x01later'));
    socket.sendBinary(success, Uint8Array.of(3));
    socket.close();
  });
  assert.deepEqual(await result(await connect(server.url, 'websocket')), ['later', 0]);
});

test('37: a text message from a server on a binary sub-protocol ends the session with a clear error', async () => {
  await using server = await webSocketServer((socket) => socket.sendText('\x01text'));
  const connection = await connect(server.url, 'websocket');
  collect(connection.stdout!).catch(() => {});
  await assert.rejects(connection.exitCode, /unexpected message type: text/);
});

test('38: a message on an unknown channel is ignored', async () => {
  await using server = await webSocketServer((socket) => {
    socket.sendBinary(Buffer.from('\x09what'));
    socket.sendBinary(success, Uint8Array.of(3));
    socket.close();
  });
  assert.deepEqual(await result(await connect(server.url, 'websocket')), ['', 0]);
});

for (const statusCode of [401, 403, 404, 500]) {
  test(`50: ${statusCode} to the WebSocket makes the client fall back to SPDY, and its error is the one shown`, async () => {
    const methods: string[] = [];
    await using server = await upgradeServer((request, socket) => {
      methods.push(`${request.method} ${request.headers.upgrade}`);
      const body = `{"message":"refused ${request.method}"}`;
      socket.end(
        `HTTP/1.1 ${statusCode} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
    const error = await connect(server.url, 'auto').catch((reason) => reason);
    assert.ok(error instanceof UpgradeError);
    assert.equal(error.message, 'unable to upgrade connection: refused POST');
    assert.deepEqual(methods, ['GET websocket', 'POST SPDY/3.1']);
  });
}

test('50: a server that chooses another sub-protocol makes the client fall back to SPDY', async () => {
  const methods: string[] = [];
  await using server = await upgradeServer((request, socket, head) => {
    methods.push(`${request.method} ${request.headers.upgrade}`);
    if (request.method === 'GET') {
      acceptWebSocket({ request, socket, head, protocols: [protocols.v5], chosenProtocol: protocols.v4 });
    } else socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
  });
  const error = await connect(server.url, 'auto').catch((reason) => reason);
  assert.equal(error.message, 'unable to upgrade connection: no');
  assert.deepEqual(methods, ['GET websocket', 'POST SPDY/3.1']);
});

test('50: a server that upgrades everything to SPDY makes the client fall back to it', async () => {
  const methods: string[] = [];
  await using server = await upgradeServer((request, socket) => {
    methods.push(`${request.method} ${request.headers.upgrade}`);
    if (request.method === 'POST') return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    return socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n',
    );
  });
  const error = await connect(server.url, 'auto').catch((reason) => reason);
  assert.equal(error.message, 'unable to upgrade connection: no');
  assert.deepEqual(methods, ['GET websocket', 'POST SPDY/3.1']);
});

test('50: a refused connection is final', async () => {
  const server = await upgradeServer(() => {});
  await server[Symbol.asyncDispose]();
  const error = await connect(server.url, 'auto').catch((reason) => reason);
  assert.equal(error.code, 'unreachable');
});

for (const transport of ['spdy', 'websocket'] as const) {
  const quietServer = () =>
    transport === 'spdy' ? spdyServer(protocols.v4, () => {}) : webSocketServer(() => {});

  test(`a ${transport} session that this side ends gives no exit code, whether its output was read or not`, async () => {
    await using server = await quietServer();
    const closed = await connect(server.url, transport);
    closed.close();
    await assert.rejects(closed.exitCode, { code: 'aborted' });
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = await connectRemoteCommand({ url: server.url, streams: output, transport, signal });
    const reason = new Error('the browser has gone');
    controller.abort(reason);
    await assert.rejects(aborted.exitCode, { code: 'aborted', cause: reason });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
}

for (const transport of ['websocket', 'spdy'] as const) {
  test(`what is typed once the session is over is dropped, over ${transport}`, async () => {
    await using server = await upgradeServer((request, socket, head) => {
      const streams = { stdin: true, stdout: true, stderr: false, tty: false };
      const webSocketProtocols = [protocols.v5];
      const handler = async () => ({ kind: 'exited', exitCode: 7 }) as const;
      void serveRemoteCommand({ request, socket, head, streams, webSocketProtocols, handler });
    });
    const streams = { ...output, stdin: true };
    const { stdin, stdout, exitCode } = await connectRemoteCommand({ url: server.url, streams, transport });
    assert.ok(stdin && stdout);
    await collect(stdout);
    assert.equal(await exitCode, 7);
    await stdin.closed;
    assert.ok(stdin.write(Buffer.from('a key')));
    await stdin.drained();
    stdin.end();
    assert.throws(() => stdin.write(Buffer.from('a mistake')), ChannelClosedError);
  });
}

test('a session that its signal ended says what the signal said', async () => {
  await using server = await webSocketServer(() => {});
  const controller = new AbortController();
  const { signal } = controller;
  const connection = await connectRemoteCommand({ url: server.url, streams: output, signal });
  controller.abort(new Error('the browser is gone'));
  await assert.rejects(connection.exitCode, {
    code: 'aborted',
    message: 'the session was ended by this side: the browser is gone',
  });
});
