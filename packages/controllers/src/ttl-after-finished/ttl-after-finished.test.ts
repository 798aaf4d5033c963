import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Job, timeFromMs } from '@wherry/kubeapi';
import { goesAtMs } from './ttl-after-finished.ts';

it('a job that is over goes a while after it says it was, and stays when it does not say', () => {
  const jobOf = (lastTransitionTime?: string): Job => ({
    metadata: { name: 'job' },
    spec: { template: {}, ttlSecondsAfterFinished: 60 },
    status: {
      conditions: [
        { type: 'Complete', status: 'True', ...(lastTransitionTime ? { lastTransitionTime } : {}) },
      ],
    },
  });
  assert.equal(goesAtMs(jobOf(timeFromMs(1_000_000))), 1_060_000);
  assert.equal(goesAtMs(jobOf()), undefined);
});
