import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { ServedKinds } from './served-kinds.ts';

it('many changes of definitions lead to one question, soon after the first of them', async (context) => {
  let asked = 0;
  const request = async () => {
    asked += 1;
    return { kind: 'APIGroupDiscoveryList', items: [] };
  };
  const clock = new FakeClock();
  const client = { request } as unknown as KubeClient;
  const served = new ServedKinds({ client, clock, logger: silentLogger }).start();
  context.after(() => served.close());
  await clock.advanceAsync(1);
  const perRound = asked;
  for (let change = 0; change < 9; change += 1) served.expectChange();
  await clock.advanceAsync(limits.discoverySoonMs);
  assert.equal(asked, 2 * perRound);
  await clock.advanceAsync(limits.discoveryPeriodMs - limits.discoverySoonMs);
  assert.equal(asked, 2 * perRound);
  await clock.advanceAsync(limits.discoverySoonMs);
  assert.equal(asked, 3 * perRound);
});
