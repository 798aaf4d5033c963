import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect } from '@wherry/bytes';
import { FakeClock, systemClock } from '@wherry/clock';
import { createSpdySession, SpdyError, type SpdySession, type SpdyStream } from '@wherry/spdy';
import { dialWebSocket, requestUpgrade } from '@wherry/upgrade';
import { WebSocket } from 'ws';
import { upgradeServer } from '../../../upgrade/test/upgrade-server.ts';
import { connectRemoteCommand } from '../client/connect.ts';
import { greetingDelayMs } from '../limits.ts';
import { channels, protocols } from '../protocols.ts';
import type { CommandOutcome, RemoteCommandSession, RemoteCommandStreams } from '../session.ts';
import { type ServedRemoteCommand, type ServeRemoteCommandOptions, serveRemoteCommand } from './serve.ts';

const output: RemoteCommandStreams = { stdin: false, stdout: true, stderr: true, tty: false };
const both: RemoteCommandStreams = { ...output, stdin: true };
const terminal: RemoteCommandStreams = { stdin: true, stdout: true, stderr: false, tty: true };
const ended: CommandOutcome = { kind: 'exited', exitCode: 0 };

type Options = Partial<ServeRemoteCommandOptions> & Pick<ServeRemoteCommandOptions, 'handler' | 'streams'>;

async function start(options: Options) {
  const served: Promise<ServedRemoteCommand>[] = [];
  const server = await upgradeServer((request, socket, head) => {
    served.push(
      serveRemoteCommand({
        webSocketProtocols: ['', ...Object.values(protocols)],
        ...options,
        request,
        socket,
        head,
      }),
    );
  });
  return {
    url: server.url,
    openSockets: () => server.openSockets(),
    served: () => served[0] ?? Promise.reject(new Error('nothing was served')),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A SPDY session with a server, whose streams a test opens itself. */
async function openSession(url: string, protocol: string = protocols.v4): Promise<SpdySession> {
  const { channel } = await requestUpgrade({ url, protocols: [protocol] });
  return createSpdySession({ transport: channel, role: 'client', clock: systemClock });
}

const open = (session: SpdySession, streamType: string) => session.createStream({ streamtype: streamType });
const text = async (stream: SpdyStream) => Buffer.from(await collect(stream)).toString();
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));

test('25: a client that does not open its streams is cut off after 30 s, and the command never runs', async () => {
  const clock = new FakeClock();
  let ran = false;
  const handler = async () => {
    ran = true;
    return ended;
  };
  await using server = await start({ streams: output, handler, clock });
  const session = await openSession(server.url);
  await open(session, 'error');
  clock.advance(29_000);
  await tick();
  assert.equal(server.openSockets(), 1);
  clock.advance(2_000);
  await session.closed;
  assert.match(String((await server.served()).error), /timed out waiting for client to create streams/);
  assert.equal(ran, false);
  assert.equal(clock.pendingTimers, 0);
});

test('103: at the end come the output, its FIN, the status and its FIN, and the client leaves', async () => {
  const handler = async (session: RemoteCommandSession) => {
    session.stdout?.write(Buffer.from('out'));
    return ended;
  };
  await using server = await start({ streams: output, handler });
  const session = await openSession(server.url);
  const [error, stdout, stderr] = [
    await open(session, 'error'),
    await open(session, 'stdout'),
    await open(session, 'stderr'),
  ];
  const order: string[] = [];
  const note = (name: string, stream: SpdyStream) =>
    text(stream).then((content) => {
      order.push(name);
      return content;
    });
  const contents = await Promise.all([note('stdout', stdout), note('stderr', stderr), note('error', error)]);
  assert.deepEqual(contents, ['out', '', '{"status":"Success"}']);
  assert.equal(order.at(-1), 'error');
  session.close();
  assert.deepEqual(await server.served(), { statusCode: 101, outcome: ended, error: null });
});

