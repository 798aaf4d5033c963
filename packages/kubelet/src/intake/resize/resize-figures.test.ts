import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { resizeFigures } from './resize-figures.ts';

test('each amount of each container that is to change counts, by what becomes of it', () => {
  const metrics = new MetricsRegistry();
  const count = resizeFigures(metrics);
  const sidecar = { restartPolicy: 'Always' } as const;
  const sized = (a: object, init: object, side: object) =>
    pod({
      containers: [container('a', { resources: a })],
      initContainers: [container('i', { resources: init }), container('s', { ...sidecar, resources: side })],
    });
  count(
    sized({ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2' } }, {}, { limits: { memory: '1Mi' } }),
    sized(
      { requests: { cpu: '500m', memory: '1024Mi' }, limits: { cpu: '3', memory: '2Gi' } },
      { requests: { cpu: '1' } },
      {},
    ),
  );
  const counted = metrics.render().match(/(?<=^kubelet_container_requested_resizes_total).*$/gm);
  assert.deepEqual(counted?.toSorted(), [
    '{resource="cpu",requirement="limits",operation="increase"} 1',
    '{resource="cpu",requirement="requests",operation="decrease"} 1',
    '{resource="memory",requirement="limits",operation="add"} 1',
    '{resource="memory",requirement="limits",operation="remove"} 1',
  ]);
});
