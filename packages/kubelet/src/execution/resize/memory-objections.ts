import type { ContainerStats } from '@wherry/cri';
import { aggregateText } from '@wherry/kubeapi';
import type { PodGroup } from '../cgroups/pod-group.ts';
import type { ContainerResize } from '../plan/pod-actions.ts';

/** Limits of memory that are to be set, and what is in use. */
export interface MemoryChange {
  resizes: readonly ContainerResize[];
  /** The pod's own new limit, where it shrinks. */
  pod: { limit: number; group: Pick<PodGroup, 'memoryUsageBytes'> } | undefined;
  usage(): Promise<{ stats: readonly ContainerStats[] }>;
}

/** Throws when a limit is to fall below what is in use: the kernel would kill for it (validateMemoryResizeAction). */
export async function memoryObjections({ resizes, pod, usage }: MemoryChange): Promise<void> {
  const shrinking = resizes.filter(
    ({ desired, current }) =>
      desired.memoryLimit !== 0 && (current.memoryLimit === 0 || desired.memoryLimit < current.memoryLimit),
  );
  const errors: string[] = [];
  if (pod) {
    const used = pod.group.memoryUsageBytes();
    if (used === undefined) errors.push('missing pod memory usage');
    else if (used >= pod.limit)
      errors.push(`attempting to set pod memory limit (${pod.limit}) below current usage (${used})`);
  }
  const { stats } = shrinking.length > 0 ? await usage() : { stats: [] };
  for (const { containerId, container, desired } of shrinking) {
    const subject = `container ${JSON.stringify(container.name)} memory`;
    const found = stats.find(({ attributes }) => attributes?.id === containerId);
    const used = found?.memory?.usageBytes?.value;
    if (used === undefined) errors.push(`missing ${subject} usage`);
    else if (used >= desired.memoryLimit)
      errors.push(
        `attempting to set ${subject} limit (${desired.memoryLimit}) below current usage (${used})`,
      );
  }
  if (errors.length === 0) return;
  throw new Error(`cannot decrease memory limits: ${aggregateText(errors)}`);
}
