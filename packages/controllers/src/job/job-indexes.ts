import type { Job, Pod } from '@wherry/kubeapi/objects';
import { inPlainDeletionOrder } from '../ownership/deletion-order.ts';
import { IndexSet } from './index-set.ts';
import {
  failureVerdict,
  finishedAtMs,
  indexOf,
  isPodFailed,
  isTerminating,
  isTracked,
  replacesOnlyFailed,
} from './pod-outcome.ts';

const failureCount = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailureCount = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** What is known of an Indexed job's indexes (upstream: indexed_job_utils.go). */
export interface Indexes {
  /** Those whose success is in the status. */
  counted: IndexSet;
  succeeded: IndexSet;
  /** Undefined unless each index has a limit of its own. */
  failed: IndexSet | undefined;
  /** The last failed pod of each index that is to be tried again: kept until there is another. */
  waiting: ReadonlyMap<number, Pod>;
}

/** Whether each index has a limit of failures. */
export function hasLimitPerIndex({ spec }: Job): boolean {
  return spec.backoffLimitPerIndex !== undefined;
}

/** The indexes by what the status and the pods say. */
export function indexesOf(job: Job, pods: readonly Pod[], active: readonly Pod[]): Indexes {
  const { completions = 0 } = job.spec;
  const isOurs = (pod: Pod) => isTracked(pod) && (indexOf(pod) ?? completions) < completions;
  const indexed = (which: readonly Pod[]) => which.map((pod) => indexOf(pod)!);
  const counted = IndexSet.parse(job.status?.completedIndexes ?? '', completions);
  const tracked = pods.filter(isOurs);
  const succeeded = counted.with(indexed(tracked.filter(({ status }) => status?.phase === 'Succeeded')));
  if (!hasLimitPerIndex(job)) return { counted, succeeded, failed: undefined, waiting: new Map() };
  const known = IndexSet.parse(job.status?.failedIndexes ?? '', completions);
  const failed = known.with(indexed(tracked.filter((pod) => hasIndexFailed(job, pod))));
  const settled = succeeded.with(failed).with(active.map((pod) => indexOf(pod) ?? -1));
  const waiting = new Map<number, Pod>();
  for (const pod of tracked.filter((each) => isPodFailed(each, job))) {
    const index = indexOf(pod)!;
    const last = waiting.get(index);
    const isLater =
      !last || (allFailures(last) <= allFailures(pod) && finishedAtMs(pod) >= finishedAtMs(last));
    if (!settled.has(index) && isLater) waiting.set(index, pod);
  }
  return { counted, succeeded, failed, waiting };
}

/** The first indexes that have no pod, and need one: `count` of them at most. */
export function pendingIndexes(
  job: Job,
  { succeeded, failed }: Indexes,
  { pods, active, count }: { pods: readonly Pod[]; active: readonly Pod[]; count: number },
): number[] {
  const going = replacesOnlyFailed(job) ? pods.filter(isTerminating) : [];
  const settled = succeeded.with(failed ?? []).with([...active, ...going].map((pod) => indexOf(pod) ?? -1));
  const { completions = 0 } = job.spec;
  const pending: number[] = [];
  // A job may have billions of indexes.
  for (let index = 0; index < completions && pending.length < count; index += 1)
    if (!settled.has(index)) pending.push(index);
  return pending;
}

/** Active pods that go first: those without an index of the job's, and of each index all but the one that serves best. */
export function superfluous(job: Job, active: readonly Pod[]): Pod[] {
  const groups = Map.groupBy(active, (pod) => {
    const index = indexOf(pod);
    return index !== undefined && index < (job.spec.completions ?? 0) ? index : -1;
  });
  return [...groups].flatMap(([index, group]) =>
    inPlainDeletionOrder(group).slice(0, index === -1 ? group.length : -1),
  );
}

/** The annotations by which a pod knows how often its index has failed. */
export function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  const isCounted = replaced ? failureVerdict(job, replaced).isCounted : false;
  const failures = countIn(replaced, failureCount) + (isCounted ? 1 : 0);
  const ignored = countIn(replaced, ignoredFailureCount) + (replaced && !isCounted ? 1 : 0);
  return {
    [failureCount]: String(failures),
    ...(ignored > 0 ? { [ignoredFailureCount]: String(ignored) } : {}),
  };
}

/** How often the index of a pod has failed before it, whether that counted or not. */
export function allFailures(pod: Pod): number {
  return countIn(pod, failureCount) + countIn(pod, ignoredFailureCount);
}

function hasIndexFailed(job: Job, pod: Pod): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { action, isCounted } = failureVerdict(job, pod);
  return (
    action === 'FailIndex' ||
    (isCounted && countIn(pod, failureCount) >= (job.spec.backoffLimitPerIndex ?? 0))
  );
}

function countIn(pod: Pod | undefined, annotation: typeof failureCount | typeof ignoredFailureCount): number {
  const text = new Map(Object.entries(pod?.metadata.annotations ?? {})).get(annotation) ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;
}
