import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FuzzedServer } from '../fuzz/connection.ts';

const connections = 200;
const framesPerConnection = 100;

test('20 000 WebSocket frames, many of them damaged, end their own connections at most', {
  timeout: 60_000,
}, async () => {
  await using server = await FuzzedServer.start();
  let refused = 0;
  let receivedBytes = 0;
  for (let seed = 1; seed <= connections; seed++) {
    const outcome = await server.converse(seed, framesPerConnection);
    receivedBytes += outcome.receivedBytes;
    if (outcome.isRefused) refused++;
  }
  assert.ok(refused > connections / 10, `only ${refused} connections were refused: the fuzzer is too tame`);
  assert.ok(refused < connections, 'every connection was refused: the fuzzer is too wild to reach deep');
  assert.ok(receivedBytes > 0, 'nothing came through');
  assert.equal(server.openSockets(), 0);
});
