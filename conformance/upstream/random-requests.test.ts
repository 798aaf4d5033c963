/**
 * Stories that chance tells, to our API server and to Kubernetes' own: the same answers, but for what is known.
 * SEEDS=1,2,3 tells others; then only what is not known counts. `chance/find.ts` tells many.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { judgeStories } from './chance/judge-stories.ts';
import { requests } from './chance/suites.ts';
import { prepare } from './chance/tell.ts';
import { TwoServers } from './two-servers.ts';

const { SEEDS: ownSeeds } = process.env;
/** Together they meet each difference that is known. */
const usualSeeds = [2, 14, 20, 27, 34, 38, 45, 60];
const seeds = ownSeeds === undefined ? usualSeeds : ownSeeds.split(',').map(Number);

let two: TwoServers;
before(async () => {
  two = await TwoServers.start({ port: 16_481, etcdPort: 23_894 });
  await prepare(two, requests.definitions);
});
after(() => two.close());

it(`requests by chance have upstream's answers, but for what is known (SEEDS=${seeds.join()})`, async () => {
  const { unknown, gone } = await judgeStories(two, requests, { seeds, requestsOfStory: 40 });
  assert.deepEqual(unknown, []);
  if (ownSeeds === undefined) assert.deepEqual(gone, [], 'these occur no longer: take them off the list');
});
