import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Job, Pod } from '@wherry/kubeapi';
import { IndexSet } from './index-set.ts';
import type { Indexes } from './job-indexes.ts';
import { jobPod } from './job-pods.ts';
import { trackingFinalizer } from './pod-outcome.ts';

const failureCount = 'batch.kubernetes.io/job-index-failure-count';
const jobOf = (finalizers: string[]): Job => ({
  metadata: { name: 'job', namespace: 'default', uid: 'job' },
  spec: {
    completionMode: 'Indexed',
    completions: 1,
    backoffLimitPerIndex: 3,
    template: { metadata: { finalizers }, spec: { containers: [] } },
  },
});
const after = (failures: string): Indexes => {
  const metadata = { name: 'job-0', annotations: { [failureCount]: failures } };
  const failed: Pod = { metadata, spec: { containers: [] }, status: { phase: 'Failed' } };
  return {
    counted: new IndexSet(),
    succeeded: new IndexSet(),
    failed: undefined,
    waiting: new Map([[0, failed]]),
  };
};

it('a pod of an index knows how often that has failed; what is no such number counts for none', () => {
  const told = (failures: string) =>
    jobPod(jobOf([]), 0, after(failures)).metadata.annotations?.[
      'batch.kubernetes.io/job-index-failure-count'
    ];
  assert.deepEqual(['2', '2147483646', '2147483648', '-1', 'two'].map(told), [
    '3',
    '2147483647',
    '1',
    '1',
    '1',
  ]);
});

it('a pod has the finalizer of jobs once, also where its template has it', () => {
  const { metadata } = jobPod(jobOf(['example.com/own', trackingFinalizer]), 0, after('0'));
  assert.deepEqual(metadata.finalizers, ['example.com/own', trackingFinalizer]);
});
