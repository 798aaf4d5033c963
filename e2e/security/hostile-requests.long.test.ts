/** The long form of hostile-requests.test.ts: each run draws other requests. */
import { after, before, test } from 'node:test';
import { TestNode } from '../node.ts';
import { stretched } from '../slowness.ts';
import { type Besieged, checkSiege, chooseSeed, prepareSiege } from './hostile/check.ts';

let besieged: Besieged;

before(async () => {
  besieged = await prepareSiege(await TestNode.start());
});
after(() => besieged?.node.remove());

test('100 000 damaged requests crash nothing, raise nobody and change nothing', {
  timeout: stretched(880_000),
}, async (context) => {
  const log = (line: string) => context.diagnostic(line);
  await checkSiege(besieged, { apiRequests: 85_000, kubeletRequests: 15_000, seed: chooseSeed(log) }, log);
});
