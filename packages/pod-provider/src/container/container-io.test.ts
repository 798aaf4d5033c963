import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { type ByteSink, channelPair, collect } from '@wherry/bytes';
import { FakeClock } from '@wherry/clock';
import type { RemoteCommandSession } from '@wherry/remotecommand';
import { limits } from '../limits.ts';
import { ContainerIo } from './container-io.ts';

const never = new Promise<void>(() => {});

function sessionOf(more: Partial<RemoteCommandSession>): RemoteCommandSession {
  const sizes = (async function* () {})();
  const streams = { stdin: null, stdout: null, stderr: null, sizes, signal: new AbortController().signal };
  return { transport: 'spdy', protocol: 'v4.channel.k8s.io', ...streams, ...more };
}

test('a client that takes nothing holds the container up for a while, and is let go then', async () => {
  const clock = new FakeClock();
  const io = new ContainerIo({ clock, log: undefined, hasInput: false, isInputOnce: false });
  let aborted: Error | undefined;
  const stuck = {
    write: () => false,
    drained: ({ signal }: { signal: AbortSignal }) =>
      new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    abort: (error: Error) => {
      aborted = error;
    },
  } as unknown as ByteSink;
  void io.attach(sessionOf({ stdout: stuck }), never);
  let isWritten = false;
  io.ofProcess.stdout.write('x', () => {
    isWritten = true;
  });
  await clock.advanceAsync(limits.attachPatienceMs - 1);
  assert.equal(isWritten, false);
  await clock.advanceAsync(1);
  assert.equal(isWritten, true);
  assert.ok(aborted);
  await new Promise((resolve) => io.ofProcess.stdout.write('y', resolve));
});

test('input that is given once ends with that of the first client, other input does not', async () => {
  for (const isInputOnce of [true, false]) {
    const io = new ContainerIo({ clock: new FakeClock(), log: undefined, hasInput: true, isInputOnce });
    const input = io.ofProcess.stdin as Readable & { writableEnded: boolean };
    const [client, stdin] = channelPair();
    void io.attach(sessionOf({ stdin }), never);
    const read = once(input, 'data');
    client.write(Buffer.from('words'));
    assert.equal(String((await read)[0]), 'words');
    client.end();
    await new Promise(setImmediate);
    assert.equal(input.writableEnded, isInputOnce);
  }
});

test('all who are attached read what the container writes, from then on', async () => {
  const io = new ContainerIo({ clock: new FakeClock(), log: undefined, hasInput: false, isInputOnce: false });
  const ended = Promise.withResolvers<void>();
  await new Promise((resolve) => io.ofProcess.stdout.write('before ', resolve));
  const pairs = [channelPair(), channelPair()];
  const attached = pairs.map(([, stdout]) => io.attach(sessionOf({ stdout }), ended.promise));
  await new Promise((resolve) => io.ofProcess.stdout.write('after', resolve));
  ended.resolve();
  await Promise.all(attached);
  for (const [client, stdout] of pairs) {
    stdout.end();
    assert.equal(String(Buffer.from(await collect(client))), 'after');
  }
});
