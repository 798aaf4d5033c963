import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { waitOf } from './pod-wait.ts';

test('of a pod that no kubelet has taken nothing is told but that', () => {
  const pod: Pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
    spec: { nodeName: 'gone', containers: [] },
    status: { phase: 'Pending' },
  };
  assert.equal(waitOf(pod, [])?.message, 'the kubelet of node gone has not said that it has it');
  const taken = { ...pod, status: { ...pod.status, startTime: '2030-01-01T00:00:00Z' } };
  assert.match(waitOf(taken, [])?.message ?? '', /^its kubelet has it: .* its sandbox is being made$/);
});
