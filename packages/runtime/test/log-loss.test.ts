import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { mount, unmount } from '@wherry/linux';
import { startTestNode, type TestNode } from './node.ts';

let node: TestNode;
let disk: string;
before(async () => {
  node = await startTestNode(13);
  disk = join(node.folder, 'disk');
  mkdirSync(disk);
  mount({ type: 'tmpfs', source: 'tmpfs', target: disk, data: 'size=64k' });
});
after(async () => {
  unmount(disk, { detach: true });
  await node.close();
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
