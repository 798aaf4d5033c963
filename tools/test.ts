/**
 * Runs every test: the packages' own first, then e2e with real nodes. Arguments narrow it down, e.g.
 * `npm test -- packages/spdy e2e/exec.test.ts`. The exit code is 0 only when no test failed and at least one ran.
 */
import { existsSync, globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

interface Round {
  title: string;
  files: string[];
  /** Test files at once. A node under test is several processes, so its files run one after another. */
  concurrency: number;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  todo: number;
}

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

async function runRound({ title, files, concurrency }: Round): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  if (files.length === 0) return counts;
  console.log(`\n== ${title}: ${files.length} files, ${concurrency} at once`);
  const stream = run({ files, concurrency });
  stream.on('test:pass', ({ skip, todo, details }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined && skip !== false) counts.skipped += 1;
    else if (todo !== undefined && todo !== false) counts.todo += 1;
    else counts.passed += 1;
  });
  stream.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) counts.failed += 1;
  });
  await new Promise((resolve, reject) => {
    stream.compose(spec).once('end', resolve).once('error', reject).pipe(process.stdout, { end: false });
  });
  return counts;
}

const wanted = process.argv.slice(2);
const started = performance.now();
const rounds: Round[] = [
  {
    title: 'packages',
    files: filesOf(patterns.unit, wanted),
    concurrency: Math.max(1, availableParallelism()),
  },
  { title: 'e2e', files: filesOf(patterns.node, wanted), concurrency: 1 },
];
const total: Counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
for (const round of rounds) {
  const counts = await runRound(round);
  for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped, ${total.todo} to do in ${seconds} s`,
);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
