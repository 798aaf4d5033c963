import { MetricsRegistry } from '@wherry/telemetry';
import type { Ground } from '../ground/ground.ts';
import { containerLabels } from '../pod/labels.ts';
import { nodeCpu, nodeMemory } from './stats-summary.ts';

const nanosecondsPerSecond = 1e9;

/** `/metrics/resource`: what metrics-server scrapes for `kubectl top` and autoscaling. */
export async function resourceMetrics({ cri }: Ground): Promise<string> {
  const registry = new MetricsRegistry();
  const failed = registry.gauge(
    'resource_scrape_error',
    '1 if there was an error while getting container metrics, 0 otherwise',
  );
  const nodeCpuSeconds = registry.counter(
    'node_cpu_usage_seconds_total',
    'Cumulative cpu time consumed by the node in core-seconds',
  );
  const nodeMemoryBytes = registry.gauge(
    'node_memory_working_set_bytes',
    'Current working set of the node in bytes',
  );
  nodeCpuSeconds.add((await nodeCpu()).usageCoreNanoSeconds / nanosecondsPerSecond);
  nodeMemoryBytes.set((await nodeMemory()).workingSetBytes);
  const stats = await cri.runtime.listPodSandboxStats({}).then(
    (answer) => answer.stats,
    () => undefined,
  );
  failed.set(stats ? 0 : 1);
  const containerCpu = registry.counter(
    'container_cpu_usage_seconds_total',
    'Cumulative cpu time consumed by the container in core-seconds',
  );
  const containerMemory = registry.gauge(
    'container_memory_working_set_bytes',
    'Current working set of the container in bytes',
  );
  const podCpu = registry.counter(
    'pod_cpu_usage_seconds_total',
    'Cumulative cpu time consumed by the pod in core-seconds',
  );
  const podMemory = registry.gauge('pod_memory_working_set_bytes', 'Current working set of the pod in bytes');
  for (const { attributes, linux } of stats ?? []) {
    const { name: pod = '', namespace = '' } = attributes?.metadata ?? {};
    podCpu.add((linux?.cpu?.usageCoreNanoSeconds?.value ?? 0) / nanosecondsPerSecond, { pod, namespace });
    podMemory.set(linux?.memory?.workingSetBytes?.value ?? 0, { pod, namespace });
    for (const { attributes: own, cpu, memory } of linux?.containers ?? []) {
      const container = own?.labels[containerLabels.containerName] ?? own?.metadata?.name ?? '';
      const labels = { container, pod, namespace };
      containerCpu.add((cpu?.usageCoreNanoSeconds?.value ?? 0) / nanosecondsPerSecond, labels);
      containerMemory.set(memory?.workingSetBytes?.value ?? 0, labels);
    }
  }
  return registry.render();
}
