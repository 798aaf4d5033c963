import assert from 'node:assert/strict';
import { it } from 'node:test';
import { conflict, type Job, type Pod } from '@wherry/kubeapi';
import { JobTracking } from './job-tracking.ts';
import { trackingFinalizer } from './pod-outcome.ts';

/** One count of a job with a pod that has failed, where the server refuses status writes from the `refused`th on. */
async function count(refused: number): Promise<{ noted: number; failed: boolean }> {
  const job: Job = {
    metadata: { name: 'job', namespace: 'default', uid: 'job' },
    spec: { template: { spec: { containers: [] } } },
    status: {},
  };
  const pod: Pod = {
    metadata: { name: 'pod', namespace: 'default', uid: 'pod', finalizers: [trackingFinalizer] },
    spec: { containers: [] },
    status: { phase: 'Failed' },
  };
  let writes = 0;
  const resource = () => ({
    update: async (updated: Job) => {
      writes += 1;
      if (writes >= refused) throw conflict({ group: 'batch', resource: 'jobs' }, 'job', 'it was modified');
      return updated;
    },
    patch: async () => pod,
  });
  const parts = { client: { resource }, jobs: {}, pods: {}, writes: { wrote: () => undefined } };
  const tracking = new JobTracking(parts as unknown as ConstructorParameters<typeof JobTracking>[0]);
  let noted = 0;
  const counting = tracking.count({
    ...{ stored: job, job: structuredClone(job), pods: [pod], indexes: undefined, outcome: undefined },
    ...{ terminating: 0, nowMs: 0, signal: AbortSignal.timeout(1_000) },
    noted: () => {
      noted += 1;
    },
  });
  const failed = await counting.then(
    () => false,
    () => true,
  );
  return { noted, failed };
}

it('notes a failure once its pod stands in the status, and not when that could not be written', async () => {
  assert.deepEqual(await count(1), { noted: 0, failed: true });
  assert.deepEqual(await count(2), { noted: 1, failed: true });
  assert.deepEqual(await count(Number.POSITIVE_INFINITY), { noted: 1, failed: false });
});
