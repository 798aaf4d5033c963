import { type Job, type JobCondition, type Pod, timeFromMs } from '@wherry/kubeapi/objects';
import { conditionOf } from '../ownership/conditions.ts';
import { IndexRanges } from './index-ranges.ts';
import type { Indexes } from './job-indexes.ts';
import { failureVerdict, isPodFailed } from './pod-outcome.ts';

/** A condition as of now. */
export function jobCondition(
  type: string,
  status: 'True' | 'False',
  { reason, message, nowMs }: { reason: string; message: string; nowMs: number },
): JobCondition {
  const now = timeFromMs(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/**
 * The conditions with this one in the place of its type's. The same list comes back when nothing is new: when one says
 * the same, or when there is none and it is not so.
 */
export function conditionsWith(
  conditions: JobCondition[] | undefined,
  condition: JobCondition,
): JobCondition[] | undefined {
  const known = conditionOf(conditions, condition.type);
  if (!known) return condition.status === 'False' ? conditions : [...(conditions ?? []), condition];
  const { status, reason, message } = condition;
  const isSaid = known.status === status && known.reason === reason && known.message === message;
  return isSaid ? conditions : conditions?.map((each) => (each === known ? condition : each));
}

/** Whether a job has come to its end. */
export function isJobFinished({ status }: Job): boolean {
  return ['Complete', 'Failed'].some((type) => conditionOf(status?.conditions, type)?.status === 'True');
}

/** What the end of a job is judged by. */
export interface JobFacts {
  pods: readonly Pod[];
  /** All that have failed, whether they stand in the status or not. */
  failed: number;
  indexes: Indexes | undefined;
  nowMs: number;
}

/**
 * How the job ends, or undefined when it goes on: what an earlier look has found first, then failures, then an early
 * success (upstream: syncJob). `Failed` and `Complete` themselves follow when all its pods are counted and gone.
 */
export function outcomeOf(job: Job, facts: JobFacts): JobCondition | undefined {
  const { pods, nowMs } = facts;
  const conditions = job.status?.conditions;
  const met = conditionOf(conditions, 'SuccessCriteriaMet');
  if (met?.status === 'True') return met;
  const { reason = '', message = '', status } = conditionOf(conditions, 'FailureTarget') ?? {};
  if (status === 'True') return jobCondition('Failed', 'True', { reason, message, nowMs });
  const verdict = pods
    .filter((pod) => isPodFailed(pod, job))
    .map((pod) => failureVerdict(job, pod).message)
    .find((text) => text !== undefined);
  const failure = verdict ? (['PodFailurePolicy', verdict] as const) : failureOf(job, facts);
  if (failure)
    return jobCondition('FailureTarget', 'True', { reason: failure[0], message: failure[1], nowMs });
  const rule = metRule(job, facts.indexes);
  if (rule === undefined) return undefined;
  const told = { reason: 'SuccessPolicy', message: `Matched rules at index ${rule}`, nowMs };
  return jobCondition('SuccessCriteriaMet', 'True', told);
}

function failureOf(job: Job, facts: JobFacts): readonly [reason: string, message: string] | undefined {
  const { failed, pods, indexes, nowMs } = facts;
  const { backoffLimit = 6, completions = 0, maxFailedIndexes } = job.spec;
  if (failed > backoffLimit || restartsTooOften(job, pods))
    return ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'];
  if (deadlineMs(job) <= nowMs) return ['DeadlineExceeded', 'Job was active longer than specified deadline'];
  const failedIndexes = indexes?.failed?.size ?? 0;
  if (maxFailedIndexes !== undefined && failedIndexes > maxFailedIndexes)
    return ['MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes'];
  if (failedIndexes > 0 && failedIndexes + (indexes?.succeeded.size ?? 0) >= completions)
    return ['FailedIndexes', 'Job has failed indexes'];
  return undefined;
}

/** When the job has been active for too long, in milliseconds since 1970; infinite without a deadline. */
export function deadlineMs({ spec, status }: Job): number {
  if (spec.activeDeadlineSeconds === undefined || !status?.startTime || spec.suspend)
    return Number.POSITIVE_INFINITY;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
}

function restartsTooOften({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const alive = pods.filter(({ status }) => ['Running', 'Pending'].includes(status?.phase ?? 'Pending'));
  const restarts = alive
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  return restarts >= Math.max(1, spec.backoffLimit ?? 6);
}

/** The first rule of the success policy that holds. */
function metRule({ spec }: Job, indexes: Indexes | undefined): number | undefined {
  const { succeeded } = indexes ?? {};
  if (!succeeded || succeeded.size === 0) return undefined;
  const index = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && succeeded.size >= succeededCount;
    const required = IndexRanges.parse(succeededIndexes, spec.completions ?? 0);
    const done = [...succeeded].filter((each) => required.has(each)).length;
    return required.size > 0 && done >= Math.min(required.size, succeededCount ?? required.size);
  });
  return index === -1 ? undefined : index;
}
