import { matcherFromMap, type Pod, type ReplicaSetStatus, timeFromMs } from '@wherry/kubeapi/objects';
import { isPodReady, podAvailableInMs } from '@wherry/podrules';
import { conditionOf, withCondition, withoutCondition } from '../ownership/conditions.ts';
import type { Replicated } from './replicated.ts';

/** What a status is made of. */
export interface ReplicaFacts {
  active: readonly Pod[];
  /** Pods that are being deleted; undefined = they are not told of. */
  terminating?: readonly Pod[] | undefined;
  /** What kept the controller from creating or deleting pods. */
  failure?: unknown;
  nowMs: number;
}

/** The status that follows from the pods (upstream: replica_set_utils.go calculateStatus). */
export function replicaStatus(object: Replicated, facts: ReplicaFacts): ReplicaSetStatus {
  const { active, terminating, failure, nowMs } = facts;
  const { spec, status, metadata } = object;
  const template = matcherFromMap(spec.template?.metadata?.labels ?? {});
  const minReadySeconds = spec.minReadySeconds ?? 0;
  const count = (holds: (pod: Pod) => boolean) => active.filter(holds).length;
  return {
    replicas: active.length,
    ...some(
      'fullyLabeledReplicas',
      count(({ metadata }) => template.matches(metadata?.labels)),
    ),
    ...some('readyReplicas', count(isPodReady)),
    ...some(
      'availableReplicas',
      count((pod) => podAvailableInMs(pod, minReadySeconds, nowMs) === 0),
    ),
    ...(terminating ? { terminatingReplicas: terminating.length } : {}),
    observedGeneration: metadata.generation ?? 0,
    ...conditionsAfter({ spec, status }, active.length, failure, nowMs),
  };
}

/** Zero is not written, as upstream's `omitempty` has it. */
function some(name: string, count: number): object {
  return count === 0 ? {} : { [name]: count };
}

function conditionsAfter(
  { spec, status }: Pick<Replicated, 'spec' | 'status'>,
  activeCount: number,
  failure: unknown,
  nowMs: number,
): Pick<ReplicaSetStatus, 'conditions'> {
  const known = status?.conditions;
  const isKnown = conditionOf(known, 'ReplicaFailure') !== undefined;
  let conditions = known ?? [];
  if (failure === undefined) conditions = withoutCondition(known, 'ReplicaFailure');
  else if (!isKnown)
    conditions = withCondition(known, {
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: timeFromMs(nowMs),
      reason: activeCount < (spec.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete',
      message: failure instanceof Error ? failure.message : String(failure),
    });
  return conditions.length > 0 ? { conditions } : {};
}
