/** Rounds of test files, run by Node's own runner. */
import { relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** Files that are run together. */
export interface Round {
  title: string;
  files: string[];
  /** Test files at once. A node under test is several processes, so its files run one after another. */
  concurrency: number;
  /** No file takes longer than this; one that hangs fails. */
  fileTimeoutMs: number;
}

/** What became of the tests. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  todo: number;
}

/** The counts, and what failed. */
export interface Outcome extends Counts {
  /** The files that a test failed in. */
  failedFiles: string[];
  /** A line for each test that failed: its file, its name and its error. */
  failures: string[];
}

async function runRound({ title, files, concurrency, fileTimeoutMs }: Round): Promise<Outcome> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  const failedFiles = new Set<string>();
  const failures: string[] = [];
  if (files.length === 0) return { ...counts, failedFiles: [], failures: [] };
  console.log(`\n== ${title}: ${files.length} files, ${concurrency} at once`);
  const stream = run({ files, concurrency, timeout: fileTimeoutMs });
  stream.on('test:pass', ({ skip, todo, details }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined && skip !== false) counts.skipped += 1;
    else if (todo !== undefined && todo !== false) counts.todo += 1;
    else counts.passed += 1;
  });
  stream.on('test:fail', ({ todo, file, name, details }) => {
    if (todo !== undefined && todo !== false) return;
    const path = relative(process.cwd(), file ?? name);
    counts.failed += 1;
    failedFiles.add(path);
    const { error } = details;
    failures.push(`${path}: ${name}: ${firstLines(error.cause instanceof Error ? error.cause : error)}`);
  });
  await new Promise((resolve, reject) => {
    stream.compose(spec).once('end', resolve).once('error', reject).pipe(process.stdout, { end: false });
  });
  return { ...counts, failedFiles: [...failedFiles], failures };
}

const errorCharactersMax = 600;
const firstLines = ({ message }: Error) => message.slice(0, errorCharactersMax);

/** Runs a round, and what failed in it once more, alone. Failures of the first run do not count then. */
export async function runWithSecondChance(round: Round): Promise<Outcome> {
  const first = await runRound(round);
  if (first.failedFiles.length === 0) return first;
  const files = round.files.filter((file) => first.failedFiles.includes(file));
  if (files.length !== first.failedFiles.length) return first;
  const second = await runRound({
    ...round,
    title: `${round.title}, failed files once more`,
    files,
    concurrency: 1,
  });
  for (const file of files) {
    if (second.failedFiles.includes(file)) continue;
    console.log(`\n${file} failed at first and passed when run alone:`);
    for (const failure of first.failures) if (failure.startsWith(`${file}: `)) console.log(failure);
  }
  return {
    ...first,
    passed: first.passed + second.passed,
    failed: second.failed,
    failedFiles: second.failedFiles,
    failures: second.failures,
  };
}

/** What became of several rounds. */
export function sum(outcomes: Outcome[]): Outcome {
  const count = (key: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    todo: count('todo'),
    failedFiles: outcomes.flatMap(({ failedFiles }) => failedFiles),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** Prints what failed, and the counts as the last line; the exit code is 0 only when nothing failed and something ran. */
export function conclude({ passed, failed, skipped, failures }: Outcome): void {
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
