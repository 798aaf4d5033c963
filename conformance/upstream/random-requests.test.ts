/**
 * Stories that chance tells, to our API server and to Kubernetes' own: the same answers, but for what is known.
 * SEEDS=1,2,3 tells others; then only what is not known counts. `chance/find.ts` tells many.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { unknownLines } from './chance/known-differences.ts';
import { requests } from './chance/suites.ts';
import { prepare, requestText, tell } from './chance/tell.ts';
import { TwoServers } from './two-servers.ts';

const { SEEDS: ownSeeds } = process.env;
/** Together they meet each difference that is known. */
const usualSeeds = [2, 14, 20, 27, 34, 38, 45, 60];
const seeds = ownSeeds === undefined ? usualSeeds : ownSeeds.split(',').map(Number);
const requestsOfStory = 40;

const { definitions, story, known } = requests;
let two: TwoServers;
before(async () => {
  two = await TwoServers.start({ port: 16_481, etcdPort: 23_894 });
  await prepare(two, definitions);
});
after(() => two.close());

it(`requests by chance have upstream's answers, but for what is known (SEEDS=${seeds.join()})`, async () => {
  const seen = new Set<RegExp>();
  const unknown: string[] = [];
  for (const seed of seeds) {
    for (const difference of await tell(two, story(seed, requestsOfStory))) {
      const lines = unknownLines(difference, known, (pattern) => seen.add(pattern));
      if (lines.length === 0) continue;
      const request = requestText(difference.asked);
      unknown.push([`seed ${seed}, step ${difference.step}: ${request}`, ...lines].join('\n  '));
    }
  }
  assert.deepEqual(unknown, []);
  if (ownSeeds !== undefined) return;
  const gone = known.filter(([pattern]) => !seen.has(pattern));
  assert.deepEqual(
    gone.map(([pattern]) => String(pattern)),
    [],
    'these occur no longer: take them off the list',
  );
});
