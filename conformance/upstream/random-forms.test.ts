/**
 * Requests and answers in all forms that clients use, made by chance and told to our API server and to Kubernetes' own: the same
 * answers, but for what is known. What is protobuf is opened with upstream's Go types, and written again by them: the same bytes
 * but for fields that say nothing. SEEDS=1,2,3 tells others; then only what is not known counts. `chance/find.ts forms` tells many.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { judgeStories } from './chance/judge-stories.ts';
import { createForms, type Suite } from './chance/suites.ts';
import { prepare } from './chance/tell.ts';
import { patchedKinds } from './patches/kinds.ts';
import { TwoServers } from './two-servers.ts';

const { SEEDS: ownSeeds } = process.env;
/** A story of each kind, and what else meets the differences that are known. */
const usualSeeds = [...patchedKinds.keys(), 47, 53, 60];
const seeds = ownSeeds === undefined ? usualSeeds : ownSeeds.split(',').map(Number);

let two: TwoServers;
let forms: Suite;
before(async () => {
  forms = await createForms();
  two = await TwoServers.start({ port: 16_399, etcdPort: 23_817 });
  await prepare(two, forms.definitions);
});
after(async () => {
  forms?.close?.();
  await two?.close();
});

it(`answers in all forms are upstream's, but for what is known (${seeds.length} stories)`, async () => {
  const { unknown, gone } = await judgeStories(two, forms, { seeds, requestsOfStory: 40 });
  assert.deepEqual(unknown, []);
  if (ownSeeds === undefined) assert.deepEqual(gone, [], 'these occur no longer: take them off the list');
});
