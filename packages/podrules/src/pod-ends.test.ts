import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerStatus, Pod, PodStatus } from '@wherry/kubeapi';
import { failureText, restartedContainers, restartedText } from './pod-ends.ts';

const pod = (status: PodStatus): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [] } },
  status,
});
const container = (name: string, more: Partial<ContainerStatus>): ContainerStatus => ({
  ...{ name, image: 'a', imageID: '', ready: false, restartCount: 0 },
  ...more,
});

test('a pod that has failed says why: its own reason, and how its container ended', () => {
  const terminated = { exitCode: 7, reason: 'Error', message: 'boom\n' };
  const failed: PodStatus = {
    phase: 'Failed',
    containerStatuses: [container('main', { state: { terminated } })],
  };
  assert.equal(failureText(pod(failed)), 'container main ended with exit code 7 (Error): boom');
  const evicted: PodStatus = {
    phase: 'Failed',
    reason: 'Evicted',
    message: 'The node was low on resource: memory.',
  };
  assert.equal(failureText(pod(evicted)), 'Evicted: The node was low on resource: memory.');
  assert.equal(failureText(pod({ phase: 'Running' })), undefined);
});

test('a container that runs again says how it ended before, the last first', () => {
  const ended = (exitCode: number, finishedAt: string) => ({
    ...{ restartCount: 2, state: { running: {} } },
    lastState: { terminated: { exitCode, finishedAt, reason: exitCode === 137 ? 'OOMKilled' : 'Error' } },
  });
  const status = {
    containerStatuses: [
      container('calm', { state: { running: {} } }),
      container('old', ended(1, '2030-01-01T00:00:00Z')),
      container('new', ended(137, '2030-01-01T01:00:00Z')),
    ],
  };
  assert.deepEqual(restartedContainers(pod(status)).map(restartedText), [
    'container new was restarted 2 times; the last time it ended with exit code 137 (OOMKilled)',
    'container old was restarted 2 times; the last time it ended with exit code 1 (Error)',
  ]);
});