test('106: a stream of an unknown type, a second one of a type, and a late one are reset', async () => {
  const release = Promise.withResolvers<void>();
  const handler = async () => {
    await release.promise;
    return ended;
  };
  await using server = await start({ streams: output, handler });
  const session = await openSession(server.url);
  const isReset = (error: unknown) => error instanceof SpdyError && error.code === 'reset';
  await open(session, 'error');
  await assert.rejects(open(session, 'bogus'), isReset);
  await assert.rejects(open(session, 'error'), isReset);
  await open(session, 'stdout');
  await open(session, 'stderr');
  await tick();
  await assert.rejects(open(session, 'stdout'), isReset);
  release.resolve();
  session.close();
  assert.equal((await server.served()).error, null);
});

test('117: a client that opens stderr for a terminal gets an empty one, and needs no resize stream', async () => {
  const handler = async (session: RemoteCommandSession) => {
    assert.equal(session.stderr, null);
    session.stdout?.write(Buffer.from('screen'));
    return ended;
  };
  await using server = await start({ streams: { ...terminal, stderr: true, stdin: false }, handler });
  const session = await openSession(server.url);
  const [, stdout, stderr] = [
    await open(session, 'error'),
    await open(session, 'stdout'),
    await open(session, 'stderr'),
  ];
  assert.deepEqual(await Promise.all([text(stdout), text(stderr)]), ['screen', '']);
  session.close();
});

const oldOutcomes: { outcome: CommandOutcome; text: string }[] = [
  { outcome: ended, text: '' },
  {
    outcome: { kind: 'exited', exitCode: 3, message: 'exit status 3' },
    text: 'command terminated with non-zero exit code: exit status 3',
  },
];

for (const protocol of [protocols.v1, protocols.v2, protocols.v3]) {
  test(`30: ${protocol} clients get plain text on failure and nothing on success`, async () => {
    for (const { outcome, text: wanted } of oldOutcomes) {
      await using server = await start({ streams: output, handler: async () => outcome });
      const session = await openSession(server.url, protocol);
      const error = await open(session, 'error');
      for (const type of ['stdout', 'stderr']) text(await open(session, type));
      assert.equal(await text(error), wanted);
      session.close();
    }
  });
}

for (const { streams, first } of [
  { streams: both, first: 1 },
  { streams: { ...output, stdout: false }, first: 2 },
  { streams: { ...both, stdout: false, stderr: false }, first: 3 },
]) {
  test(`35: the first WebSocket message is empty and on channel ${first}`, async () => {
    await using server = await start({ streams, handler: async () => ended });
    const client = new WebSocket(server.url.replace('http', 'ws'), [protocols.v4]);
    const message = await new Promise<Buffer>((resolve) =>
      client.once('message', (data: Buffer) => resolve(data)),
    );
    assert.deepEqual([...message], [first]);
    await new Promise((resolve) => client.once('close', resolve));
  });

  test(`35: a v5 client is given a moment before its empty first message, on channel ${first}`, async () => {
    const quiet = Promise.withResolvers<CommandOutcome>();
    const clock = new FakeClock();
    await using server = await start({ streams, clock, handler: () => quiet.promise });
    const client = new WebSocket(server.url.replace('http', 'ws'), [protocols.v5]);
    const messages: number[][] = [];
    client.on('message', (data: Buffer) => messages.push([...data]));
    await new Promise((resolve) => client.once('open', resolve));
    assert.deepEqual(messages, []);
    clock.advance(greetingDelayMs);
    await new Promise((resolve) => client.once('message', resolve));
    quiet.resolve(ended);
    await new Promise((resolve) => client.once('close', resolve));
    assert.deepEqual(messages[0], [first]);
    assert.equal(messages[1]?.[0], channels.error);
  });
}

test('109: a WebSocket client that asks for no sub-protocol is served as v1', async () => {
  await using server = await start({
    streams: output,
    handler: async () => ({ kind: 'failed', message: 'no' }),
  });
  const client = new WebSocket(server.url.replace('http', 'ws'));
  const messages: string[] = [];
  client.on('message', (data) => messages.push(data.toString()));
  const code = await new Promise((resolve) => client.once('close', resolve));
  assert.deepEqual([code, messages], [1000, ['\x01', '\x03Internal error occurred: no']]);
});

