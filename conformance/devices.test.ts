/** Which devices claims get, against upstream's own allocator, with devices and claims made by chance. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AllocationResult } from '@wherry/kubeapi';
import { DeviceAllocator } from '../packages/controllers/src/scheduler/devices/allocate-devices.ts';
import { AllocationError } from '../packages/controllers/src/scheduler/devices/allocation-error.ts';
import { allocationResult } from '../packages/controllers/src/scheduler/devices/allocation-result.ts';
import { DeviceUse } from '../packages/controllers/src/scheduler/devices/device-use.ts';
import {
  loadSelectors,
  SelectorCache,
} from '../packages/controllers/src/scheduler/devices/selector-cache.ts';
import { SeededRandom } from '../packages/kubeapi/test/random-object.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';
import { DeviceMaker, type DeviceQuestion } from './peers/random-devices.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
const rounds = Number(process.env['ROUNDS'] ?? 1000);
const selectors = new SelectorCache();

interface Allocation {
  error?: string;
  results?: AllocationResult[] | null;
}

function ours({ node, claims, classes, slices, taken }: DeviceQuestion): Allocation {
  const view = {
    slices: new Map(slices.map((slice) => [slice.metadata.name!, slice])),
    classes: new Map(classes.map((each) => [each.metadata.name!, each])),
    selectors,
    use: new DeviceUse([{ devices: { results: taken } }]),
  };
  try {
    const given = new DeviceAllocator(node, claims, view).allocate();
    return { results: given?.map((each, index) => allocationResult(claims[index]!, each, 'a')) ?? null };
  } catch (error) {
    if (error instanceof AllocationError) return { error: error.message };
    throw error;
  }
}

/** What stands in both: which share of a device it is, each makes up; and Go writes out what a selector leaves out. */
function comparable({ error, results }: Allocation): unknown {
  if (error !== undefined) return error.replace(/(could not retrieve device class \w+).*/, '$1');
  return JSON.parse(
    JSON.stringify(results ?? null, (name, value) => (name === 'shareID' ? 'a share' : value)),
    (_name, value) => (value && typeof value === 'object' && !Array.isArray(value) ? sorted(value) : value),
  );
}

const sorted = (object: object) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

it(`gives claims the devices that upstream’s allocator gives them (SEED=${seed})`, async () => {
  await loadSelectors();
  const judge = new Judge<{ error?: string; allocation?: Allocation }>(
    process.env['JUDGE'] ?? (await buildGoPeer('podrulesjudge')),
  );
  const maker = new DeviceMaker(new SeededRandom(seed));
  const seen = { given: 0, none: 0, refused: 0 };
  let seenLong = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const question = maker.question();
      const answer = await judge.ask({ devices: question });
      assert.equal(answer.error, undefined);
      const theirs = answer.allocation!;
      const told = () => `SEED=${seed} round ${round}: ${JSON.stringify(question, null, 1)}`;
      const found = ours(question);
      // Upstream counts time where we count steps.
      if (found.error?.endsWith('timed out trying to allocate devices')) {
        seenLong += 1;
        continue;
      }
      const mine = comparable(found);
      try {
        assert.deepEqual(mine, comparable(theirs));
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${told()}`);
      }
      seen[theirs.error === undefined ? (theirs.results ? 'given' : 'none') : 'refused'] += 1;
    }
  } finally {
    judge.close();
  }
  assert.ok(seenLong <= rounds / 500, `too long: ${seenLong}`);
  for (const [what, times] of Object.entries(seen)) assert.ok(times > rounds / 50, `${what}: ${times}`);
});
