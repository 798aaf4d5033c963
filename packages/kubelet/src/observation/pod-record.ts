import type { Clock } from '@wherry/clock';
import { ContainerState, type ContainerStatus, type PodSandboxStatus } from '@wherry/cri';
import { containerLabels } from '../pod/labels.ts';

/** What the container runtime says about one pod, newest records first. */
export interface PodRecord {
  uid: string;
  name: string;
  namespace: string;
  sandboxes: readonly PodSandboxStatus[];
  containers: readonly ContainerStatus[];
  /** Wall-clock time at which the runtime was asked, to compare with what it stamps. */
  observedAtMs: number;
}

/** A pod that the runtime knows nothing of. */
export function emptyPodRecord(uid: string, clock: Clock): PodRecord {
  return { uid, name: '', namespace: '', sandboxes: [], containers: [], observedAtMs: clock.nowMs() };
}

/** The name that the pod gives to a container. */
export function containerNameOf(status: ContainerStatus): string {
  return status.labels[containerLabels.containerName] ?? status.metadata?.name ?? '';
}

/** The newest container of that name. */
export function newestContainer(record: PodRecord, name: string): ContainerStatus | undefined {
  return record.containers.find((status) => containerNameOf(status) === name);
}

/** The newest container of that name that has ended. */
export function newestEnded(record: PodRecord, name: string): ContainerStatus | undefined {
  return record.containers.find(
    (status) => containerNameOf(status) === name && status.state === ContainerState.CONTAINER_EXITED,
  );
}

/** Containers whose process may exist. */
export function liveContainers(record: PodRecord): ContainerStatus[] {
  return record.containers.filter(
    ({ state }) => state === ContainerState.CONTAINER_RUNNING || state === ContainerState.CONTAINER_UNKNOWN,
  );
}

/** Containers that were not said to have ended: also those that were made and, as far as is known, not started. */
export function unendedContainers(record: PodRecord): ContainerStatus[] {
  return record.containers.filter(({ state }) => state !== ContainerState.CONTAINER_EXITED);
}

/** Milliseconds since the epoch of a CRI timestamp in nanoseconds. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}
