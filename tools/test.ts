/**
 * Runs every test: the packages' own first, then e2e with real nodes. Arguments narrow it down, e.g.
 * `npm test -- packages/spdy e2e/exec.test.ts`. The exit code is 0 only when no test failed and at least one ran.
 *
 * Most tests drive real processes, and a busy machine can starve one of them. A file that fails is therefore run once
 * more, alone, and named at the end; what fails again has failed.
 */
import { existsSync, globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { conclude, type Outcome, type Round, runWithSecondChance, sum } from './rounds.ts';

const patterns = {
  unit: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'packages/*/examples/**/*.test.ts'],
  node: ['e2e/**/*.test.ts'],
};

function filesOf(globs: string[], wanted: string[]): string[] {
  const files = globs.flatMap((glob) => globSync(glob)).sort();
  if (wanted.length === 0) return files;
  return files.filter((file) => wanted.some((path) => file === path || isInside(file, path)));
}

function isInside(file: string, folder: string): boolean {
  return (
    existsSync(folder) && statSync(folder).isDirectory() && file.startsWith(`${folder.replace(/\/$/, '')}/`)
  );
}

const wanted = process.argv.slice(2);
const started = performance.now();
const rounds: Round[] = [
  {
    title: 'packages',
    files: filesOf(patterns.unit, wanted),
    concurrency: Math.max(1, availableParallelism()),
    fileTimeoutMs: 180_000,
  },
  { title: 'e2e', files: filesOf(patterns.node, wanted), concurrency: 1, fileTimeoutMs: 600_000 },
];
const outcomes: Outcome[] = [];
for (const round of rounds) outcomes.push(await runWithSecondChance(round));
const total = sum(outcomes);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`\n${total.todo} to do; all in ${seconds} s`);
conclude(total);
