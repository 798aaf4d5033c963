/** Rounds of test files, run by Node's own runner; what fails is run once more, alone, and counted as flaky when it passes then. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';

/** Files that are run together. */
export interface Round {
  title: string;
  files: string[];
  /** Processes of test files at once. */
  concurrency: number;
  /** No file takes longer than this; one that hangs fails. */
  fileTimeoutMs: number;
  /** Files that one process runs, one behind the other: they load what they share once. Default: 1. */
  filesPerProcess?: number;
  /** False for a file that has a process of its own all the same. */
  sharesProcess?: (file: string) => boolean;
}

/** A test that failed. */
export interface Failure {
  file: string;
  /** The test's own name, or the file's where the file itself failed. */
  name: string;
  /** The first characters of its error. */
  message: string;
}

/** What became of the tests of one file. */
export interface FileOutcome {
  passed: number;
  skipped: number;
  todo: number;
  failures: Failure[];
  durationMs: number;
}

/** What became of a round: each file's last run, and the tests that failed at first and passed when run alone. */
export interface Outcome {
  files: Map<string, FileOutcome>;
  flaky: Failure[];
}

/** The tests of several rounds, each counted once. */
export interface Total {
  passed: number;
  skipped: number;
  todo: number;
  failures: Failure[];
  flaky: Failure[];
}

const newFileOutcome = (): FileOutcome => ({ passed: 0, skipped: 0, todo: 0, failures: [], durationMs: 0 });
const isSet = (flag: string | boolean | undefined) => flag !== undefined && flag !== false;

/** Runs the files of a round. The runner's own `timeout` only reports a file that hangs, and its process goes on: here it is ended. */
async function runRound(round: Round): Promise<Map<string, FileOutcome>> {
  const { title, files, concurrency, fileTimeoutMs } = round;
  const outcomes = new Map(files.map((file) => [file, newFileOutcome()]));
  if (files.length === 0) return outcomes;
  const groups = groupsOf(round);
  const processes = groups.length < files.length ? ` in ${groups.length} processes` : '';
  console.log(`\n== ${title}: ${files.length} files${processes}, ${concurrency} at once`);
  const waiting = groups.values();
  const runInTurn = async () => {
    for (const group of waiting) process.stdout.write(await runGroup(group, outcomes, fileTimeoutMs));
  };
  await Promise.all(Array.from({ length: concurrency }, runInTurn));
  return outcomes;
}

/** Which files share a process: neighbours of one package. */
function groupsOf({ files, filesPerProcess = 1, sharesProcess = () => true }: Round): string[][] {
  const groups: string[][] = [];
  /** The group of each package that was begun last. */
  const open = new Map<string, string[]>();
  for (const file of files) {
    const root = file.split('/', 2).join('/');
    const group = sharesProcess(file) ? open.get(root) : undefined;
    if (group && group.length < filesPerProcess) {
      group.push(file);
      continue;
    }
    const begun = [file];
    groups.push(begun);
    if (sharesProcess(file)) open.set(root, begun);
  }
  return groups;
}

const timedOut = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

const groupProgram = join(import.meta.dirname, 'test-group.ts');

/** Runs files in one process, notes what became of their tests, and gives back what is to be printed. */
async function runGroup(
  group: string[],
  outcomes: Map<string, FileOutcome>,
  fileTimeoutMs: number,
): Promise<string> {
  const hung = new AbortController();
  const timer = setTimeout(() => hung.abort(timedOut), fileTimeoutMs);
  const program = group.length === 1 ? { files: group } : { files: [groupProgram], argv: group };
  const stream = run({ ...program, concurrency: 1, signal: hung.signal });
  const left = new Set(group);
  let outcome = newFileOutcome();
  const endsFile = (file: string) => {
    outcomes.set(file, { ...outcome, failures: outcome.failures.map((failure) => ({ ...failure, file })) });
    outcome = newFileOutcome();
    left.delete(file);
    timer.refresh();
  };
  const note = ({ name, nesting, details }: Told) => {
    if (nesting === 0) outcome.durationMs += details.duration_ms;
    // Where files share a process each is a suite, which is told of behind its tests.
    if (nesting === 0 && group.length > 1 && left.has(name)) endsFile(name);
  };
  stream.on('test:pass', (told) => {
    if (told.details.type !== 'suite') {
      if (isSet(told.skip)) outcome.skipped += 1;
      else if (isSet(told.todo)) outcome.todo += 1;
      else outcome.passed += 1;
    }
    note(told);
  });
  stream.on('test:fail', (told) => {
    const { error } = told.details;
    if (!isSet(told.todo) && !isOfSubtests(error))
      outcome.failures.push({ file: '', name: told.name, message: firstCharacters(error) });
    note(told);
  });
  const printed = await text(Readable.from(withoutCounts(stream)).compose(spec));
  if (group.length === 1) for (const file of group) endsFile(file);
  clearTimeout(timer);
  // What is left has failed; where nothing is, what failed behind the last file can be of each.
  const [behind] = outcome.failures;
  const failed = left.size > 0 ? left : behind ? group : [];
  for (const file of failed)
    outcomes.get(file)?.failures.push({ file, name: file, message: behind?.message ?? 'it did not end' });
  return printed;
}

