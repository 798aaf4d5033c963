import type { Job, Pod, PodFailurePolicyRule, PodStatus } from '@wherry/kubeapi/objects';
import { isFinished, isSidecar } from '@wherry/podrules';

/** Keeps a pod until its job has counted it (upstream: batch.JobTrackingFinalizer). */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** Label and annotation of the pods of Indexed jobs. */
export const indexLabel = 'batch.kubernetes.io/job-completion-index';

/** Whether the job has yet to count the pod, or to let it go. */
export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** Which index a pod works on; undefined when it says none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[indexLabel] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether a pod is replaced only once it has failed, not already when it is being deleted. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

/** Whether a pod counts as failed; one that is deleted may never get as far as to say so. */
export function isPodFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== 'Succeeded';
}

/** Whether a pod is being deleted, and has not ended. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isFinished(pod);
}

/** When a pod ended, as well as it can be told, in milliseconds since 1970. */
export function finishedAtMs(pod: Pod): number {
  const sidecars = new Set((pod.spec?.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const statuses = [
    ...(pod.status?.containerStatuses ?? []),
    ...(pod.status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = statuses.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  if (ends.length > 0 && ends.every((end) => end > 0)) return Math.max(...ends);
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = pod.metadata;
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp) || 0;
}

/** What a failure policy makes of a failed pod. */
export interface FailureVerdict {
  action?: string;
  /** Whether it counts against the limits. */
  isCounted: boolean;
  /** Why the whole job fails. */
  message?: string;
}

/** What the first rule that matches says (upstream: pod_failure_policy.go). */
export function failureVerdict({ spec }: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { action, isCounted: false };
    if (action !== 'FailJob') return { action, isCounted: true };
    return { action, isCounted: true, message: `${cause} matching ${action} rule at index ${index}` };
  }
  return { isCounted: true };
}

function causeOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata;
  if (onExitCodes) {
    const failed = exited(pod.status).find(
      (each) =>
        (onExitCodes.containerName === undefined || onExitCodes.containerName === each.name) &&
        onExitCodes.values.includes(each.exitCode) === (onExitCodes.operator === 'In'),
    );
    return (
      failed &&
      `Container ${failed.name} for pod ${namespace}/${name} failed with exit code ${failed.exitCode}`
    );
  }
  const met = pod.status?.conditions?.find((condition) =>
    onPodConditions?.some(
      (pattern) => pattern.type === condition.type && (pattern.status ?? 'True') === condition.status,
    ),
  );
  return met && `Pod ${namespace}/${name} has condition ${met.type}`;
}

function exited(status: PodStatus | undefined): { name: string; exitCode: number }[] {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return statuses.flatMap(({ name, state }) => {
    const exitCode = state?.terminated?.exitCode ?? 0;
    return exitCode === 0 ? [] : [{ name, exitCode }];
  });
}
