import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, noDrivers, noNfs, pod } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import { ClaimError } from '../inputs/claimed-volume.ts';
import { type VolumeError, VolumeManager } from './volume-manager.ts';
import { NodeFullError, type VolumePlugin } from './volume-plugin.ts';
import { VolumeTimes } from './volume-times.ts';

/** A manager with those plug-ins in a folder of its own. */
function managerWith(plugins: readonly VolumePlugin[], metrics = new MetricsRegistry()) {
  const rootDir = mkdtempSync(join(tmpdir(), 'kubelet-volumes-'));
  mkdirSync(join(rootDir, 'pods'));
  const { signal } = new AbortController();
  const events: string[] = [];
  const volumes = new VolumeManager({
    plugins,
    times: new VolumeTimes(metrics, new FakeClock()),
    paths: new NodePaths({ rootDir, podLogsDir: '' }),
    clock: new FakeClock(),
    recorder: { record: ({ reason, message }) => void events.push(`${reason}: ${message}`) },
    host: {
      memoryBytes: () => 0,
      notedMemory: () => {},
      clock: new FakeClock(),
      warn() {},
      csi: noDrivers,
      nfs: noNfs,
    },
    sources: () => ({ signal }) as never,
  });
  return { volumes, signal, events, [Symbol.dispose]: () => rmSync(rootDir, { recursive: true }) };
}

