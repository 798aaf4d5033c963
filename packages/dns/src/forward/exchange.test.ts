import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from './exchange.ts';

test('a server that no route leads to fails the question, and not the process', async () => {
  const question = { id: 1, name: 'example.com', type: 1, message: Buffer.alloc(12) };
  // Nobody may connect to all hosts of the network; without a network there is no route either.
  const asked = exchange({ address: '255.255.255.255', port: 53 }, question, AbortSignal.timeout(60_000));
  await assert.rejects(asked, /EACCES|ENETUNREACH/);
});
