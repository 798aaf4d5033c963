import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PodSandboxState } from '@wherry/cri';
import { mount, unmount } from '@wherry/linux';
import { startTestNode, type TestNode } from './node.ts';

let node: TestNode;
let disk: string;
const ownDisk = mkdtempSync(join(tmpdir(), 'wherry-own-disk-'));
before(async () => {
  mount({ type: 'tmpfs', source: 'tmpfs', target: ownDisk, data: 'size=64m' });
  node = await startTestNode(13, { dataDir: ownDisk });
  disk = join(node.folder, 'disk');
  mkdirSync(disk);
  mount({ type: 'tmpfs', source: 'tmpfs', target: disk, data: 'size=64k' });
});
after(async () => {
  unmount(disk, { detach: true });
  await node.close();
  unmount(ownDisk, { detach: true });
  rmSync(ownDisk, { recursive: true });
});

test('output that a full disk swallowed shows as a metric while the container runs, and in its message when it has ended', async () => {
  const pod = await node.runPod({ logDirectory: join(disk, 'pod') });
  mkdirSync(join(disk, 'pod'));
  assert.throws(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(1 << 20)), { code: 'ENOSPC' });
  const containerId = await node.runScript(pod, 'seq 1 2000; sleep 1; exit 5');
  const { descriptors } = await node.cri.runtime.listMetricDescriptors();
  const name = 'container_log_lost_bytes_total';
  const labels = descriptors.find((descriptor) => descriptor.name === name)?.labelKeys ?? [];
  const value = async () => {
    const { podMetrics } = await node.cri.runtime.listPodSandboxMetrics();
    const own = podMetrics.find(({ podSandboxId }) => podSandboxId === pod)?.containerMetrics;
    const metric = own
      ?.find((container) => container.containerId === containerId)
      ?.metrics.find((each) => each.name === name);
    assert.equal(metric?.labelValues[labels.indexOf('id')], containerId);
    return Number(metric?.value?.value);
  };
  for (let tries = 0; (await value()) < 8893; tries++) assert.ok(tries < 1_000);
  const { status } = await node
    .ended(containerId)
    .then(() => node.cri.runtime.containerStatus({ containerId }));
  assert.equal(status?.exitCode, 5);
  assert.equal(status?.message, '8893 bytes of its output could not be written to its log');
});

test('where the disk of the runtime is full, containers end, and pods are stopped and removed', async () => {
  const { runtime } = node.cri;
  const podSandboxId = await node.runPod();
  const containerId = await node.runScript(podSandboxId, "trap 'exit 5' TERM; sleep 1000 & wait");
  const filler = join(ownDisk, 'filler');
  assert.throws(() => writeFileSync(filler, Buffer.alloc(1 << 27)), { code: 'ENOSPC' });
  await node.output(containerId, 'true');
  await runtime.stopContainer({ containerId, timeout: 30 });
  const ended = async () => (await runtime.containerStatus({ containerId })).status;
  assert.equal((await ended())?.exitCode, 5);
  const { status } = await runtime.status({});
  assert.ok(status?.conditions.every((condition) => condition.status));
  await node.restart();
  assert.equal((await ended())?.exitCode, 5);
  await runtime.stopPodSandbox({ podSandboxId });
  const state = async () => (await runtime.podSandboxStatus({ podSandboxId })).status?.state;
  assert.equal(await state(), PodSandboxState.SANDBOX_NOTREADY);
  await assert.rejects(node.runPod(), /ENOSPC/);
  await runtime.removePodSandbox({ podSandboxId });
  const { items } = await runtime.listPodSandbox();
  assert.ok(!items.some(({ id }) => id === podSandboxId));
  rmSync(filler);
  await node.runPod();
});
