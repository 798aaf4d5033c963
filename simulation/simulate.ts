/**
 * Runs seeds of the simulation: `npm run simulate -- --seed N --steps M --seeds COUNT [--runtime real|alone|fake] [--pace steady|hurried|parted]`. With `--trace`
 * it prints what happened also in those that went well. Of a seed that fails it prints the command that repeats it, as
 * few of its steps as still fail (all of them with `--whole`), and the trace of those. Many seeds are run by several
 * processes (batches.ts).
 */
import './hooks.ts';
import { parseArgs } from 'node:util';

const { batchSeedsMax, failuresToldMax, runBatches } = await import('./batches.ts');
const { paces, run, stepsDefault } = await import('./world/run.ts');
const { shrink } = await import('./world/shrink.ts');
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: String(stepsDefault) },
    seeds: { type: 'string', default: '1' },
    runtime: { type: 'string', default: 'real' },
    pace: { type: 'string', default: 'steady' },
    whole: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
});
const [first, steps, count] = [values.seed, values.steps, values.seeds].map(wholeNumber) as [
  number,
  number,
  number,
];
const runtime = runtimeKind(values.runtime);
const pace = paceOf(values.pace);
const startedMs = performance.now();
let failed = 0;
if (count > batchSeedsMax) failed = await runBatches(first, count, process.argv.slice(2));
else for (let seed = first; seed < first + count; seed += 1) await judge(seed);
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
console.log(`${count} seeds of ${steps} steps in ${seconds} s: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : Math.min(failed, failuresToldMax);

async function judge(seed: number): Promise<void> {
  const outcome = await run(seed, { steps, runtime, pace });
  if (values.trace) console.log(outcome.trace.join('\n'));
  if (!outcome.failure) return;
  failed += 1;
  const { steps: chosen } = outcome;
  const whole = () => run(seed, { runtime, chosen, hasStacks: true });
  const shortest = values.whole ? await whole() : await shrink(outcome);
  console.log(shortest.trace.join('\n'));
  console.log(`seed ${seed} failed: ${outcome.failure.message}`);
  console.log(`above: ${shortest.steps.length} of its ${steps} steps, with ${shortest.failure?.stack}`);
  console.log(
    `again: npm run simulate -- --seed ${seed} --steps ${steps} --runtime ${runtime} --pace ${pace}`,
  );
}

function runtimeKind(text: string): 'fake' | 'alone' | 'real' {
  if (text !== 'fake' && text !== 'alone' && text !== 'real')
    throw new Error(`"${text}" is no runtime: want real, alone or fake`);
  return text;
}

function paceOf(text: string): (typeof paces)[number] {
  const pace = paces.find((name) => name === text);
  if (!pace) throw new Error(`"${text}" is no pace: want one of ${paces.join(', ')}`);
  return pace;
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is no whole number`);
  return Number(text);
}
