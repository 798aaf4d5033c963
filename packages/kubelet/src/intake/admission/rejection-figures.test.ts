import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { rejectionFigures } from './rejection-figures.ts';

test('refused pods are counted by reasons of a closed set', () => {
  const metrics = new MetricsRegistry();
  const count = rejectionFigures(metrics);
  for (const reason of ['OutOfcpu', 'OutOfexample.com/gpu', 'NodeAffinity', 'Evicted', 'TaintToleration'])
    count(reason);
  assert.deepEqual(metrics.render().match(/(?<=^kubelet_admission_rejections_total).*$/gm), [
    '{reason="OutOfcpu"} 1',
    '{reason="OutOfExtendedResources"} 1',
    '{reason="Other"} 2',
    '{reason="Evicted"} 1',
  ]);
});