/** What passing and failing tests have in common. */
interface Told {
  name: string;
  nesting: number;
  details: { duration_ms: number };
}

/** The counts are given once for all files, at the end. */
async function* withoutCounts(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events)
    if (event.type !== 'test:diagnostic' || !countOfTests.test(event.data.message)) yield event;
}

const countOfTests = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const errorCharactersMax = 600;
const firstCharacters = ({ message, cause }: Error) =>
  (cause instanceof Error ? cause.message : message).slice(0, errorCharactersMax);

/** True for a suite that failed since a test in it did, which is told by itself. */
const isOfSubtests = (error: Error) => 'failureType' in error && error.failureType === 'subtestsFailed';

/** Runs a round, and the files that failed in it once more, alone: those count by their second run. */
export async function runWithSecondChance(
  round: Round,
  runFiles: (round: Round) => Promise<Map<string, FileOutcome>> = runRound,
): Promise<Outcome> {
  const first = await runFiles(round);
  const failed = round.files.filter((file) => (first.get(file)?.failures.length ?? 0) > 0);
  if (failed.length === 0) return { files: first, flaky: [] };
  const title = `${round.title}, failed files once more`;
  const second = await runFiles({ ...round, title, files: failed, concurrency: 1, filesPerProcess: 1 });
  const flaky = failed.flatMap((file) => {
    const again = new Set(second.get(file)?.failures.map(({ name }) => name));
    return first.get(file)?.failures.filter(({ name }) => !again.has(name)) ?? [];
  });
  return { files: new Map([...first, ...second]), flaky };
}

/** What became of several rounds. */
export function sum(outcomes: Outcome[]): Total {
  const files = outcomes.flatMap((outcome) => [...outcome.files.values()]);
  const count = (key: 'passed' | 'skipped' | 'todo') => files.reduce((total, file) => total + file[key], 0);
  return {
    passed: count('passed'),
    skipped: count('skipped'),
    todo: count('todo'),
    failures: files.flatMap(({ failures }) => failures),
    flaky: outcomes.flatMap(({ flaky }) => flaky),
  };
}

const lineOf = ({ file, name, message }: Failure) => `${file}: ${name}: ${message}`;

/** The last lines of a run: what failed, what was flaky, and the counts. */
export function closingLines({ passed, skipped, failures, flaky }: Total): string[] {
  return [
    ...flaky.map((failure) => `flaky: failed at first, passed when run alone: ${lineOf(failure)}`),
    ...failures.map((failure) => `failed: ${lineOf(failure)}`),
    `${flaky.length} flaky${flaky.length === 0 ? '' : `: ${flaky.map(({ file, name }) => `${file} › ${name}`).join('; ')}`}`,
    `${passed} passed, ${failures.length} failed, ${skipped} skipped`,
  ];
}

/** Prints the closing lines; the exit code is 0 only when nothing failed and something ran. */
export function conclude(total: Total): void {
  for (const line of closingLines(total)) console.log(line);
  process.exitCode = total.failures.length === 0 && total.passed > 0 ? 0 : 1;
}

const slowestMax = 10;

/** Prints the files that took longest. */
export function printSlowest(outcomes: Outcome[]): void {
  const files = outcomes.flatMap((outcome) => [...outcome.files]);
  const slowest = files.sort(([, a], [, b]) => b.durationMs - a.durationMs).slice(0, slowestMax);
  console.log('\nslowest files:');
  for (const [file, { durationMs }] of slowest)
    console.log(`${(durationMs / 1000).toFixed(1).padStart(7)} s  ${file}`);
}
