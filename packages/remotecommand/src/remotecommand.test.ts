import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ByteSource, collect, onAbort } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import { SessionBook } from '@wherry/telemetry';
import { upgradeServer } from '../../upgrade/test/upgrade-server.ts';
import { runProcess } from '../test/run-process.ts';
import {
  type CommandOutcome,
  connectRemoteCommand,
  RemoteCommandError,
  type RemoteCommandSession,
  type RemoteCommandStreams,
  type ServedRemoteCommand,
  serveRemoteCommand,
  translateRemoteCommand,
} from './index.ts';
import { protocols } from './protocols.ts';

const noStreams: RemoteCommandStreams = { stdin: false, stdout: true, stderr: true, tty: false };
const withInput: RemoteCommandStreams = { ...noStreams, stdin: true };

/** Every road from client to server: what the client asks for, and whether a translator stands between. */
const roads = [
  { name: 'SPDY v4', transport: 'spdy', translated: false, webSocketProtocols: undefined, halfCloses: true },
  {
    name: 'WebSocket v4',
    transport: 'websocket',
    translated: false,
    webSocketProtocols: [protocols.v4],
    halfCloses: false,
  },
  {
    name: 'WebSocket v4 in base64',
    transport: 'websocket',
    translated: false,
    webSocketProtocols: [protocols.v4Base64],
    halfCloses: false,
  },
  {
    name: 'WebSocket v5',
    transport: 'websocket',
    translated: false,
    webSocketProtocols: [protocols.v5],
    halfCloses: true,
  },
  {
    name: 'WebSocket v5 translated to SPDY v4',
    transport: 'websocket',
    translated: true,
    webSocketProtocols: [protocols.v5],
    halfCloses: true,
  },
] as const;

type Road = (typeof roads)[number];

async function start(
  road: Road,
  streams: RemoteCommandStreams,
  handler: Parameters<typeof serveRemoteCommand>[0]['handler'],
) {
  const served: Promise<ServedRemoteCommand>[] = [];
  const server = await upgradeServer((request, socket, head) => {
    if (road.translated && request.url === '/front') {
      translateRemoteCommand({ request, socket, head, streams, backend: { url: `${server.url}/back` } });
      return;
    }
    const webSocketProtocols = Object.values(protocols);
    served.push(serveRemoteCommand({ request, socket, head, streams, handler, webSocketProtocols }));
  });
  const connection = await connectRemoteCommand({
    url: `${server.url}/front`,
    transport: road.transport,
    webSocketProtocols: road.webSocketProtocols,
    streams,
  });
  return { server, connection, served };
}

const text = async (source: ByteSource | null) =>
  source ? Buffer.from(await collect(source)).toString() : '';

for (const road of roads) {
  for (const exitCode of [0, 1, 137, 255]) {
    test(`26: exit code ${exitCode} reaches the client over ${road.name}`, async () => {
      const run = runProcess(['sh', '-c', `echo out; echo err >&2; exit ${exitCode}`]);
      const { server, connection, served } = await start(road, noStreams, run);
      await using _ = server;
      const [stdout, stderr] = await Promise.all([text(connection.stdout), text(connection.stderr)]);
      assert.equal(await connection.exitCode, exitCode);
      assert.deepEqual([stdout, stderr], ['out\n', 'err\n']);
      const [outcome] = await Promise.all(served);
      assert.equal(outcome?.error, null);
    });
  }

  test(`a command that can't be run is a failure with the runtime's text over ${road.name}`, async () => {
    const { server, connection } = await start(road, noStreams, runProcess(['/no/such/command']));
    await using _ = server;
    text(connection.stdout);
    text(connection.stderr);
    await assert.rejects(connection.exitCode, (error) => {
      assert.ok(error instanceof RemoteCommandError);
      assert.equal(error.code, 'failure');
      assert.match(error.message, /Internal error occurred: error executing command in container: no/);
      return true;
    });
  });

  if (!road.halfCloses) continue;
  test(`31, 33: echo x | exec -i -- cat ends by itself over ${road.name}`, async () => {
    const { server, connection } = await start(road, withInput, runProcess(['cat']));
    await using _ = server;
    connection.stdin?.write(Buffer.from('x\n'));
    connection.stdin?.end();
    text(connection.stderr);
    assert.equal(await text(connection.stdout), 'x\n');
    assert.equal(await connection.exitCode, 0);
  });
}

