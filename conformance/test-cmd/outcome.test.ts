import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOutcomes, surprises } from './outcome.ts';

const outcomes = readOutcomes(
  'run_a 0 3\nrun_b 1 2\nrun_c 137 400\n',
  'run_a\tcore.sh:1\tyes\nrun_a\tcore.sh:1\tyes\nrun_b\tget.sh:7\tit ends here\n',
);

test('what each function told is read once for each place', () => {
  assert.deepEqual(outcomes.get('run_a'), { code: 0, unmet: ['core.sh:1 yes'] });
  assert.deepEqual(outcomes.get('run_c'), { code: 137, unmet: [] });
});

test('a difference counts unless its place is known, and so does a known one that is none any more', () => {
  const known = [{ name: 'run_a', at: ['core.sh:1', 'core.sh:2'], reason: 'meant' }];
  assert.deepEqual(surprises('run_a', outcomes.get('run_a')!, known), { unknown: [], gone: ['core.sh:2'] });
  assert.deepEqual(surprises('run_b', outcomes.get('run_b')!, known).unknown, ['get.sh:7 it ends here']);
});

test('a function of which everything is known to differ has to differ still', () => {
  const known = ['run_b', 'run_d'].map((name) => ({ name, at: ['everywhere'], reason: 'meant' }));
  assert.deepEqual(surprises('run_b', outcomes.get('run_b')!, known), { unknown: [], gone: [] });
  assert.deepEqual(surprises('run_d', { code: 0, unmet: [] }, known).gone, ['everywhere']);
});

test('a function that was ended has differed, though it told nothing', () => {
  assert.deepEqual(surprises('run_c', outcomes.get('run_c')!, []).unknown, ['it ended with 137']);
});
