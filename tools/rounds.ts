/** Rounds of test files, run by Node's own runner; what fails is run once more, alone, and counted as flaky when it passes then. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';

/** Files that are run together. */
export interface Round {
  title: string;
  files: string[];
  /** Test files at once. */
  concurrency: number;
  /** No file takes longer than this; one that hangs fails. */
  fileTimeoutMs: number;
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

/** Runs the files of a round, each by itself so that one that hangs can be ended: the runner's own `timeout` only reports it. */
async function runRound({
  title,
  files,
  concurrency,
  fileTimeoutMs,
}: Round): Promise<Map<string, FileOutcome>> {
  const outcomes = new Map(files.map((file) => [file, newFileOutcome()]));
  if (files.length === 0) return outcomes;
  console.log(`\n== ${title}: ${files.length} files, ${concurrency} at once`);
  const waiting = outcomes.entries();
  const runInTurn = async () => {
    for (const [file, outcome] of waiting)
      process.stdout.write(await runFile(file, outcome, AbortSignal.timeout(fileTimeoutMs)));
  };
  await Promise.all(Array.from({ length: concurrency }, runInTurn));
  return outcomes;
}

/** Runs one file until it has ended or `signal` ends it, notes what became of its tests, and gives back what is to be printed. */
async function runFile(file: string, outcome: FileOutcome, signal: AbortSignal): Promise<string> {
  const stream = run({ files: [file], concurrency: 1, signal });
  stream.on('test:pass', ({ skip, todo, details, nesting }) => {
    if (nesting === 0) outcome.durationMs += details.duration_ms;
    if (details.type === 'suite') return;
    if (isSet(skip)) outcome.skipped += 1;
    else if (isSet(todo)) outcome.todo += 1;
    else outcome.passed += 1;
  });
  stream.on('test:fail', ({ todo, name, details, nesting }) => {
    if (isSet(todo)) return;
    if (nesting === 0) outcome.durationMs += details.duration_ms;
    const error = details.error.cause instanceof Error ? details.error.cause : details.error;
    outcome.failures.push({ file, name, message: firstCharacters(error) });
  });
  return text(Readable.from(withoutCounts(stream)).compose(spec));
}

/** The counts are given once for all files, at the end. */
async function* withoutCounts(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events)
    if (event.type !== 'test:diagnostic' || !countOfTests.test(event.data.message)) yield event;
}

const countOfTests = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const errorCharactersMax = 600;
const firstCharacters = ({ message }: Error) => message.slice(0, errorCharactersMax);

/** Runs a round, and the files that failed in it once more, alone: those count by their second run. */
export async function runWithSecondChance(
  round: Round,
  runFiles: (round: Round) => Promise<Map<string, FileOutcome>> = runRound,
): Promise<Outcome> {
  const first = await runFiles(round);
  const failed = round.files.filter((file) => (first.get(file)?.failures.length ?? 0) > 0);
  if (failed.length === 0) return { files: first, flaky: [] };
  const title = `${round.title}, failed files once more`;
  const second = await runFiles({ ...round, title, files: failed, concurrency: 1 });
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
