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

test('a kubelet that tells of no sandbox is believed by what its containers do', () => {
  const failing = {
    ...{ name: 'main', image: 'a', imageID: '', ready: false, restartCount: 3 },
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } },
    lastState: { terminated: { exitCode: 1, reason: 'Error' } },
  };
  const pod: Pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
    spec: { nodeName: 'old', containers: [] },
    status: { phase: 'Running', startTime: '2030-01-01T00:00:00Z', containerStatuses: [failing] },
  };
  assert.deepEqual(waitOf(pod, []), {
    ...{ for: 'container', container: 'main', reason: 'CrashLoopBackOff' },
    message: 'it ended with exit code 1 (Error); back-off 40s',
  });
});

test('what runs as an init container is waited for itself, and not for a probe that it has not', () => {
  const running = { image: 'a', imageID: '', ready: false, restartCount: 0, state: { running: {} } };
  const pod: Pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
    spec: { nodeName: 'one', containers: [], initContainers: [{ name: 'migrate' }] },
    status: { phase: 'Pending', initContainerStatuses: [{ ...running, name: 'migrate' }] },
  };
  const wait = waitOf(pod, []);
  assert.deepEqual([wait?.for, wait?.container, wait?.reason], ['container', 'migrate', 'Running']);
  pod.spec.initContainers = [{ name: 'migrate', restartPolicy: 'Always' }];
  assert.equal(waitOf(pod, [])?.for, 'probe');
});
