import { MetricsPage } from '@wherry/telemetry';
import { millisecondsOf } from '../observation/pod-record.ts';
import type { NodeFigures } from './node-figures.ts';
import type { PodFigures } from './pod-figures.ts';

const nsPerSecond = 1e9;

/**
 * `/metrics/resource`: what metrics-server scrapes for `kubectl top` and autoscaling (upstream:
 * pkg/kubelet/metrics/collectors/resource_metrics.go). Without an answer of the runtime the node's figures stand alone.
 */
export function resourcePage(node: NodeFigures, pods: readonly PodFigures[] | undefined): string {
  const page = new MetricsPage();
  const { atMs, cpuNs, memory } = node;
  const [container, pod] = [familiesOf(page, 'container'), familiesOf(page, 'pod')];
  const ofNode = familiesOf(page, 'node');
  ofNode.cpu(cpuNs / nsPerSecond, {}, atMs);
  ofNode.memory(memory.workingSetBytes, {}, atMs);
  ofNode.swap(memory.swapUsageBytes, {}, atMs);
  const swapLimit = page.gauge('container_swap_limit_bytes', 'Swap that the container may take in bytes');
  const startTime = page.gauge(
    'container_start_time_seconds',
    'Start of the container since the epoch in seconds',
  );
  for (const { name, namespace, stats, containers } of pods ?? []) {
    const { cpu, memory: ofPod } = stats.linux ?? {};
    add(pod, { namespace, pod: name }, { cpu, memory: ofPod, swap: sumOfSwap(containers) });
    for (const { name: containerName, stats: own, status } of containers) {
      const labels = { container: containerName, pod: name, namespace };
      add(container, labels, { cpu: own.cpu, memory: own.memory, swap: own.swap?.swapUsageBytes?.value });
      const { swapAvailableBytes: left, swapUsageBytes: used, timestamp } = own.swap ?? {};
      if (left && timestamp !== undefined)
        swapLimit(left.value + (used?.value ?? 0), labels, millisecondsOf(timestamp));
      if (status && status.startedAt > 0n) startTime(Number(status.startedAt) / nsPerSecond, labels);
    }
  }
  const failed = 'Whether what the containers take could not be read: 1, or 0';
  page.gauge('resource_scrape_error', failed)(pods ? 0 : 1);
  return page.render();
}

type Families = ReturnType<typeof familiesOf>;

function familiesOf(page: MetricsPage, of: 'node' | 'container' | 'pod') {
  return {
    cpu: page.counter(`${of}_cpu_usage_seconds_total`, `Time of the ${of} on the processors in core-seconds`),
    memory: page.gauge(`${of}_memory_working_set_bytes`, `Working set of the ${of} in bytes`),
    swap: page.gauge(`${of}_swap_usage_bytes`, `Swap that the ${of} takes in bytes`),
  };
}

interface Use {
  cpu: PodCpu | undefined;
  memory: PodMemory | undefined;
  swap: number | undefined;
}
type Linux = NonNullable<PodFigures['stats']['linux']>;
type PodCpu = NonNullable<Linux['cpu']>;
type PodMemory = NonNullable<Linux['memory']>;

/** What the runtime does not say of a container or pod is left out. */
function add(families: Families, labels: Record<string, string>, { cpu, memory, swap }: Use): void {
  const usedNs = cpu?.usageCoreNanoSeconds?.value;
  const workingSet = memory?.workingSetBytes?.value;
  if (cpu && usedNs !== undefined) families.cpu(usedNs / nsPerSecond, labels, millisecondsOf(cpu.timestamp));
  if (memory && workingSet !== undefined)
    families.memory(workingSet, labels, millisecondsOf(memory.timestamp));
  if (memory && swap !== undefined) families.swap(swap, labels, millisecondsOf(memory.timestamp));
}

/** Swap of all containers of a pod, what they take or what is left to them; undefined where the runtime tells of none. */
export function sumOfSwap(
  containers: PodFigures['containers'],
  figure: 'swapUsageBytes' | 'swapAvailableBytes' = 'swapUsageBytes',
): number | undefined {
  const known = containers.flatMap(({ stats }) => stats.swap?.[figure]?.value ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, bytes) => sum + bytes, 0);
}
