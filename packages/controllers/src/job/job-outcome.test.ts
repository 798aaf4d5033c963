import assert from 'node:assert/strict';
import { it } from 'node:test';
import { conditionsWith, jobCondition } from './job-outcome.ts';

const told = (status: 'True' | 'False', reason: string, nowMs = 0) =>
  jobCondition('Suspended', status, { reason, message: '', nowMs });

it('a condition of a job takes the place of its type’s when it says something new', () => {
  const failed = jobCondition('Failed', 'False', { reason: 'Given', message: '', nowMs: 0 });
  const conditions = [told('True', 'JobSuspended'), failed];
  assert.deepEqual(conditionsWith(conditions, told('False', 'JobResumed', 5)), [
    told('False', 'JobResumed', 5),
    failed,
  ]);
  assert.deepEqual(conditionsWith(conditions, told('True', 'Other', 5)), [told('True', 'Other', 5), failed]);
  assert.equal(conditionsWith(conditions, told('True', 'JobSuspended', 5)), conditions);
});

it('a condition of a job that is not so is told only where it was so before', () => {
  assert.equal(conditionsWith(undefined, told('False', 'JobResumed')), undefined);
  assert.deepEqual(conditionsWith(undefined, told('True', 'JobSuspended')), [told('True', 'JobSuspended')]);
});
