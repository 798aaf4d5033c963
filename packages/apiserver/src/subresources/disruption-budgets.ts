import {
  type Condition,
  forbidden,
  matcherFrom,
  type Pod,
  type PodDisruptionBudget,
  StatusError,
  timeFromMs,
  tooManyRequests,
} from '@wherry/kubeapi';
import { isPodReady, isTerminalPhase } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { as } from '../objects/api-object.ts';
import { withCondition } from '../objects/conditions.ts';
import { objectOf } from '../objects/stored-text.ts';
import { keyOf } from '../objects/strategy.ts';
import type { Collection } from '../registry/collection.ts';

const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Whether budgets have nothing to say of a pod: it does not run yet, or not any more. */
export function isOutsideBudgets({ status, metadata }: Pod): boolean {
  const phase = status?.phase ?? 'Pending';
  return phase === 'Pending' || isTerminalPhase(phase) || metadata.deletionTimestamp !== undefined;
}

/** What a pod's budget says. */
export interface Verdict {
  /** False: the pod may go only while nothing changes in it, since it is not ready. */
  isFree: boolean;
  /** The budget's name, '' for none. */
  budget: string;
}

/** 429 of a budget that is being looked at: whoever tries again soon hears more. */
export function beingProcessed(budget: string): StatusError {
  return overBudget(`The disruption budget ${budget} is still being processed by the server.`, 10);
}

function overBudget(message: string, retryAfterSeconds: number): StatusError {
  const error = tooManyRequests(refusal, retryAfterSeconds);
  error.status.details!.causes = [{ reason: 'DisruptionBudget', message }];
  return error;
}

/**
 * Takes a pod's place from the budget that covers it, once the budget has one. Throws 429 with cause DisruptionBudget while there is none, 500 when
 * several budgets cover it (upstream: pkg/registry/core/pod/storage/eviction.go).
 */
export async function takeFromBudget(
  budgets: Collection,
  pod: Pod,
  { dryRun, nowMs }: { dryRun: boolean; nowMs: number },
): Promise<Verdict> {
  const { namespace = '', name = '', labels } = pod.metadata;
  const { store, resource, gvk } = budgets.storage;
  const { items } = await store.range({ prefix: keyOf(resource, namespace, '') });
  const covering = items
    .map((stored) => as<PodDisruptionBudget>(objectOf(stored, gvk)))
    .filter(({ spec }) => matcherFrom(spec.selector).matches(labels));
  const [budget] = covering;
  if (!budget) return { isFree: true, budget: '' };
  const { name: budgetName = '' } = budget.metadata;
  if (covering.length > 1) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new StatusError({ code: 500, reason: 'InternalError', message });
  }
  if (!isPodReady(pod)) {
    const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
    const isEnough = currentHealthy >= desiredHealthy && desiredHealthy > 0;
    if (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || isEnough)
      return { isFree: false, budget: budgetName };
  }
  await budgets.storage.change({
    ...{ namespace, name: budgetName, dryRun },
    change(current) {
      const taken = withoutOne(as<PodDisruptionBudget>(current), name, nowMs);
      return { next: { ...current, status: taken.status } as typeof current };
    },
  });
  return { isFree: true, budget: budgetName };
}

function withoutOne(budget: PodDisruptionBudget, podName: string, nowMs: number): PodDisruptionBudget {
  const { metadata, status = {} } = budget;
  const { name = '', generation = 0 } = metadata;
  const { disruptionsAllowed = 0, disruptedPods = {}, observedGeneration = 0 } = status;
  // Upstream names one budget here, not their resource.
  const refuse = (why: string) => forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, name, why);
  if (observedGeneration < generation) throw beingProcessed(name);
  if (disruptionsAllowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > limits.disruptedPodsMax)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed === 0) throw overBudget(whyNone(budget), 0);
  const left = disruptionsAllowed - 1;
  const conditions = left === 0 ? withoutRoom(status.conditions, generation, nowMs) : status.conditions;
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: left,
      disruptedPods: { ...disruptedPods, [podName]: timeFromMs(nowMs) },
      ...(conditions ? { conditions } : {}),
    },
  };
}

function whyNone({ metadata, status = {} }: PodDisruptionBudget): string {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] } = status;
  const condition = conditions.find(({ type, status }) => type === 'DisruptionAllowed' && status === 'False');
  const { reason, message } = condition ?? {};
  const none = `The disruption budget ${metadata.name} does not allow evicting pods currently`;
  if (message && reason === 'SyncFailed') return `${none} because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return message ? `${none} (${reason}): ${message}` : none;
}

function withoutRoom(
  known: readonly Condition[] | undefined,
  observedGeneration: number,
  nowMs: number,
): Condition[] {
  const at = timeFromMs(nowMs);
  return withCondition(known, {
    ...{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' },
    ...{ lastTransitionTime: at, observedGeneration },
  });
}
