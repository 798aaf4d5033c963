import './hooks.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keptSeeds } from './kept-seeds.ts';
import type { RunOptions } from './world/run.ts';

const { run, stepsDefault } = await import('./world/run.ts');

const fixedSeeds = Array.from({ length: 6 }, (_, index) => 1_001 + index);

async function expectClean(seed: number, options: RunOptions): Promise<void> {
  const { failure, trace } = await run(seed, options);
  const { runtime, pace = 'steady', steps = stepsDefault } = options;
  const again = `npm run simulate -- --seed ${seed} --steps ${steps} --runtime ${runtime} --pace ${pace}`;
  if (failure) assert.fail(`${failure.message}\n${again}\n${trace.slice(-20).join('\n')}`);
}

for (const runtime of ['fake', 'alone', 'real'] as const) {
  test(`the same seed gives the same run, to the line, over the ${runtime} runtime`, async () => {
    const [first, again] = [await run(7, { runtime }), await run(7, { runtime })];
    assert.ok(first.trace.length > 50);
    assert.deepEqual(again.trace, first.trace);
  });

  test(`some seeds break no rule, converge and leave nothing behind over the ${runtime} runtime`, async () => {
    for (const seed of fixedSeeds) await expectClean(seed, { runtime });
  });
}

test('a kubelet that is parted from its API server, and one that is set back, break no rule either', async () => {
  for (const seed of fixedSeeds) await expectClean(seed, { runtime: 'alone', pace: 'parted' });
});

for (const { seed, behaviour, ...options } of keptSeeds)
  test(`${behaviour} (seed ${seed})`, () => expectClean(seed, options));

test('a run that is over keeps nothing in memory, whatever was killed in it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapAfter = async (seeds: readonly number[]) => {
    for (const seed of seeds) await run(seed, { runtime: 'fake' });
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const before = await heapAfter([1, 2, 3]);
  const after = await heapAfter([4, 5, 6, 7, 8]);
  // What one run needs is more than this; five that were kept were 8 MiB.
  assert.ok(after - before < 2, `${before} MiB became ${after} MiB`);
});
