import { type Container, ContainerState, type PodSandbox, PodSandboxState } from '@wherry/cri';
import { containerLabels } from '../pod/labels.ts';

/** States of a pod's sandboxes and containers by ID, as one list of the runtime shows them. */
export type PodStates = ReadonlyMap<string, number>;

/** All pods of the runtime by UID. */
export type RuntimeSnapshot = ReadonlyMap<string, PodStates>;

const sandboxOffset = 100;

/** Groups what the runtime lists by pod. */
export function runtimeSnapshot(
  sandboxes: readonly PodSandbox[],
  containers: readonly Container[],
): RuntimeSnapshot {
  const pods = new Map<string, Map<string, number>>();
  const add = (uid: string, id: string, state: number) => {
    if (uid === '') return;
    const states = pods.get(uid) ?? new Map<string, number>();
    pods.set(uid, states.set(id, state));
  };
  for (const { metadata, id, state } of sandboxes) add(metadata?.uid ?? '', id, state + sandboxOffset);
  for (const { labels, id, state } of containers) add(labels[containerLabels.podUid] ?? '', id, state);
  return pods;
}

const liveStates: ReadonlySet<number> = new Set([
  ContainerState.CONTAINER_RUNNING,
  ContainerState.CONTAINER_UNKNOWN,
  PodSandboxState.SANDBOX_READY + sandboxOffset,
]);

/** Whether a sandbox of the pod stands, or a container may run. */
export function isLivePod(states: PodStates | undefined): boolean {
  return [...(states?.values() ?? [])].some((state) => liveStates.has(state));
}

const containerStates = new Map<number, string>([
  [ContainerState.CONTAINER_CREATED, 'created'],
  [ContainerState.CONTAINER_RUNNING, 'running'],
  [ContainerState.CONTAINER_EXITED, 'exited'],
  [ContainerState.CONTAINER_UNKNOWN, 'unknown'],
]);

/** How many pods have a sandbox that stands, and how many containers are in which state. */
export function countStates(snapshot: RuntimeSnapshot): { pods: number; containers: Map<string, number> } {
  const containers = new Map([...containerStates.values()].map((name) => [name, 0]));
  let pods = 0;
  for (const states of snapshot.values()) {
    const all = [...states.values()];
    if (all.includes(PodSandboxState.SANDBOX_READY + sandboxOffset)) pods += 1;
    for (const state of all) {
      const name = containerStates.get(state);
      if (name) containers.set(name, (containers.get(name) ?? 0) + 1);
    }
  }
  return { pods, containers };
}

/** UIDs of the pods in which anything appeared, vanished or changed its state. */
export function changedPods(before: RuntimeSnapshot, after: RuntimeSnapshot): string[] {
  const changed: string[] = [];
  for (const [uid, states] of after) if (!sameStates(before.get(uid), states)) changed.push(uid);
  for (const uid of before.keys()) if (!after.has(uid)) changed.push(uid);
  return changed;
}

function sameStates(before: PodStates | undefined, after: PodStates): boolean {
  if (before?.size !== after.size) return false;
  for (const [id, state] of after) if (before.get(id) !== state) return false;
  return true;
}
