import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** How many seeds one process runs when there are more: few, so that all processors have work to the end. */
export const batchSeedsMax = 400;

/** A process tells by its exit code how many of its seeds failed, up to this. */
export const failuresToldMax = 100;

const program = fileURLToPath(new URL('./simulate.ts', import.meta.url));

/** Runs `count` seeds from `first` on, by a process for each processor, with the same other words. Gives how many failed. */
export async function runBatches(first: number, count: number, words: readonly string[]): Promise<number> {
  const starts = Array.from(
    { length: Math.ceil(count / batchSeedsMax) },
    (_, at) => first + at * batchSeedsMax,
  );
  const waiting = starts.values();
  let failed = 0;
  const runInTurn = async () => {
    for (const start of waiting) {
      const seeds = Math.min(batchSeedsMax, first + count - start);
      const own = [program, ...words, '--seed', String(start), '--seeds', String(seeds)];
      const [code] = await once(spawn(process.execPath, own, { stdio: 'inherit' }), 'exit');
      failed += code ?? failuresToldMax;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runInTurn));
  return failed;
}
