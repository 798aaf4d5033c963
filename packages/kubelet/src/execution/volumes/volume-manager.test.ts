import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { container, noDrivers, pod } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import { type VolumeError, VolumeManager } from './volume-manager.ts';

test('how long a volume waits for its next try goes with its pod', async () => {
  const rootDir = mkdtempSync(join(tmpdir(), 'kubelet-volumes-'));
  mkdirSync(join(rootDir, 'pods'));
  const { signal } = new AbortController();
  const volumes = new VolumeManager({
    plugins: [],
    paths: new NodePaths({ rootDir, podLogsDir: '' }),
    clock: new FakeClock(),
    recorder: { record: () => {} },
    host: { memoryBytes: () => 0, onDiskInstead: () => {}, nowMs: () => 0, csi: noDrivers },
    sources: () => ({ signal }) as never,
  });
  const of = pod({
    containers: [container('a', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
    volumes: [{ name: 'v', emptyDir: {} }],
  });
  const waitMs = () =>
    volumes.mount(of, signal).then(
      () => assert.fail('there is no plug-in for it'),
      (error: unknown) => (error as VolumeError).retryAfterMs,
    );
  const waits = [await waitMs(), await waitMs()];
  await volumes.remove(of.metadata.uid);
  waits.push(await waitMs());
  assert.deepEqual(waits, [500, 1_000, 500]);
  rmSync(rootDir, { recursive: true });
});
