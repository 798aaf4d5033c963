import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelPair } from '@wherry/bytes';
import { FakeClock } from '@wherry/clock';
import { joinChannels } from './join.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A client and a backend, joined. */
function joined() {
  const clock = new FakeClock();
  const [client, nearClient] = channelPair();
  const [backend, nearBackend] = channelPair();
  for (const end of [client, backend]) end.receive({ data() {}, end() {}, closed() {} });
  let isOver = false;
  const outcome = joinChannels({ client: nearClient, backend: nearBackend, clock }).finally(() => {
    isOver = true;
  });
  const pass = async (durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 5_000) clock.advance(5_000);
    await settle();
  };
  return { client, backend, outcome, pass, isOver: () => isOver };
}

test('a backend that says nothing for 5 min after its client has ended is cut off', async () => {
  const { client, outcome, pass, isOver } = joined();
  await pass(60 * 60_000);
  client.end();
  await settle();
  await pass(290_000);
  assert.ok(!isOver());
  await pass(20_000);
  assert.match(String((await outcome).error), /no byte passed the proxy/);
});

test('a client that says nothing after its backend has ended may still be reading', async () => {
  const { client, backend, outcome, pass, isOver } = joined();
  backend.end();
  await settle();
  await pass(60 * 60_000);
  assert.ok(!isOver());
  client.end();
  assert.equal((await outcome).error, null);
});
