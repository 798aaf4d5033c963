import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '@wherry/kubeapi/objects';
import { withCondition, withoutCondition } from '../ownership/conditions.ts';
import {
  conditionNow,
  countedStatus,
  hasDeadline,
  isComplete,
  progressOf,
  progressReasons,
} from './deployment-status.ts';

/** {@link countedStatus} with progress, or the lack of it, and what replica sets fail at (upstream: progress.go). */
export function rolloutStatus(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  nowMs: number,
): DeploymentStatus {
  const counted = countedStatus(deployment, current, sets, nowMs);
  const conditions = withFailure(progressConditions(deployment, current, counted, nowMs), current, sets);
  return { ...counted, conditions };
}

function progressConditions(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  counted: DeploymentStatus,
  nowMs: number,
): DeploymentCondition[] {
  const conditions = counted.conditions ?? [];
  if (!hasDeadline(deployment)) return withoutCondition(conditions, 'Progressing');
  const known = progressOf(deployment.status);
  const isDone = counted.replicas === counted.updatedReplicas && known?.reason === progressReasons.available;
  if (isDone) return conditions;
  const subject = current
    ? `ReplicaSet "${current.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const told = (status: 'True' | 'False', reason: string, end: string) =>
    conditionNow('Progressing', status, { reason, message: `${subject} ${end}`, nowMs });
  if (isComplete(deployment, counted))
    return withCondition(conditions, told('True', progressReasons.available, 'has successfully progressed.'));
  if (isProgressing(deployment.status, counted)) {
    const condition = told('True', progressReasons.updated, 'is progressing.');
    if (known?.status === 'True' && known.lastTransitionTime)
      condition.lastTransitionTime = known.lastTransitionTime;
    return [...withoutCondition(conditions, 'Progressing'), condition];
  }
  if (progressDueMs(deployment, progressOf(counted)) < nowMs)
    return withCondition(conditions, told('False', progressReasons.timedOut, 'has timed out progressing.'));
  return conditions;
}

function isProgressing(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined) =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

/** When lack of progress becomes a failure, in milliseconds since 1970; infinite when nothing waits for progress. */
export function progressDueMs(deployment: Deployment, progress: DeploymentCondition | undefined): number {
  const { available, timedOut } = progressReasons;
  if (!hasDeadline(deployment) || !progress || progress.reason === available) return Number.POSITIVE_INFINITY;
  if (progress.reason === timedOut) return 0;
  const sinceMs = Date.parse(progress.lastUpdateTime ?? '') || 0;
  return sinceMs + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
}

function withFailure(
  conditions: readonly DeploymentCondition[],
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
): DeploymentCondition[] {
  const failures = [...(current ? [current] : []), ...sets].flatMap(({ status }) =>
    (status?.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure'),
  );
  const [failure] = failures;
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure');
  const since = failure.lastTransitionTime;
  return withCondition(conditions, { ...failure, ...(since ? { lastUpdateTime: since } : {}) });
}
