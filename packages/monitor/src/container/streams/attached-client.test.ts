import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type ByteChannel, channelPair } from '@wherry/bytes';
import { FakeClock } from '@wherry/clock';
import { limits } from '../../limits.ts';
import { AttachedClient } from './attached-client.ts';

const clock = new FakeClock();
const patienceMs = 1_500;
const chunkBytes = 4 * 1024;
const highWaterBytes = 64 * 1024;

/** A client whose own end is `far`, sent so much that its container has to wait. */
function slowClient(): { client: AttachedClient; far: ByteChannel; isDropped: () => boolean } {
  const [near, far] = channelPair({ highWaterBytes });
  let isDropped = false;
  const client = new AttachedClient({
    attachment: { stdout: near, stderr: null },
    clock,
    patienceMs,
    onDropped: () => {
      isDropped = true;
    },
  });
  far.receive({ data: () => far.pause(), end() {}, closed() {} });
  far.pause();
  while (client.ready() === null) client.send('stdout', new Uint8Array(chunkBytes));
  return { client, far, isDropped: () => isDropped };
}

/** Lets time pass until `wait` is over. */
async function passing(wait: Promise<void>): Promise<void> {
  let isOver = false;
  void wait.then(() => {
    isOver = true;
  });
  for (await turn(); !isOver; ) await clock.advanceAsync(limits.attachLookMs);
}

/** Sends whenever the client has room; the bytes sent until `deadlineMs` has passed or nobody waits any more. */
async function sendFor(client: AttachedClient, durationMs: number): Promise<number> {
  const endMs = clock.monotonicMs() + durationMs;
  for (let sentBytes = 0; ; sentBytes += chunkBytes) {
    const ready = client.ready();
    if (ready === null || clock.monotonicMs() > endMs) return sentBytes;
    await passing(ready);
    client.send('stdout', new Uint8Array(chunkBytes));
  }
}

test('a client that takes nothing slows its container to a trickle, and not for longer than its patience', async () => {
  const { client } = slowClient();
  const startedMs = clock.monotonicMs();
  const sentBytes = await sendFor(client, 10 * patienceMs);
  const tookMs = clock.monotonicMs() - startedMs;
  assert.ok(tookMs >= patienceMs && tookMs <= patienceMs + limits.attachLookMs, `${tookMs} ms`);
  const expected = (patienceMs / 1_000) * limits.attachTrickleBytesPerSecond;
  assert.ok(
    sentBytes >= expected / 2 && sentBytes <= expected + 2 * chunkBytes,
    `${sentBytes} bytes in ${tookMs} ms`,
  );
});

test('a client that was not waited for is dropped when it is too far behind', async () => {
  const { client, isDropped } = slowClient();
  await sendFor(client, 10 * patienceMs);
  let sentBytes = 0;
  for (; !isDropped() && client.ready() === null; sentBytes += chunkBytes)
    client.send('stdout', new Uint8Array(chunkBytes));
  assert.ok(isDropped());
  assert.ok(sentBytes <= limits.attachBacklogBytesMax + chunkBytes);
});

test('a client that takes a little now and then is waited for, however long it takes', async () => {
  const { client, far, isDropped } = slowClient();
  let isDone = false;
  const sending = (async () => {
    while (!isDone) {
      await (client.ready() ?? turn());
      client.send('stdout', new Uint8Array(chunkBytes));
    }
  })();
  for (let round = 0; round < 6; round++) {
    await clock.advanceAsync(patienceMs / 2);
    far.resume();
  }
  assert.ok(!isDropped());
  assert.notEqual(client.ready(), null, 'nobody waits for it any more');
  isDone = true;
  far.resume();
  await passing(sending);
});
