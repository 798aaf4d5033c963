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

/**
 * What a pod takes: the sum of what its containers do, as of the latest word of one. Left out where one of them doesn't say: a part of
 * a sum is no figure.
 */
export async function sandboxStats(
  { pod }: SandboxRecord,
  containers: readonly ContainerRecord[],
): Promise<PodSandboxStats> {
  const each = await Promise.all(containers.filter(({ isRunning }) => isRunning).map(containerStats));
  const told = each.flatMap(({ cpu, memory }) => (cpu && memory ? [{ cpu, memory }] : []));
  const isWhole = told.length > 0 && told.length === each.length;
  const sum = (read: (figures: (typeof told)[number]) => { value: number } | undefined) =>
    amount(told.reduce((total, figures) => total + (read(figures)?.value ?? 0), 0));
  const timestamp = told.reduce((latest, { cpu }) => (cpu.timestamp > latest ? cpu.timestamp : latest), 0n);
  return {
    attributes: {
      ...{ id: pod.id, metadata: pod.config.metadata, labels: pod.config.labels },
      annotations: pod.config.annotations,
    },
    linux: {
      ...(isWhole && {
        cpu: { timestamp, usageCoreNanoSeconds: sum(({ cpu }) => cpu.usageCoreNanoSeconds) },
        memory: {
          timestamp,
          usageBytes: sum(({ memory }) => memory.usageBytes),
          workingSetBytes: sum(({ memory }) => memory.workingSetBytes),
        },
      }),
      containers: each,
    },
  };
}
