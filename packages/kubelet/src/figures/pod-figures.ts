import type { ContainerStats, ContainerStatus, PodSandboxStats } from '@wherry/cri';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { containerLabels } from '../pod/labels.ts';
import type { Rooms } from '../rooms.ts';

/** What the runtime says of one of a pod's containers, and what the kubelet knows of it. */
export interface ContainerFigures {
  id: string;
  name: string;
  stats: ContainerStats;
  /** Undefined for one that the kubelet has not looked at yet. */
  status: ContainerStatus | undefined;
}

/** One pod of the runtime. */
export interface PodFigures {
  uid: string;
  name: string;
  namespace: string;
  /** The pod as it is wanted; undefined for one that no source names any more. */
  pod: AssignedPod | undefined;
  /** When its sandbox was made; undefined where that is not known. */
  startedAtNs: bigint | undefined;
  stats: PodSandboxStats;
  containers: readonly ContainerFigures[];
}

/** Asks the runtime what all pods take now. Throws CriError. */
export async function readPodFigures({ ground, board, observation }: Rooms): Promise<PodFigures[]> {
  const { stats: list } = await ground.cri.runtime.listPodSandboxStats({});
  return list.map((stats) => {
    const { uid = '', name = '', namespace = '' } = stats.attributes?.metadata ?? {};
    const record = observation.cache.peek(uid);
    const statuses = new Map(record?.containers.map((status) => [status.id, status]));
    return {
      ...{ uid, name, namespace, stats },
      pod: board.store.get(uid),
      startedAtNs: record?.sandboxes.find(({ id }) => id === stats.attributes?.id)?.createdAt,
      containers: (stats.linux?.containers ?? []).map((container) => ({
        id: container.attributes?.id ?? '',
        name:
          container.attributes?.labels[containerLabels.containerName] ??
          container.attributes?.metadata?.name ??
          '',
        stats: container,
        status: statuses.get(container.attributes?.id ?? ''),
      })),
    };
  });
}
