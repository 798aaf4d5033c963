import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflict, type Scale } from '@wherry/kubeapi';
import { rescale } from './scale-target.ts';

/** A target whose version somebody else changes `times` times before a write comes through. */
function start(times: number) {
  let version = 1;
  let left = times;
  const written: (number | undefined)[] = [];
  const scaleNow = (): Scale => ({
    metadata: { name: 'web', namespace: 'default', resourceVersion: String(version) },
    spec: { replicas: 2 },
  });
  const known = scaleNow();
  const resource = () => ({
    get: async () => scaleNow(),
    update: async ({ metadata, spec }: Scale) => {
      if (left > 0) {
        left -= 1;
        version += 1;
      }
      if (metadata?.resourceVersion !== String(version))
        throw conflict({ group: 'apps', resource: 'deployments' }, 'web', 'the object has been modified');
      written.push(spec?.replicas);
    },
  });
  const parts = [
    { resource },
    { resource: {}, scale: known, current: 2, present: 2 },
    5,
    AbortSignal.timeout(1_000),
  ];
  return { written, rescale: () => rescale(...(parts as unknown as Parameters<typeof rescale>)) };
}

test('a target is scaled although its own controller has written its status meanwhile', async () => {
  const { written, rescale } = start(2);
  await rescale();
  assert.deepEqual(written, [5]);
});

test('a target that changes with every attempt is given up', async () => {
  const { written, rescale } = start(1_000);
  await assert.rejects(rescale(), /modified/);
  assert.deepEqual(written, []);
});
