import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CriError } from '@wherry/cri';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { imageVolumeFigures } from './image-volume-figures.ts';

test('images that a container mounts are counted, and each mount by whether the runtime could make it', async () => {
  const metrics = new MetricsRegistry();
  const figures = imageVolumeFigures(metrics);
  const volumeMounts = ['model', 'model', 'data'].map((name) => ({ name, mountPath: '/x' }));
  const of = pod({
    containers: [container('a', { volumeMounts })],
    volumes: [
      { name: 'model', image: { reference: 'model:1' } },
      { name: 'data', emptyDir: {} },
    ],
  });
  const make = (message?: string) =>
    figures.counted(of, of.spec.containers[0]!, async () => {
      if (message) throw new CriError('UNKNOWN', message);
    });
  await make();
  await assert.rejects(make('ImageVolumeMountFailed: it is gone'));
  await assert.rejects(make('no such device'));
  const counted = metrics.render().match(/^kubelet_image_volume.*$/gm);
  assert.deepEqual(counted, [
    'kubelet_image_volume_requested_total 3',
    'kubelet_image_volume_mounted_succeed_total 4',
    'kubelet_image_volume_mounted_errors_total 2',
  ]);
});
