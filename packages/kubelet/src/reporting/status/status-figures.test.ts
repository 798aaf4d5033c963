import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerState, ContainerStatus } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import { statusFigures } from './status-figures.ts';

const statusOf = (name: string, state: ContainerState): ContainerStatus => ({
  ...{ name, state, ready: false, restartCount: 0, image: 'image', imageID: '' },
});

test('each end of a container is counted once, by what it is, its exit code and its reason', () => {
  const metrics = new MetricsRegistry();
  const { changed } = statusFigures(metrics);
  const running = { containerStatuses: [statusOf('a', { running: {} })] };
  const ended = { containerStatuses: [statusOf('a', { terminated: { exitCode: 3, reason: 'Error' } })] };
  const init = statusOf('first', { terminated: { exitCode: 0, reason: 'Completed' } });
  changed(undefined, { ...running, initContainerStatuses: [init] });
  changed(running, ended);
  changed(ended, ended);
  const counted = metrics
    .render()
    .split('\n')
    .filter((line) => line.startsWith('kubelet_terminated_containers_total{'));
  assert.deepEqual(counted, [
    'kubelet_terminated_containers_total{container_type="init_container",exit_code="0",reason="Completed"} 1',
    'kubelet_terminated_containers_total{container_type="container",exit_code="3",reason="Error"} 1',
  ]);
});
