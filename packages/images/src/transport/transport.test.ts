import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { queryObjects } from 'node:v8';
import { systemClock } from '@wherry/clock';
import { Transport } from './transport.ts';

test('nothing is kept of the hosts that a registry leads to, however many it names', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const transport = new Transport({
    ...{ context: createSecureContext(), skipsVerification: false, prefersTls: false },
    ...{ dialTimeoutMs: 5_000, clock: systemClock, environment: {} },
  });
  const send = (last: number) =>
    transport.send(new URL(`https://127.0.1.${last}:${port}/`), { signal: new AbortController().signal });
  await assert.rejects(send(1), { code: 'ECONNREFUSED' });
  const before = queryObjects(Agent, { format: 'count' });
  for (let last = 2; last < 100; last += 1) await assert.rejects(send(last), { code: 'ECONNREFUSED' });
  assert.equal(queryObjects(Agent, { format: 'count' }), before);
});