test('a WebSocket v5 client is refused by a runtime that does not terminate v5', async () => {
  await using server = await start({
    streams: output,
    handler: async () => ended,
    webSocketProtocols: undefined,
  });
  const error = await dialWebSocket({ url: server.url, protocols: [protocols.v5] }).catch((reason) => reason);
  assert.equal(error.statusCode, 403);
  assert.equal((await server.served()).statusCode, 403);
});

for (const transport of ['spdy', 'websocket'] as const) {
  const connect = (url: string, streams: RemoteCommandStreams) =>
    connectRemoteCommand({ url, streams, transport });
  const drain = (connection: Awaited<ReturnType<typeof connect>>) => {
    if (connection.stdout) collect(connection.stdout).catch(() => {});
    if (connection.stderr) collect(connection.stderr).catch(() => {});
  };

  test(`45: a process that has closed its output still gets all its input over ${transport}`, async () => {
    const total = 64 * 2 ** 20;
    const handler = async (session: RemoteCommandSession): Promise<CommandOutcome> => {
      session.stdout?.end();
      session.stderr?.end();
      let got = 0;
      await new Promise<void>((resolve) => {
        session.stdin?.receive({
          data: (chunk) => (got += chunk.length),
          end: resolve,
          closed: () => resolve(),
        });
      });
      return { kind: 'exited', exitCode: got === total ? 0 : 9 };
    };
    await using server = await start({ streams: both, handler });
    const connection = await connect(server.url, both);
    drain(connection);
    for (let sent = 0; sent < total; sent += 2 ** 20) {
      if (!connection.stdin?.write(Buffer.alloc(2 ** 20))) await connection.stdin?.drained();
    }
    connection.stdin?.end();
    assert.equal(await connection.exitCode, 0);
  });

  test(`46: a client that is cut off aborts the session's signal over ${transport}`, async () => {
    const aborted = Promise.withResolvers<unknown>();
    const handler = async ({ signal }: RemoteCommandSession) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted.resolve(signal.reason);
      return ended;
    };
    await using server = await start({ streams: both, handler });
    const connection = await connect(server.url, both);
    drain(connection);
    connection.close();
    assert.match(String(await aborted.promise), /the client has gone/);
    await assert.rejects(connection.exitCode, { code: 'aborted' });
    assert.equal((await server.served()).outcome, ended);
  });

  test(`28: an abort by the signal ends the session as aborted over ${transport}`, async () => {
    await using server = await start({ streams: both, handler: () => new Promise(() => {}) });
    const abort = new AbortController();
    const connection = await connectRemoteCommand({
      url: server.url,
      streams: both,
      transport,
      signal: abort.signal,
    });
    drain(connection);
    abort.abort(new Error('enough'));
    await assert.rejects(connection.exitCode, { code: 'aborted' });
  });

  test(`44: a reader that pauses for long gets every byte and the exit code over ${transport}`, async () => {
    const total = 32 * 2 ** 20;
    const handler = async (session: RemoteCommandSession): Promise<CommandOutcome> => {
      for (let sent = 0; sent < total; sent += 2 ** 18) {
        if (!session.stdout?.write(Buffer.alloc(2 ** 18))) await session.stdout?.drained();
      }
      return { kind: 'exited', exitCode: 5 };
    };
    await using server = await start({ streams: output, handler });
    const connection = await connect(server.url, output);
    collect(connection.stderr!);
    const got = collect(connection.stdout!, { bytesMax: total });
    connection.stdout?.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    connection.stdout?.resume();
    assert.equal((await got).length, total);
    assert.equal(await connection.exitCode, 5);
    assert.equal((await server.served()).error, null);
  });

  test(`110: sizes sent to a command without a terminal stall nothing over ${transport}`, async () => {
    const handler = async (session: RemoteCommandSession): Promise<CommandOutcome> => {
      const input = await collect(session.stdin!);
      for await (const _ of session.sizes) assert.fail('a size for a command without a terminal');
      return { kind: 'exited', exitCode: input.length };
    };
    await using server = await start({ streams: both, handler });
    if (transport === 'websocket') {
      const client = new WebSocket(server.url.replace('http', 'ws'), [protocols.v5]);
      await new Promise((resolve) => client.once('open', resolve));
      for (let count = 0; count < 1000; count++) client.send(Buffer.from('\x04{"Width":1,"Height":1}\n'));
      client.send(Buffer.from('\x00abc'));
      client.send(Uint8Array.of(255, 0));
      const status = new Promise<string>((resolve) => {
        client.on('message', (data: Buffer) => data[0] === 3 && resolve(data.subarray(1).toString()));
      });
      assert.match(await status, /"ExitCode","message":"3"/);
    } else {
      const connection = await connect(server.url, both);
      connection.resize({ width: 1, height: 1 });
      connection.stdin?.write(Buffer.from('abc'));
      connection.stdin?.end();
      drain(connection);
      assert.equal(await connection.exitCode, 3);
    }
  });

  test(`49: 200 sessions over ${transport} leave no socket and no timer`, async () => {
    const clock = new FakeClock();
    await using server = await start({ streams: output, handler: async () => ended, clock });
    for (let round = 0; round < 10; round++) {
      const connections = await Promise.all(Array.from({ length: 20 }, () => connect(server.url, output)));
      for (const connection of connections) drain(connection);
      await Promise.all(connections.map((connection) => connection.exitCode));
    }
    // The last ones are still on their way down.
    for (let look = 0; look < 250 && server.openSockets() + clock.pendingTimers > 0; look++) await tick();
    assert.equal(server.openSockets(), 0);
    assert.equal(clock.pendingTimers, 0);
  });

  test(`46: a handler that fails is a failure with its text over ${transport}`, async () => {
    await using server = await start({
      streams: output,
      handler: () => Promise.reject(new Error('error executing command in container: gone')),
    });
    const connection = await connect(server.url, output);
    drain(connection);
    await assert.rejects(connection.exitCode, {
      code: 'failure',
      message: 'Internal error occurred: error executing command in container: gone',
    });
  });

  test(`42: of a burst of sizes the last one arrives over ${transport}`, async () => {
    const handler = async (session: RemoteCommandSession): Promise<CommandOutcome> => {
      for await (const { width } of session.sizes)
        if (width === 100) return { kind: 'exited', exitCode: 100 };
      return { kind: 'exited', exitCode: 1 };
    };
    await using server = await start({ streams: terminal, handler });
    const connection = await connect(server.url, terminal);
    drain(connection);
    for (let width = 1; width <= 100; width++) connection.resize({ width, height: 1 });
    assert.equal(await connection.exitCode, 100);
  });
}

