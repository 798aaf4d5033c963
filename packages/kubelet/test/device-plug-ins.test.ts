import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type CriError, isCriError } from '@wherry/cri';
import { openConnection } from '@wherry/cri/grpc';
import { podResourcesSchema } from '../src/execution/managers/pod-resources.ts';
import type { PodResourcesListerMethods } from '../src/generated/pod-resources.ts';
import { until, withNode } from './node-bench.ts';
import { type PodBench, withPodBench } from './pod-bench.ts';
import { device, SamplePlugIn, type SamplePlugInOptions } from './sample-plug-in.ts';

const resource = 'example.com/gpu';
const folderOf = (folder: string) => join(folder, 'root', 'device-plugins');

/** A plug-in that is registered: its devices are known when this resolves. */
async function plugIn(bench: PodBench, more: Partial<SamplePlugInOptions> = {}): Promise<SamplePlugIn> {
  const devices = [device('a', 0), device('b', 1), device('c')];
  const sample = new SamplePlugIn({ folder: folderOf(bench.folder), resource, devices, ...more });
  await listening(bench);
  await sample.listen();
  await sample.register();
  await bench.until('its devices', async () => (await allocatable(bench)).length > 0);
  return sample;
}

/** Waits until both sockets are there. */
async function listening(bench: PodBench): Promise<void> {
  const { folder } = bench;
  const sockets = ['device-plugins', 'pod-resources'].map((name) =>
    join(folder, 'root', name, 'kubelet.sock'),
  );
  await bench.until('the sockets', () => sockets.every((path) => existsSync(path)));
}

function lister(bench: PodBench) {
  const connection = openConnection(join(bench.folder, 'root', 'pod-resources', 'kubelet.sock'), 'kubelet');
  const service = connection.service<PodResourcesListerMethods>(podResourcesSchema, 'PodResourcesLister');
  return { ...service, [Symbol.dispose]: () => connection.close() };
}

async function allocatable(bench: PodBench) {
  using service = lister(bench);
  return (await service.getAllocatableResources({})).devices;
}

const asking = (amount: number, more: object = {}) => ({
  containers: [
    {
      name: 'a',
      image: 'demo:1',
      resources: { limits: { [resource]: String(amount) }, requests: { [resource]: String(amount) } },
    },
  ],
  terminationGracePeriodSeconds: 1,
  ...more,
});