test('a volume that takes long is set up once, also while another one of its pod fails', async () => {
  const isSlow = Promise.withResolvers<void>();
  let calls = 0;
  const plugin = {
    ...{ folder: 'f', supports: {}, takesGroup: false, isSettled: true },
    readsApi: () => false,
    tearDown: async () => {},
  };
  const slow: VolumePlugin<'csi'> = {
    ...{ ...plugin, name: 'csi' },
    async setUp() {
      calls += 1;
      await isSlow.promise;
      return { hostPath: '/slow', readOnly: false };
    },
  };
  let isBound = false;
  const claim: VolumePlugin<'persistentVolumeClaim'> = {
    ...{ ...plugin, name: 'persistentVolumeClaim' },
    async setUp() {
      if (!isBound) throw new Error('PVC is not bound');
      return { hostPath: '/claim', readOnly: false };
    },
  };
  using manager = managerWith([slow, claim] as unknown as VolumePlugin[]);
  const { volumes, signal } = manager;
  const mounts = ['v', 'c'].map((name) => ({ name, mountPath: `/${name}` }));
  const of = pod({
    containers: [container('a', { volumeMounts: mounts })],
    volumes: [
      { name: 'v', csi: { driver: 'd' } },
      { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
    ],
  });
  // As a worker does: a pass begins when the one before it is over.
  let passes = 0;
  const worker = (async () => {
    for (; passes < 10; passes++) {
      const ready = await volumes.mount(of, signal).catch(() => undefined);
      if (ready) return ready;
    }
    return assert.fail('passes went on beside the slow volume');
  })();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(passes, 0, 'the first pass still goes on');
  isBound = true;
  isSlow.resolve();
  const ready = await worker;
  assert.deepEqual([...ready.keys()], ['v', 'c']);
  assert.equal(calls, 1);
});

test('a pod whose node can not have one more volume is told which of its volumes are missing', async () => {
  const plugin = (name: string, failure: Error) => ({
    ...{ name, folder: name, supports: {}, takesGroup: false, readsApi: () => false },
    setUp: () => Promise.reject(failure),
    tearDown: async () => {},
  });
  const full = plugin('csi', new NodeFullError('MountVolume.WaitForAttach', 'no slot'));
  const other = plugin('configMap', new Error('configmap "c" not found'));
  using manager = managerWith([full, other] as unknown as VolumePlugin[]);
  const { volumes, signal, events } = manager;
  const mounts = ['v', 'c'].map((name) => ({ name, mountPath: `/${name}` }));
  const of = pod({
    containers: [container('a', { volumeMounts: mounts })],
    volumes: [
      { name: 'v', csi: { driver: 'd' } },
      { name: 'c', configMap: { name: 'c' } },
    ],
  });
  await assert.rejects(volumes.mount(of, signal), {
    name: 'NoRoomError',
    message:
      'Node has reached its volume attachment limit, rejecting pod. unmounted volumes=[c v], ' +
      'unattached volumes=[v], failed to process volumes=[]: context deadline exceeded',
  });
  assert.deepEqual(events.sort(), [
    'FailedMount: MountVolume.SetUp failed for volume "c" : configmap "c" not found',
    'FailedMount: MountVolume.WaitForAttach failed for volume "v" : no slot',
  ]);
});

test('how long a volume waits for its next try goes with its pod', async () => {
  using manager = managerWith([]);
  const { volumes, signal } = manager;
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
});

test('a volume that is in place and can not be made current is told of, and keeps no container from starting', async () => {
  let problem: string | undefined;
  const plugin: VolumePlugin<'configMap'> = {
    ...{ name: 'configMap', folder: 'configmap', supports: {}, takesGroup: false },
    readsApi: () => true,
    async setUp() {
      if (problem) throw new Error(problem);
      return { hostPath: '/config', readOnly: true };
    },
    tearDown: async () => {},
  };
  using manager = managerWith([plugin] as unknown as VolumePlugin[]);
  const { volumes, signal, events } = manager;
  const of = pod({
    containers: [container('a', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
    volumes: [{ name: 'v', configMap: { name: 'c' } }],
  });
  const ready = await volumes.mount(of, signal);
  problem = 'configmap "c" not found';
  assert.deepEqual(await volumes.mount(of, signal), ready);
  assert.deepEqual(events, [
    'FailedMount: MountVolume.SetUp failed for volume "v" : configmap "c" not found',
  ]);
});

test('a claim that stands for no volume is told of once, with all volumes that are missing', async () => {
  const plugin = (name: string, failure: Error) => ({
    ...{ name, folder: name, supports: {}, takesGroup: false, readsApi: () => false },
    setUp: () => Promise.reject(failure),
    tearDown: async () => {},
  });
  const why = 'error processing PVC default/data: PVC is not bound';
  const claim = plugin('persistentVolumeClaim', new ClaimError(why));
  const other = plugin('configMap', new Error('configmap "c" not found'));
  using manager = managerWith([claim, other] as unknown as VolumePlugin[]);
  const { volumes, signal, events } = manager;
  const of = pod({
    containers: [
      container('a', { volumeMounts: ['v', 'c'].map((name) => ({ name, mountPath: `/${name}` })) }),
    ],
    volumes: [
      { name: 'v', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'c', configMap: { name: 'c' } },
    ],
  });
  await assert.rejects(volumes.mount(of, signal), { name: 'VolumeError', message: why });
  assert.deepEqual(events.sort(), [
    'FailedMount: MountVolume.SetUp failed for volume "c" : configmap "c" not found',
    `FailedMount: Unable to attach or mount volumes: unmounted volumes=[c v], unattached volumes=[], failed to process volumes=[v]: ${why}`,
  ]);
});

test('a claim’s volume counts under the name of what brings it once it is in place', async () => {
  const metrics = new MetricsRegistry();
  const claim: VolumePlugin<'persistentVolumeClaim'> = {
    ...{ name: 'persistentVolumeClaim', folder: 'persistent-volume', supports: {}, takesGroup: false },
    ...{ isSettled: true, readsApi: () => true, tearDown: async () => {} },
    setUp: async () => ({ hostPath: '/v', readOnly: false, broughtBy: 'kubernetes.io/csi:a.example' }),
  };
  using manager = managerWith([claim] as unknown as VolumePlugin[], metrics);
  const { volumes, signal } = manager;
  const of = pod({
    containers: [container('a', { volumeMounts: [{ name: 'c', mountPath: '/c' }] })],
    volumes: [{ name: 'c', persistentVolumeClaim: { claimName: 'c' } }],
  });
  const counted = () => [...volumes.census([of])].filter(([, { wanted }]) => wanted > 0);
  assert.deepEqual(counted(), [['kubernetes.io/persistent-volume', { wanted: 1, ready: 0 }]]);
  await volumes.mount(of, signal);
  assert.deepEqual(counted(), [['kubernetes.io/csi:a.example', { wanted: 1, ready: 1 }]]);
  const whole = 'plugin_name="kubernetes.io/csi:a.example",operation_name="overall_volume_mount"';
  assert.ok(metrics.render().includes(`volume_operation_total_seconds_count{${whole}} 1`));
});
