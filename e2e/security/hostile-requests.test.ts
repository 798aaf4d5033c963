/** Damaged requests to a running API server and kubelet, by four roles; hostile-requests.long.test.ts sends 100 000. */
import { after, before, test } from 'node:test';
import { TestNode } from '../node.ts';
import { stretched } from '../slowness.ts';
import { type Besieged, checkSiege, chooseSeed, prepareSiege } from './hostile/check.ts';

let besieged: Besieged;

before(async () => {
  besieged = await prepareSiege(await TestNode.start());
});
after(() => besieged?.node.remove());

test('2 000 damaged requests crash nothing, raise nobody and change nothing', {
  timeout: stretched(240_000),
}, async (context) => {
  const log = (line: string) => context.diagnostic(line);
  await checkSiege(besieged, { apiRequests: 1_600, kubeletRequests: 400, seed: chooseSeed(log) }, log);
});