describe('device plug-ins', () => {
  test('a container gets what the plug-in says for its devices, and its own words go first', () =>
    withPodBench(async (bench) => {
      await using sample = await plugIn(bench, {
        options: { preStartRequired: true, getPreferredAllocationAvailable: true },
        preferred: ['c', 'b'],
        answer: (ids) => ({
          envs: { GPUS: ids.join(), OWN: 'plug-in' },
          mounts: [{ containerPath: '/lib/gpu', hostPath: '/opt/gpu', readOnly: true }],
          devices: ids.map((id) => ({
            containerPath: `/dev/${id}`,
            hostPath: '/dev/null',
            permissions: 'rw',
          })),
          annotations: { 'example.com/gpus': ids.join() },
          cdiDevices: ids.map((id) => ({ name: `example.com/gpu=${id}` })),
        }),
      });
      const spec = asking(2);
      await bench.manifest('web', {
        ...spec,
        containers: spec.containers.map((container) => ({
          ...container,
          env: [{ name: 'OWN', value: 'pod' }],
        })),
      });
      const { config } = await bench.until('the container', () => bench.running('a'));
      const values = config.envs.map(({ key, value }) => [key, Buffer.from(value).toString()]);
      assert.deepEqual(
        values.filter(([key]) => key === 'GPUS' || key === 'OWN'),
        [
          ['GPUS', 'c,b'],
          ['OWN', 'pod'],
        ],
      );
      const { containerPath, hostPath, readonly } = config.mounts[0] ?? {};
      assert.deepEqual([containerPath, hostPath, readonly], ['/lib/gpu', '/opt/gpu', true]);
      assert.deepEqual(config.devices, [
        { containerPath: '/dev/c', hostPath: '/dev/null', permissions: 'rw' },
        { containerPath: '/dev/b', hostPath: '/dev/null', permissions: 'rw' },
      ]);
      assert.deepEqual(config.cdiDevices, [{ name: 'example.com/gpu=c' }, { name: 'example.com/gpu=b' }]);
      assert.equal(config.annotations['example.com/gpus'], 'c,b');
      assert.deepEqual(sample.calls, [
        ['preferred', ['a', 'b', 'c']],
        ['allocate', ['c', 'b']],
        ['preStart', ['c', 'b']],
      ]);
    }));

  test('a pod that asks for more than there is fails, in the words of upstream', () =>
    withPodBench(async (bench) => {
      await using _sample = await plugIn(bench);
      await bench.manifest('one', asking(2));
      await bench.until('the first', () => bench.running('a'));
      await bench.manifest('two', asking(2));
      const status = await bench.until('the verdict', async () => {
        const found = (await bench.pod('two-n1'))?.status;
        return found?.phase === 'Failed' && found;
      });
      assert.equal(status.reason, 'UnexpectedAdmissionError');
      assert.equal(
        status.message,
        'Pod was rejected: Allocate failed due to requested number of devices unavailable for example.com/gpu. Requested: 2, Available: 1, which is unexpected',
      );
      using service = lister(bench);
      const { podResources } = await service.list({});
      assert.deepEqual(
        podResources.map(({ name }) => name),
        ['one-n1'],
        'who watches devices is told of no pod that was refused',
      );
    }));

  test('what an init container had is given to the next, what a sidecar has is not', () =>
    withPodBench(async (bench) => {
      await using sample = await plugIn(bench);
      const [main] = asking(2).containers;
      const init = { ...main, name: 'init' };
      const sidecar = { ...asking(1).containers[0], name: 'sidecar', restartPolicy: 'Always' };
      await bench.manifest('web', { containers: [main], initContainers: [init, sidecar] });
      await bench.until('the answers', () => sample.calls.length === 3);
      assert.deepEqual(
        sample.calls.map(([, ids]) => ids),
        [['a', 'b'], ['a'], ['b', 'c']],
      );
    }));

  test('devices of a pod that is gone are free again', () =>
    withPodBench(async (bench) => {
      await using sample = await plugIn(bench);
      await bench.manifest('one', asking(3));
      const { status } = await bench.until('the first', () => bench.running('a'));
      await bench.withoutManifest('one');
      await bench.until('it to be gone', () => !bench.runtime.containers.has(status.id));
      await bench.manifest('two', asking(3));
      await bench.until('the second', () => bench.running('a'));
      assert.equal(sample.calls.length, 2);
    }));

  test('a device that fails shows in the status of the container that has it', () =>
    withPodBench(async (bench) => {
      await using sample = await plugIn(bench);
      await bench.manifest('web', asking(1));
      const health = (wanted: string) =>
        bench.until(`it to be ${wanted}`, async () => {
          const [shown] = (await bench.pod('web-n1'))?.status?.containerStatuses ?? [];
          const [{ name, resources = [] } = { name: '' }] = shown?.allocatedResourcesStatus ?? [];
          return name === resource && resources[0]?.resourceID === 'a' && resources[0]?.health === wanted;
        });
      await health('Healthy');
      sample.show([{ ...device('a'), health: 'Unhealthy' }, device('b'), device('c')]);
      await health('Unhealthy');
    }));

  test('a new kubelet knows who has which devices, and leaves what runs alone', () =>
    withPodBench(async (bench) => {
      const first = await plugIn(bench);
      await bench.manifest('web', asking(2));
      const { status } = await bench.until('the container', () => bench.running('a'));
      await bench.kubelet?.close();
      await first[Symbol.asyncDispose]();
      await bench.start();
      await bench.until('the pod', async () => (await bench.pod('web-n1'))?.status?.phase === 'Running');
      await using second = await plugIn(bench);
      assert.equal(bench.running('a')?.status.id, status.id);
      await bench.manifest('other', asking(2));
      const refused = await bench.until('the verdict', async () => {
        const found = (await bench.pod('other-n1'))?.status;
        return found?.phase === 'Failed' && found;
      });
      assert.match(refused.message ?? '', /Requested: 2, Available: 1/);
      assert.deepEqual(second.calls, []);
    }));

  test('plug-ins are refused for their version, their name, and a socket elsewhere', () =>
    withPodBench(async (bench) => {
      await using sample = await plugIn(bench);
      const says = (text: RegExp) => (error: CriError) => text.test(error.message);
      await assert.rejects(
        sample.register({ version: 'v1alpha' }),
        says(/requested API version "v1alpha" is not supported by kubelet/),
      );
      await assert.rejects(
        sample.register({ resourceName: 'gpu' }),
        says(/the ResourceName "gpu" is invalid/),
      );
      await assert.rejects(
        sample.register({ resourceName: 'kubernetes.io/gpu' }),
        says(/the ResourceName "kubernetes.io\/gpu" is invalid/),
      );
      await assert.rejects(
        sample.register({ endpoint: '../../cri.sock' }),
        says(/is not the name of a socket/),
      );
      await assert.rejects(
        sample.register({ endpoint: 'absent.sock' }),
        says(/failed to get device plugin options: no device plug-in/),
      );
    }));
});

