import { type Outcome, run } from './run.ts';
import type { Step } from './steps.ts';

/**
 * Leaves out steps of a run that failed for as long as it still fails, in any way: first halves, then quarters, then
 * single ones. Gives back the shortest run found.
 */
export async function shrink(failed: Outcome): Promise<Outcome> {
  let best = await run(failed.seed, { runtime: failed.runtime, chosen: failed.steps, hasStacks: true });
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.steps.length; ) {
      const outcome = await run(failed.seed, {
        runtime: failed.runtime,
        chosen: without(best.steps, at, size),
        hasStacks: true,
      });
      if (outcome.failure) best = outcome;
      else at += size;
    }
  }
  return best;
}

/** What is left out still takes its time, so that the rest happens when it did. */
function without(steps: readonly Step[], at: number, size: number): Step[] {
  const lostMs = steps.slice(at, at + size).reduce((sum, { afterMs }) => sum + afterMs, 0);
  const rest = steps
    .slice(at + size)
    .map((step, index) => (index === 0 ? { ...step, afterMs: step.afterMs + lostMs } : step));
  return [...steps.slice(0, at), ...rest];
}