test('32: WebSocket v4 has no end of stdin: ending it does nothing, and leaving ends the command', async () => {
  const road = roads.find(({ name }) => name === 'WebSocket v4')!;
  const handed = Promise.withResolvers<string>();
  const { server, connection } = await start(road, withInput, async ({ stdin, signal }) => {
    let got = '';
    stdin?.receive({ data: (chunk) => (got += Buffer.from(chunk)), end() {}, closed() {} });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    handed.resolve(got);
    return { kind: 'exited', exitCode: 0 };
  });
  await using _ = server;
  text(connection.stdout).catch(() => {});
  text(connection.stderr).catch(() => {});
  connection.stdin?.write(Buffer.from('all that'));
  connection.stdin?.end();
  const first = await Promise.race([
    handed.promise,
    new Promise((resolve) => setTimeout(resolve, 100, 'still runs')),
  ]);
  assert.equal(first, 'still runs');
  connection.close();
  assert.equal(await handed.promise, 'all that');
});

/** A client over the translator that sends these words, and leaves by a close frame once they are on their way. */
async function writeAndClose(
  streams: RemoteCommandStreams,
  closeCode: number | undefined,
  run: Parameters<typeof start>[2],
) {
  const server = await upgradeServer((request, socket, head) => {
    if (request.url === '/back') void serveRemoteCommand({ request, socket, head, streams, handler: run });
    else translateRemoteCommand({ request, socket, head, streams, backend: { url: `${server.url}/back` } });
  });
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/front`, protocols.v5);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send(Buffer.from('\0words'));
  socket.close(closeCode);
  return server;
}

for (const closeCode of [1000, undefined])
  test(`a client that closes its WebSocket of v5 in order, with ${closeCode ?? 'no'} code, has ended the input, and the command goes on`, async () => {
    const put = Promise.withResolvers<string>();
    await using _ = await writeAndClose(withInput, closeCode, async ({ stdin, signal }) => {
      const got = await text(stdin).catch(String);
      const left = new Promise((resolve) => signal.addEventListener('abort', () => resolve('hung up')));
      const later = new Promise((resolve) => setTimeout(resolve, 50, 'went on'));
      put.resolve(`${got} ${await Promise.race([left, later])}`);
      return { kind: 'exited', exitCode: 0 };
    });
    assert.equal(await put.promise, 'words went on');
  });

for (const { name, transport, translated } of roads.filter(({ halfCloses }) => halfCloses))
  for (const how of ['close', 'signal'] as const)
    test(`a terminal that its client leaves by ${how} over ${name} is told as closed, not as broken, at each hop`, async () => {
      const book = new SessionBook({ hop: 'apiserver', clock: systemClock });
      const streams = { stdin: true, stdout: true, stderr: false, tty: true };
      const hungUp = Promise.withResolvers<void>();
      const over: Promise<unknown>[] = [];
      const handler = async ({ signal }: RemoteCommandSession): Promise<CommandOutcome> => {
        await new Promise((resolve) => onAbort(signal, resolve));
        hungUp.resolve();
        return { kind: 'failed', message: 'hung up' };
      };
      await using server = await upgradeServer((request, socket, head) => {
        const session = book.open({ kind: 'exec' });
        const asked = { request, socket, head, streams, session };
        const backend = { url: `${server.url}/back` };
        if (request.url === '/front' && translated) over.push(translateRemoteCommand({ ...asked, backend }));
        else over.push(serveRemoteCommand({ ...asked, handler, webSocketProtocols: [protocols.v5] }));
      });
      const abort = new AbortController();
      const url = `${server.url}/front`;
      const connection = await connectRemoteCommand({ url, transport, streams, signal: abort.signal });
      text(connection.stdout).catch(() => {});
      if (how === 'close') connection.close();
      else abort.abort(new Error('enough'));
      await assert.rejects(connection.exitCode, { code: 'aborted' });
      await hungUp.promise;
      await Promise.all(over);
      const ends = book.list().items.map(({ end }) => `${end?.reason} by the ${end?.by}`);
      assert.deepEqual(
        ends,
        over.map(() => 'closed by the client'),
      );
    });

test('a terminal whose client closes its WebSocket in order is hung up', async () => {
  const left = Promise.withResolvers<void>();
  const streams = { stdin: true, stdout: true, stderr: false, tty: true };
  await using _ = await writeAndClose(streams, 1000, async ({ signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    left.resolve();
    return { kind: 'exited', exitCode: 0 };
  });
  await left.promise;
});