test('what a client sends on streams that are not its own to send on stands in the way of nothing', async () => {
  const handler = async ({ stdin }: RemoteCommandSession) => {
    const length = stdin ? (await collect(stdin)).length : 0;
    return { kind: 'exited', exitCode: length } as const;
  };
  await using server = await start({ streams: both, handler });
  const session = await openSession(server.url);
  const [error, stdin, stdout, stderr] = [
    await open(session, 'error'),
    await open(session, 'stdin'),
    await open(session, 'stdout'),
    await open(session, 'stderr'),
  ];
  for (const stream of [error, stdout, stderr]) stream.write(Buffer.alloc(3 * 1024 * 1024));
  stdin.write(Buffer.from('seven b'));
  stdin.end();
  const status = await Promise.race([
    text(error),
    new Promise((resolve) => setTimeout(resolve, 5_000, 'none')),
  ]);
  assert.match(String(status), /"ExitCode","message":"7"/);
  session.close();
});

for (const transport of ['spdy', 'websocket'] as const) {
  test(`over ${transport} the client of a handler that ends with no outcome is told so, and does not wait`, async () => {
    for (const [outcome, shown] of [
      [undefined, 'undefined'],
      [{ kind: 'exited', exitCode: null }, 'exit code null'],
      [{ kind: 'exited', exitCode: -1 }, 'exit code -1'],
    ]) {
      const handler = async () => outcome as CommandOutcome;
      await using server = await start({ streams: output, handler });
      const command = await connectRemoteCommand({ url: server.url, streams: output, transport });
      await Promise.all([collect(command.stdout!), collect(command.stderr!)]);
      await assert.rejects(command.exitCode, {
        code: 'failure',
        message: `Internal error occurred: the handler ended with ${shown}, which is no outcome of a command`,
      });
      assert.equal((await server.served()).error, null);
    }
  });
}
