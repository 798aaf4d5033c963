import type { ContainerStats, PodSandboxStats } from '@wherry/cri';
import type { ContainerRecord } from '../container/container-record.ts';
import type { SandboxRecord } from '../sandbox-record.ts';

const amount = (value: number) => ({ value });

/** What a container takes; nothing but its name where the provider can't say. */
export async function containerStats(container: ContainerRecord): Promise<ContainerStats> {
  const { id, config } = container;
  const attributes = {
    id,
    metadata: config.metadata,
    labels: config.labels,
    annotations: config.annotations,
  };
  const usage = await container.usage();
  if (!usage) return { attributes };
  return {
    attributes,
    cpu: { timestamp: usage.atNs, usageCoreNanoSeconds: amount(Number(usage.cpuNs)) },
    memory: {
      timestamp: usage.atNs,
      ...{ usageBytes: amount(usage.memoryBytes), workingSetBytes: amount(usage.memoryBytes) },
    },
  };
}

/** What a pod takes: the sum of what its containers do. */
export async function sandboxStats(
  { pod }: SandboxRecord,
  containers: readonly ContainerRecord[],
  nowNs: bigint,
): Promise<PodSandboxStats> {
  const each = await Promise.all(containers.filter(({ isRunning }) => isRunning).map(containerStats));
  const sum = (read: (stats: ContainerStats) => { value: number } | undefined) =>
    amount(each.reduce((total, stats) => total + (read(stats)?.value ?? 0), 0));
  return {
    attributes: {
      ...{ id: pod.id, metadata: pod.config.metadata, labels: pod.config.labels },
      annotations: pod.config.annotations,
    },
    linux: {
      cpu: { timestamp: nowNs, usageCoreNanoSeconds: sum(({ cpu }) => cpu?.usageCoreNanoSeconds) },
      memory: {
        timestamp: nowNs,
        usageBytes: sum(({ memory }) => memory?.usageBytes),
        workingSetBytes: sum(({ memory }) => memory?.workingSetBytes),
      },
      containers: each,
    },
  };
}