describe('the pod-resources API', () => {
  test('tells which containers have which devices, and which devices there are', () =>
    withPodBench(async (bench) => {
      await using _sample = await plugIn(bench);
      await bench.manifest('web', asking(3));
      await bench.until('the container', () => bench.running('a'));
      using service = lister(bench);
      const devices = [
        { resourceName: resource, deviceIds: ['a'], topology: { nodes: [{ id: 0 }] } },
        { resourceName: resource, deviceIds: ['b'], topology: { nodes: [{ id: 1 }] } },
        { resourceName: resource, deviceIds: ['c'] },
      ];
      assert.deepEqual(await allocatable(bench), devices);
      const container = { name: 'a', devices, cpuIds: [], memory: [], dynamicResources: [] };
      const pod = { name: 'web-n1', namespace: 'default', containers: [container] };
      assert.deepEqual(await service.list({}), { podResources: [pod] });
      assert.deepEqual(await service.get({ podName: 'web-n1', podNamespace: 'default' }), {
        podResources: pod,
      });
      await assert.rejects(
        service.get({ podName: 'absent', podNamespace: 'default' }),
        (error: CriError) => error.message === 'pod absent in namespace default not found',
      );
    }));

  test('lets ten calls through at once, and then a hundred a second', () =>
    withPodBench(async (bench) => {
      await listening(bench);
      using service = lister(bench);
      const calls = await Promise.allSettled(Array.from({ length: 100 }, () => service.list({})));
      const refused = calls.filter(({ status }) => status === 'rejected');
      assert.ok(refused.length > 0 && refused.length <= 90, `${refused.length} of 100 were refused`);
      for (const call of refused)
        assert.ok(call.status === 'rejected' && isCriError(call.reason, 'RESOURCE_EXHAUSTED'));
    }));
});

test('the node says how many devices it has and how many are in order, and none once the plug-in is gone', () =>
  withNode({ nodeStatusUpdateFrequency: '100ms' }, async (nodes, bench) => {
    const folder = folderOf(bench.folder);
    await until(() => nodes.length > 0);
    const devices = [device('a'), device('b')];
    await using sample = new SamplePlugIn({ folder, resource, devices });
    await sample.listen();
    await sample.offer(join(bench.folder, 'root', 'plugins_registry'));
    const shows = (capacity: string, allocatable: string) => () => {
      const status = nodes.findLast((node) => node.status?.capacity)?.status;
      return status?.capacity?.[resource] === capacity && status.allocatable?.[resource] === allocatable;
    };
    await until(shows('2', '2'));
    assert.ok(shows('2', '2')());
    sample.show([device('a'), { ...device('b'), health: 'Unhealthy' }]);
    await until(shows('2', '1'));
    assert.ok(shows('2', '1')());
    await sample[Symbol.asyncDispose]();
    await until(shows('2', '0'));
    assert.ok(shows('2', '0')());
    const record = JSON.parse(await readFile(join(folder, 'kubelet_internal_checkpoint'), 'utf8'));
    assert.deepEqual(record.Data, { PodDeviceEntries: null, RegisteredDevices: { [resource]: [] } });
  }));

test('of a plug-in whose list of devices fails the node has none, at once as well as later, and asks no more', () =>
  withNode({ nodeStatusUpdateFrequency: '100ms' }, async (nodes, bench) => {
    const folder = folderOf(bench.folder);
    await until(() => existsSync(join(folder, 'kubelet.sock')));
    const shows = (capacity: string, allocatable: string) => () => {
      const status = nodes.findLast((node) => node.status?.capacity)?.status;
      return status?.capacity?.[resource] === capacity && status.allocatable?.[resource] === allocatable;
    };
    let isFailing = true;
    let asked = 0;
    const listFails = () => {
      asked += 1;
      return isFailing;
    };
    await using sample = new SamplePlugIn({
      folder,
      resource,
      devices: [device('a'), device('b')],
      listFails,
    });
    await sample.listen();
    await sample.register();
    await until(shows('0', '0'));
    assert.ok(shows('0', '0')());
    assert.equal(asked, 1);
    isFailing = false;
    await sample.register();
    await until(shows('2', '2'));
    assert.ok(shows('2', '2')());
    isFailing = true;
    sample.show([device('a'), device('b')]);
    await until(shows('2', '0'));
    assert.ok(shows('2', '0')());
    assert.equal(asked, 3);
  }));
