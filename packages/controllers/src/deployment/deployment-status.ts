import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  type ReplicaSet,
  timeFromMs,
} from '@wherry/kubeapi/objects';
import { conditionOf, withCondition } from '../ownership/conditions.ts';
import { total } from './replica-sets.ts';
import { fenceposts } from './rollout-sizes.ts';

/** Why a deployment makes progress or none (upstream: deployment_util.go). */
export const progressReasons = {
  created: 'NewReplicaSetCreated',
  found: 'FoundNewReplicaSet',
  notCreated: 'ReplicaSetCreateError',
  updated: 'ReplicaSetUpdated',
  available: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
} as const;

/** A deadline of this many seconds, and a history limit of this many sets, is none. */
const none = 2 ** 31 - 1;

/** Whether lack of progress is told of. */
export function hasDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== none;
}

/** How many old replica sets are kept; undefined = all. */
export function historyLimit({ spec }: Deployment): number | undefined {
  return spec.revisionHistoryLimit === none ? undefined : spec.revisionHistoryLimit;
}

/** A condition as of now. */
export function conditionNow(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  { reason, message, nowMs }: { reason: string; message: string; nowMs: number },
): DeploymentCondition {
  const now = timeFromMs(nowMs);
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

/** The Progressing condition as it stands. */
export function progressOf(status: DeploymentStatus | undefined): DeploymentCondition | undefined {
  return conditionOf(status?.conditions, 'Progressing');
}

/** The conditions after the deployment was paused or resumed, else the same ones. */
export function pausedConditions(deployment: Deployment, nowMs: number): DeploymentCondition[] {
  const { spec, status } = deployment;
  const conditions = status?.conditions ?? [];
  const known = progressOf(status);
  if (!hasDeadline(deployment) || known?.reason === progressReasons.timedOut) return conditions;
  const isKnown = known?.reason === progressReasons.paused;
  if (Boolean(spec.paused) === isKnown) return conditions;
  const told = spec.paused
    ? { reason: progressReasons.paused, message: 'Deployment is paused', nowMs }
    : { reason: progressReasons.resumed, message: 'Deployment is resumed', nowMs };
  return withCondition(conditions, conditionNow('Progressing', 'Unknown', told));
}

/** The status that follows from the replica sets, without the estimate of progress (upstream: calculateStatus). */
export function countedStatus(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
  nowMs: number,
): DeploymentStatus {
  const { spec, status, metadata } = deployment;
  const available = total(sets, ({ status }) => status?.availableReplicas ?? 0);
  const wanted = total(sets, ({ spec }) => spec.replicas ?? 1);
  const counts = {
    replicas: total(sets, ({ status }) => status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: total(sets, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
  };
  const terminating = terminatingReplicas(sets);
  const isEnough = available >= (spec.replicas ?? 1) - fenceposts(deployment).maxUnavailable;
  const told = isEnough
    ? { reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.', nowMs }
    : {
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
        nowMs,
      };
  return {
    observedGeneration: metadata.generation ?? 0,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(status?.collisionCount === undefined ? {} : { collisionCount: status.collisionCount }),
    conditions: withCondition(
      status?.conditions,
      conditionNow('Available', isEnough ? 'True' : 'False', told),
    ),
  };
}

/** Undefined when a replica set that its controller has looked at does not say. */
function terminatingReplicas(sets: readonly ReplicaSet[]): number | undefined {
  const looked = sets.filter(
    ({ status }) => status?.observedGeneration || status?.terminatingReplicas !== undefined,
  );
  if (looked.some(({ status }) => status?.terminatingReplicas === undefined)) return undefined;
  return total(looked, ({ status }) => status?.terminatingReplicas ?? 0);
}

/** Whether all pods are of the newest template, and available. */
export function isComplete({ spec, metadata }: Deployment, status: DeploymentStatus | undefined): boolean {
  const counts = [status?.updatedReplicas, status?.replicas, status?.availableReplicas];
  return (
    counts.every((count) => (count ?? 0) === (spec.replicas ?? 1)) &&
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}
