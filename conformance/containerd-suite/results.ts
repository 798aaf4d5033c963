import { choiceOf, reasonOf } from './reasons.ts';

/** What came out of a test or a part of one. */
export interface TestResult {
  /** As Go writes it: `Test/part`. */
  name: string;
  outcome: 'pass' | 'fail' | 'skip';
  /** What it said of a failure or a skip, in one line. */
  said: string;
}

interface TestEvent {
  Action: string;
  Test?: string;
  Output?: string;
}

const outcomes: ReadonlySet<string> = new Set(['pass', 'fail', 'skip']);

/** What is worth telling of a test's output: testify's error, or else its last line. */
function essence(output: string): string {
  const [, error] = /^\s*Error:\s+(.+(?:\n\s+\t.+)*)/m.exec(output) ?? [];
  const lines = output.split('\n').filter((line) => /^\s+\S+\.go:\d+: /.test(line));
  const last = lines.at(-1)?.replace(/^\s+\S+\.go:\d+: /, '') ?? '';
  return (error ?? last).replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

const eventsOf = (text: string): TestEvent[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** What tests printed, from what `go tool test2json` wrote. */
export const plainOutput = (text: string): string =>
  eventsOf(text)
    .map(({ Output }) => Output ?? '')
    .join('');

/** Reads what `go tool test2json` wrote. A test that never ended has failed. */
export function readResults(text: string): TestResult[] {
  const output = new Map<string, string>();
  const ended = new Map<string, TestResult['outcome']>();
  for (const { Action, Test, Output = '' } of eventsOf(text)) {
    if (Test === undefined) continue;
    output.set(Test, (output.get(Test) ?? '') + Output);
    if (outcomes.has(Action)) ended.set(Test, Action as TestResult['outcome']);
  }
  return [...output].map(([name, said]) => {
    const outcome = ended.get(name) ?? 'fail';
    return { name, outcome, said: outcome === 'pass' ? '' : essence(said) };
  });
}

/** Whether a failure is this runtime's own fault. Of a test that failed in a part, the part tells. */
export function isOurs({ name, outcome }: TestResult, all: readonly TestResult[]): boolean {
  if (outcome !== 'fail' || choiceOf(name) !== undefined) return false;
  return !all.some((part) => part.name.startsWith(`${name}/`) && part.outcome === 'fail');
}

const cell = (text: string) => text.replaceAll('|', '\\|');

function told(result: TestResult, all: readonly TestResult[]): string {
  const { name, outcome, said } = result;
  const choice = choiceOf(name);
  if (outcome === 'pass') return 'passed';
  if (outcome === 'skip') return `skipped itself: ${cell(said)}`;
  if (choice !== undefined) return `otherwise here: ${choice}`;
  return isOurs(result, all) ? `**ours**: ${cell(said)}` : 'passed but for what stands below';
}

/** The page: every test that ran, the parts that did not pass, and the tests of `notRun` with their reasons. */
export function resultsPage(
  results: readonly TestResult[],
  { notRun, version, date }: { notRun: readonly string[]; version: string; date: Date },
): string {
  const tests = results.filter(({ name }) => !name.includes('/'));
  const count = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome).length;
  const shown = results.filter(({ name, outcome }) => !name.includes('/') || outcome !== 'pass');
  const sorted = shown.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const counts = `${count('pass')} passed, ${count('fail')} failed whole or in a part, ${count('skip')} skipped themselves`;
  return [
    "# containerd's own CRI integration suite",
    '',
    `Of containerd ${version}, against this runtime's socket, by \`npm run conformance -- containerd-suite --keep\`.`,
    '',
    `${date.toISOString().slice(0, 10)}: ${tests.length} of ${tests.length + notRun.length} tests speak CRI alone: ${counts}.`,
    '',
    '| test | what came out |',
    '| --- | --- |',
    ...sorted.map((result) => `| ${result.name} | ${told(result, results)} |`),
    '',
    'Not run, since they judge containerd and not its CRI:',
    '',
    '| test | why |',
    '| --- | --- |',
    ...notRun.toSorted().map((name) => `| ${name} | ${reasonOf(name) ?? ''} |`),
    '',
  ].join('\n');
}
