import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { connectRemoteCommand, type RemoteCommandSession, serveRemoteCommand } from '@wherry/remotecommand';
import { upgradeServer } from '../../../upgrade/test/upgrade-server.ts';
import { joinSession } from './run.ts';

const streams = { stdin: true, stdout: true, stderr: false, tty: false };

/** A session with a command that takes all input; how that ended for the command. */
async function start(
  transport: 'websocket' | 'spdy',
  handler: (session: RemoteCommandSession) => Promise<void>,
) {
  const server = await upgradeServer((request, socket, head) => {
    void serveRemoteCommand({
      request,
      socket,
      head,
      streams,
      webSocketProtocols: ['v5.channel.k8s.io'],
      handler: async (session) => {
        await handler(session);
        return { kind: 'exited', exitCode: 7 };
      },
    });
  });
  return { server, connection: await connectRemoteCommand({ url: server.url, streams, transport }) };
}

for (const transport of ['websocket', 'spdy'] as const) {
  test(`input that breaks off here fails the session, and the command never sees its end, over ${transport}`, async () => {
    const seen = Promise.withResolvers<string>();
    const { server, connection } = await start(transport, async ({ stdin, signal }) => {
      stdin?.receive({ data() {}, end: () => seen.resolve('the end'), closed() {} });
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      seen.resolve('no end');
    });
    await using _ = server;
    const stdin = Readable.from(
      (async function* () {
        yield Buffer.from('a part');
        throw new Error('the disk is broken');
      })(),
    );
    await assert.rejects(joinSession(connection, { stdin, stdout: undefined }), /the disk is broken/);
    assert.equal(await seen.promise, 'no end');
  });

  test(`output whose stream fails in a promise fails the session, and not the process, over ${transport}`, async () => {
    const { server, connection } = await start(transport, async ({ stdout, signal }) => {
      stdout?.write(Buffer.from('said'));
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    await using _ = server;
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => void Promise.resolve().then(() => done(new Error('nobody there'))),
    });
    await assert.rejects(joinSession(connection, { stdout }), /nobody there/);
  });

  test(`a web stream gets the output and nothing else, and is its owner’s again, over ${transport}`, async () => {
    const { server, connection } = await start(transport, async ({ stdout }) => {
      stdout?.write(Buffer.from('said'));
    });
    await using _ = server;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const reader = readable.getReader();
    const joined = joinSession(connection, { stdout: writable });
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'said');
    assert.equal(await joined, 7);
    await Promise.all([writable.close(), reader.read().then(({ done }) => assert.ok(done))]);
  });

  test(`a web stream that nobody reads from any more ends the session, over ${transport}`, async () => {
    const { server, connection } = await start(transport, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    await using _ = server;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const joined = joinSession(connection, { stdout: writable });
    await readable.cancel(new Error('the page is gone'));
    await assert.rejects(joined, /the page is gone/);
    assert.equal(writable.locked, false);
  });

  test(`a command that ends without its input gives back its exit code, over ${transport}`, async () => {
    const { server, connection } = await start(transport, async () => {});
    await using _ = server;
    const stdin = new Readable({ read() {} });
    stdin.push('more to come');
    connection.stdout?.receive({ data() {}, end() {}, closed() {} });
    assert.equal(await joinSession(connection, { stdin }), 7);
  });
}
