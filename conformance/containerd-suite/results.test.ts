import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isOurs, readResults, resultsPage } from './results.ts';

const event = (Action: string, Test?: string, Output?: string) => JSON.stringify({ Action, Test, Output });
const output = [
  event('start'),
  event('output', 'TestA', '=== RUN   TestA\n'),
  event('pass', 'TestA'),
  event('output', 'TestB', '=== RUN   TestB\n'),
  event('output', 'TestB/one', '    b_test.go:3: \n        \tError:      \tReceived unexpected error:\n'),
  event(
    'output',
    'TestB/one',
    '        \t            \ttimeout | exceeded\n        \tTest:       \tTestB/one\n',
  ),
  event('fail', 'TestB/one'),
  event('fail', 'TestB'),
  event('output', 'TestC', '    c_test.go:9: Requires cgroup v2\n'),
  event('skip', 'TestC'),
  event('output', 'TestD', 'panic: out of range\n'),
  event('output', 'TestDuplicateName', '    Error: An error is expected\n'),
  event('fail', 'TestDuplicateName'),
  'no JSON',
].join('\n');

it('a failure is told by the part that failed, a test that went down has failed, and what is chosen is no fault', () => {
  const results = readResults(output);
  const ours = results.filter((result) => isOurs(result, results)).map(({ name }) => name);
  assert.deepEqual(ours, ['TestB/one', 'TestD']);
  const page = resultsPage(results, { notRun: ['TestImageLoad'], version: 'v2', date: new Date(0) });
  assert.match(page, /1970-01-01: 5 of 6 tests speak CRI alone: 1 passed, 3 failed whole .*, 1 skipped/);
  assert.match(page, /\| TestB \| passed but for what stands below \|/);
  assert.match(page, /\| TestB\/one \| \*\*ours\*\*: Received unexpected error: timeout \\\| exceeded/);
  assert.match(page, /\| TestC \| skipped itself: Requires cgroup v2 \|/);
  assert.match(page, /\| TestDuplicateName \| otherwise here: a container that is asked for again/);
  assert.match(page, /\| TestImageLoad \| loads an image by docker and ctr \|/);
});
