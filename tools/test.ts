/**
 * Runs the tests: the packages' own first, then e2e with real nodes. Arguments narrow it down, e.g.
 * `npm test -- packages/spdy e2e/exec.test.ts`. `--long` runs the long ones, `*.long.test.ts`, and no others, in one round. The exit
 * code is 0 only when no test failed and at least one ran.
 *
 * Most tests drive real processes, and a busy machine can starve one of them. A file that fails is therefore run once
 * more, alone; what passes then is named and counted as flaky, what fails again has failed.
 */
import { existsSync, globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { shareCompiledModules } from './compiled-modules.ts';
import { conclude, type Outcome, printSlowest, type Round, runWithSecondChance, sum } from './rounds.ts';

const patterns = {
  unit: [
    'packages/*/src/**/*.test.ts',
    'packages/*/test/**/*.test.ts',
    'packages/*/examples/**/*.test.ts',
    'tools/**/*.test.ts',
    'simulation/**/*.test.ts',
  ],
  node: ['e2e/**/*.test.ts'],
};

/** They measure memory and rates: nothing runs beside them. */
const alone = ['e2e/attach-slow.long.test.ts', 'e2e/many-sessions.long.test.ts', 'e2e/memory.long.test.ts'];

/** Tests that need nothing but the code of their package do; others look at the memory, the children or the handles of their process. */
const sharesProcess = (file: string) =>
  /^packages\/[^/]+\/src\//.test(file) &&
  !/^packages\/(linux|monitor|runtime)\//.test(file) &&
  file !== 'packages/kubelet/src/logs/log-output.test.ts';

const isAlone = (file: string) => alone.includes(file);
const isLong = (file: string) => file.endsWith('.long.test.ts');

function filesOf(globs: string[], { wanted, long }: Choice): string[] {
  const files = globs.flatMap((glob) => globSync(glob)).sort();
  if (wanted.length === 0) return files.filter((file) => isLong(file) === long);
  return files.filter((file) =>
    wanted.some((path) => file === path || (isInside(file, path) && isLong(file) === long)),
  );
}

function isInside(file: string, folder: string): boolean {
  return (
    existsSync(folder) && statSync(folder).isDirectory() && file.startsWith(`${folder.replace(/\/$/, '')}/`)
  );
}

/** Which files to run: those named, or in a named folder; all when none is named. */
interface Choice {
  wanted: string[];
  long: boolean;
}

for (const file of alone) if (!existsSync(file)) throw new Error(`${file} is to run alone, and is not there`);
shareCompiledModules();
const words = process.argv.slice(2);
const choice: Choice = { wanted: words.filter((word) => word !== '--long'), long: words.includes('--long') };
const started = performance.now();
const processors = availableParallelism();
// More files than there are processors: each waits for part of its time, one with a node of its own for more of it.
const atOnce = processors + 1;
const nodesAtOnce = processors + 2;
const unitFiles = filesOf(patterns.unit, choice);
const nodeFiles = filesOf(patterns.node, choice);
for (const path of choice.wanted)
  if (![...unitFiles, ...nodeFiles].some((file) => file === path || isInside(file, path)))
    throw new Error(
      `${path}: no test that is run here; those of conformance/ are run by npm run conformance`,
    );
const measured = {
  title: 'e2e, measured',
  files: nodeFiles.filter(isAlone),
  concurrency: 1,
  fileTimeoutMs: 900_000,
};
const besideOthers = nodeFiles.filter((file) => !isAlone(file));
const rounds: Round[] = choice.long
  ? [
      // Most of them wait for most of their time.
      {
        title: 'long',
        files: [...unitFiles, ...besideOthers],
        concurrency: nodesAtOnce,
        fileTimeoutMs: 900_000,
      },
      measured,
    ]
  : [
      {
        title: 'packages',
        files: unitFiles,
        concurrency: atOnce,
        fileTimeoutMs: 300_000,
        filesPerProcess: 16,
        sharesProcess,
      },
      { title: 'e2e', files: besideOthers, concurrency: nodesAtOnce, fileTimeoutMs: 600_000 },
      measured,
    ];
const outcomes: Outcome[] = [];
for (const round of rounds) outcomes.push(await runWithSecondChance(round));
const total = sum(outcomes);
printSlowest(outcomes);
console.log(`\n${total.todo} to do; all in ${((performance.now() - started) / 1000).toFixed(1)} s`);
conclude(total);
