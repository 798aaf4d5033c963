import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { PodStatus } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { verdictOf } from './admit-pod.ts';

test('a pod that is refused is told which version of it was judged', () => {
  const told: PodStatus[] = [];
  const events: string[] = [];
  const rejected: string[] = [];
  const admission = new Admission({
    statuses: { set: (_pod: unknown, status: PodStatus) => void told.push(status) },
    recorder: { record: ({ reason, message }) => void events.push(`${reason}: ${message}`) },
    clock: new FakeClock(),
    hostIps: () => ['192.0.2.1'],
    onRejected: (reason: string) => void rejected.push(reason),
  } as Partial<AdmissionOptions> as AdmissionOptions);
  const asked = pod({ containers: [container('a')] });
  const judged = { ...asked, metadata: { ...asked.metadata, generation: 3 } };
  admission.reject(judged, verdictOf('OutOfcpu', 'too little'));
  const [{ phase, reason, message, observedGeneration, conditions } = {}] = told;
  assert.deepEqual(
    { phase, reason, message, observedGeneration, conditions },
    {
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: 'Pod was rejected: too little',
      observedGeneration: 3,
      conditions: undefined,
    },
  );
  assert.deepEqual(events, ['OutOfcpu: too little']);
  assert.deepEqual(rejected, ['OutOfcpu']);
});
