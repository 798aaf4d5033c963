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

/** The counts, and the files that a test failed in. */
export interface Outcome extends Counts {
  failedFiles: string[];
}

async function runRound({ title, files, concurrency, fileTimeoutMs }: Round): Promise<Outcome> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  const failedFiles = new Set<string>();
  if (files.length === 0) return { ...counts, failedFiles: [] };
  console.log(`\n== ${title}: ${files.length} files, ${concurrency} at once`);
  const stream = run({ files, concurrency, timeout: fileTimeoutMs });
  stream.on('test:pass', ({ skip, todo, details }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined && skip !== false) counts.skipped += 1;
    else if (todo !== undefined && todo !== false) counts.todo += 1;
    else counts.passed += 1;
  });
  stream.on('test:fail', ({ todo, file, name }) => {
    if (todo !== undefined && todo !== false) return;
    counts.failed += 1;
    failedFiles.add(relative(process.cwd(), file ?? name));
  });
  await new Promise((resolve, reject) => {
    stream.compose(spec).once('end', resolve).once('error', reject).pipe(process.stdout, { end: false });
  });
  return { ...counts, failedFiles: [...failedFiles] };
}

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
    if (!second.failedFiles.includes(file))
      console.log(`\n${file} failed at first and passed when run alone`);
  }
  return {
    ...first,
    passed: first.passed + second.passed,
    failed: second.failed,
    failedFiles: second.failedFiles,
  };
}

/** Prints the counts as the last line; the exit code is 0 only when nothing failed and something ran. */
export function conclude({ passed, failed, skipped }: Counts): void {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
