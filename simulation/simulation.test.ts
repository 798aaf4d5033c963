import './hooks.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptSeeds } from './kept-seeds.ts';

const { run } = await import('./world/run.ts');

const fixedSeeds = Array.from({ length: 12 }, (_, index) => 1_001 + index);

async function expectClean(seed: number): Promise<void> {
  const { failure, trace } = await run(seed);
  if (failure)
    assert.fail(`${failure.message}\nnpm run simulate -- --seed ${seed}\n${trace.slice(-20).join('\n')}`);
}

test('the same seed gives the same run, to the line', async () => {
  const [first, again] = [await run(7), await run(7)];
  assert.ok(first.trace.length > 50);
  assert.deepEqual(again.trace, first.trace);
});

test('a dozen seeds break no rule, converge and leave nothing behind', async () => {
  for (const seed of fixedSeeds) await expectClean(seed);
});

for (const { seed, behaviour } of keptSeeds) test(`${behaviour} (seed ${seed})`, () => expectClean(seed));
