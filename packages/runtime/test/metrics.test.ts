import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MetricType } from '@wherry/cri';
import { startTestNode, type TestNode } from './node.ts';

let node: TestNode;
before(async () => {
  node = await startTestNode(32);
});
after(() => node.close());

/** Without these there is nothing to tell: cgroup v1 has no pressure, and not every disk counts what goes to it. */
const mayLack = /^container_(pressure_|blkio_device_usage|fs_(reads|writes)_|log_)/;

test('every metric that is described has a sample of a new container, with as many labels', async () => {
  const pod = await node.runPod();
  const resources = { cpuPeriod: 100_000, cpuQuota: 20_000, cpuShares: 512, memoryLimitInBytes: 64 << 20 };
  const containerId = await node.runScript(pod, 'exec sleep 1000', {
    metadata: { name: 'main', attempt: 0 },
    linux: { resources },
  });
  const { descriptors } = await node.cri.runtime.listMetricDescriptors();
  const { podMetrics } = await node.cri.runtime.listPodSandboxMetrics();
  const own = podMetrics.find(({ podSandboxId }) => podSandboxId === pod);
  const samples = [
    ...(own?.metrics ?? []),
    ...(own?.containerMetrics.flatMap(({ metrics }) => metrics) ?? []),
  ];
  for (const { name, help, labelKeys } of descriptors) {
    assert.notEqual(help, '');
    const found = samples.filter((sample) => sample.name === name);
    if (!mayLack.test(name)) assert.ok(found.length > 0, name);
    for (const { labelValues } of found) assert.equal(labelValues.length, labelKeys.length, name);
  }
  const named = new Set(descriptors.map(({ name }) => name));
  assert.deepEqual(
    samples.filter(({ name }) => !named.has(name)),
    [],
  );

  const label = (name: string, key: string) =>
    descriptors.find((each) => each.name === name)?.labelKeys.indexOf(key) ?? -1;
  const value = (name: string) => {
    const sample = own?.containerMetrics[0]?.metrics.find((each) => each.name === name);
    assert.equal(sample?.labelValues[label(name, 'container')], 'main', name);
    assert.equal(sample?.labelValues[label(name, 'name')], containerId, name);
    return Number(sample?.value?.value);
  };
  assert.equal(value('container_spec_cpu_quota'), 20_000);
  assert.equal(value('container_spec_memory_limit_bytes'), 64 << 20);
  assert.equal(value('container_processes'), 1);
  assert.ok(value('container_file_descriptors') >= 3);
  assert.ok(value('container_fs_limit_bytes') > 0);
  assert.ok(Math.abs(value('container_start_time_seconds') - Date.now() / 1000) < 120);
  const received = own?.metrics.find(({ name }) => name === 'container_network_receive_bytes_total');
  assert.equal(received?.metricType, MetricType.COUNTER);
  assert.equal(received?.labelValues.at(-1), 'eth0');
});

test('the stream brings the same pods; one that has stopped tells nothing', async () => {
  const pod = await node.runPod();
  const container = await node.runScript(pod, 'exec sleep 1000');
  await node.cri.runtime.stopPodSandbox({ podSandboxId: pod });
  const seen: string[] = [];
  for await (const { podSandboxMetrics } of node.cri.runtime.streamPodSandboxMetrics({})) {
    for (const { podSandboxId, metrics, containerMetrics } of podSandboxMetrics) {
      seen.push(podSandboxId);
      if (podSandboxId !== pod) continue;
      assert.deepEqual(metrics, []);
      const own = containerMetrics.find(({ containerId }) => containerId === container)?.metrics ?? [];
      assert.deepEqual(
        own.filter(({ name }) => !name.startsWith('container_log_')),
        [],
      );
    }
  }
  assert.ok(seen.includes(pod));
});
