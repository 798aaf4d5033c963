import type { Pod, StatefulSet, StatefulSetStatus } from '@wherry/kubeapi/objects';
import { isPodReady, podAvailableInMs } from '@wherry/podrules';
import { revisionHashLabel } from '../ownership/revision-history.ts';

/** The name of the revision that a pod is of. */
export function podRevision({ metadata }: Pod): string {
  return new Map(Object.entries(metadata.labels ?? {})).get(revisionHashLabel) ?? '';
}

/** Whether a pod serves, and is not on its way out. */
export function isAvailable({ spec }: StatefulSet, pod: Pod, nowMs: number): boolean {
  const waitMs = podAvailableInMs(pod, spec.minReadySeconds ?? 0, nowMs);
  return waitMs === 0 && !pod.metadata.deletionTimestamp;
}

/** The status that follows from the pods (upstream: updateStatus and completeRollingUpdate). */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  facts: { current: string; update: string; collisionCount: number; nowMs: number },
): StatefulSetStatus {
  const { current, update, collisionCount, nowMs } = facts;
  const { replicas: wanted = 1, minReadySeconds = 0, updateStrategy } = set.spec;
  const count = (holds: (pod: Pod) => boolean) => pods.filter(holds).length;
  const isOf = (revision: string) => (pod: Pod) =>
    !pod.metadata.deletionTimestamp && podRevision(pod) === revision;
  const isReady = (pod: Pod) => pod.status?.phase === 'Running' && isPodReady(pod);
  const readyReplicas = count(isReady);
  const updatedReplicas = count(isOf(update));
  const isRolled =
    updateStrategy?.type !== 'OnDelete' &&
    [updatedReplicas, readyReplicas, pods.length].every((number) => number === wanted);
  const counts = {
    readyReplicas,
    currentReplicas: isRolled ? updatedReplicas : count(isOf(current)),
    updatedReplicas,
  };
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, number]) => number !== 0)),
    availableReplicas: count((pod) => isReady(pod) && podAvailableInMs(pod, minReadySeconds, nowMs) === 0),
    currentRevision: isRolled ? update : current,
    updateRevision: update,
    collisionCount,
  };
}
