import { isDeepStrictEqual } from 'node:util';
import {
  type Condition,
  type Pod,
  type PodDisruptionBudget,
  type PodDisruptionBudgetStatus,
  timeFromMs,
} from '@wherry/kubeapi/objects';
import { isPodReady } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { scaledCount } from '../ownership/int-or-percent.ts';

/** How many pods a budget is about, and how many of them must serve. */
export interface BudgetCounts {
  expected: number;
  desired: number;
}

/** Whether the counts follow from what the pods' controllers ask for, not from the pods that there are. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';
}

/** The counts; `scale` is the number of pods that their controllers ask for (upstream: getExpectedPodCount). */
export function budgetCounts({ spec }: PodDisruptionBudget, podCount: number, scale: number): BudgetCounts {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== undefined)
    return { expected: scale, desired: Math.max(0, scale - scaledCount(maxUnavailable, scale, 'up')) };
  if (typeof minAvailable === 'string')
    return { expected: scale, desired: scaledCount(minAvailable, scale, 'up') };
  return minAvailable === undefined
    ? { expected: 0, desired: 0 }
    : { expected: podCount, desired: minAvailable };
}

/** Evicted pods that are still to go, and those that should have been gone by now. */
export function disruptedPods(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  nowMs: number,
): { waiting: Record<string, string>; overdue: Pod[]; recheckMs: number } {
  const known = new Map(Object.entries(status?.disruptedPods ?? {}));
  const listed = pods.filter(({ metadata }) => known.has(metadata.name ?? '') && !metadata.deletionTimestamp);
  const dueMs = (pod: Pod) => Date.parse(known.get(pod.metadata.name ?? '') ?? '') + limits.disruptionMs;
  const overdue = listed.filter((pod) => dueMs(pod) < nowMs);
  const waiting = listed.filter((pod) => !overdue.includes(pod));
  return {
    waiting: Object.fromEntries(
      waiting.map(({ metadata }) => [metadata.name ?? '', known.get(metadata.name ?? '') ?? '']),
    ),
    overdue,
    recheckMs: Math.min(...waiting.map(dueMs)) - nowMs,
  };
}

/** The status that follows (upstream: updatePdbStatus). */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  facts: { counts: BudgetCounts; waiting: Record<string, string>; nowMs: number },
): PodDisruptionBudgetStatus {
  const { counts, waiting, nowMs } = facts;
  const { generation = 0 } = budget.metadata;
  const serves = (pod: Pod) =>
    isPodReady(pod) && !pod.metadata.deletionTimestamp && !Object.hasOwn(waiting, pod.metadata.name ?? '');
  const currentHealthy = pods.filter(serves).length;
  const room = counts.expected > 0 ? Math.max(0, currentHealthy - counts.desired) : 0;
  const told =
    room > 0 ? { status: 'True', reason: 'SufficientPods' } : { status: 'False', reason: 'InsufficientPods' };
  return {
    ...(Object.keys(waiting).length > 0 ? { disruptedPods: waiting } : {}),
    ...{ disruptionsAllowed: room, currentHealthy, desiredHealthy: counts.desired },
    ...{ expectedPods: counts.expected, observedGeneration: generation },
    conditions: withAllowed(budget, { ...told, message: '', observedGeneration: generation }, nowMs),
  };
}

/** The status while it can't be told how many pods there should be: nothing may be evicted. */
export function failedStatus(
  budget: PodDisruptionBudget,
  message: string,
  nowMs: number,
): PodDisruptionBudgetStatus {
  const { observedGeneration = 0 } = budget.status ?? {};
  const told = { status: 'False', reason: 'SyncFailed', message, observedGeneration };
  const counts = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return { ...counts, ...budget.status, disruptionsAllowed: 0, conditions: withAllowed(budget, told, nowMs) };
}

function withAllowed(
  { status }: PodDisruptionBudget,
  told: { status: string; reason: string; message: string; observedGeneration: number },
  nowMs: number,
): Condition[] {
  const type = 'DisruptionAllowed';
  const known = status?.conditions ?? [];
  const before = known.find((each) => each.type === type);
  const isSame = before?.status === told.status;
  const lastTransitionTime = isSame ? before.lastTransitionTime : timeFromMs(nowMs);
  const condition = { type, ...told, lastTransitionTime } as Condition;
  if (isDeepStrictEqual(before, condition)) return known;
  return [...known.filter((each) => each !== before), condition];
}
