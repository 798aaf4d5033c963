import { ownValue } from '@wherry/kubeapi';
import { podAmounts } from '@wherry/podrules';
import { amountOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type PodUsage, storageOf } from './pod-usage.ts';

const storage = 'ephemeral-storage';

/** Which limit of a pod was exceeded; the signal is upstream's name of it in metrics. */
export interface StorageExcess {
  signal: 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';
  message: string;
}

/** Whether anything of the pod on the node's disk is limited. */
export function hasStorageLimits(pod: AssignedPod): boolean {
  return (
    (pod.spec.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined) ||
    podAmounts(pod, 'limits').has(storage)
  );
}

/**
 * The limit that the pod is over, in upstream's words: of an emptyDir, of all containers together, of one container
 * (pkg/kubelet/eviction/eviction_manager.go, localStorageEviction). A container's own files do not count where they lie on
 * another file system than the kubelet's.
 */
export function storageExcess(
  pod: AssignedPod,
  usage: PodUsage,
  { hasImageFilesystem }: { hasImageFilesystem: boolean },
): StorageExcess | undefined {
  return volumeExcess(pod, usage) ?? podExcess(pod, usage) ?? containerExcess(pod, usage, hasImageFilesystem);
}

function volumeExcess(pod: AssignedPod, { volumes }: PodUsage): StorageExcess | undefined {
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const limit = emptyDir?.sizeLimit;
    if (limit === undefined || amountOf(limit) <= 0) continue;
    if ((volumes.get(name)?.bytes ?? 0) <= amountOf(limit)) continue;
    return {
      signal: 'emptydirfs.limit',
      message: `Usage of EmptyDir volume "${name}" exceeds the limit "${limit}". `,
    };
  }
  return undefined;
}

function podExcess(pod: AssignedPod, usage: PodUsage): StorageExcess | undefined {
  const limit = podAmounts(pod, 'limits').get(storage);
  if (!limit || storageOf(usage, ['layers', 'logs', 'volumes']).bytes <= limit.toNumber()) return undefined;
  const message = `Pod ephemeral local storage usage exceeds the total limit of containers ${limit}. `;
  return { signal: 'ephemeralpodfs.limit', message };
}

function containerExcess(
  pod: AssignedPod,
  usage: PodUsage,
  hasImageFilesystem: boolean,
): StorageExcess | undefined {
  for (const { name, resources } of pod.spec.containers) {
    const limit = ownValue(resources?.limits, storage);
    const own = usage.containers.find((candidate) => candidate.name === name);
    if (limit === undefined || !own || amountOf(limit) === 0) continue;
    const bytes = own.logs.bytes + (hasImageFilesystem ? 0 : own.layer.bytes);
    if (bytes <= amountOf(limit)) continue;
    const message = `Container ${name} exceeded its local ephemeral storage limit "${limit}". `;
    return { signal: 'ephemeralcontainerfs.limit', message };
  }
  return undefined;
}
