import { isDeepStrictEqual } from 'node:util';
import { type KubeClient, keyOf, kinds } from '@wherry/client';
import { hasReason, type Job, type JobCondition, type JobStatus, type Pod } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { OwnWrites } from '../ownership/own-writes.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import type { Indexes } from './job-indexes.ts';
import { conditionsWith, jobCondition } from './job-outcome.ts';
import { failureVerdict, indexOf, isPodFailed, isTracked, trackingFinalizer } from './pod-outcome.ts';

/** What counts pods needs. */
export interface TrackingParts {
  client: KubeClient;
  jobs: InformerHandle<Job>;
  pods: InformerHandle<Pod>;
  writes: OwnWrites;
}

/** What one look at a job has found. */
export interface Tracking {
  stored: Job;
  /** With what is to be written in its status. */
  job: Job;
  pods: readonly Pod[];
  indexes: Indexes | undefined;
  outcome: JobCondition | undefined;
  /** Pods that are being deleted: a job ends when they are gone. */
  terminating: number;
  /** Called once the pods that have ended stand in the status: from then on they are not newly found. */
  noted(): void;
  nowMs: number;
  signal: AbortSignal;
}

/**
 * Counts the pods that have ended, each once: their uids go into the status, then their finalizers go, then the uids go
 * and the numbers grow (upstream: trackJobStatusAndRemoveFinalizers).
 */
export class JobTracking {
  readonly #parts: TrackingParts;

  constructor(parts: TrackingParts) {
    this.#parts = parts;
  }

  /** Answers the condition with which the job has ended, if it has. */
  async count(tracking: Tracking): Promise<JobCondition | undefined> {
    const { job, stored, pods, indexes, outcome, nowMs, signal } = tracking;
    const tracked = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid ?? ''));
    countUntracked(job.status!, tracked);
    const { ended, isAll } = this.#note(tracking);
    if (indexes) noteIndexes(job.status!, indexes, ended);
    const final = outcome && noteOutcome(job.status!, outcome, nowMs);
    let current = await this.#write(stored, job, signal);
    tracking.noted();
    for (const pod of await this.#release(current, ended, signal)) tracked.delete(pod.metadata.uid ?? '');
    const next = structuredClone(current);
    countUntracked(next.status!, tracked);
    const { succeeded = [], failed = [] } = next.status?.uncountedTerminatedPods ?? {};
    const isOver = final && isAll && succeeded.length + failed.length === 0 && tracking.terminating === 0;
    if (isOver) end(next.status!, final);
    current = await this.#write(current, next, signal);
    return isOver ? final : undefined;
  }

  /** Takes the finalizer off pods; answers those that are without it now. */
  async #release(job: Job, pods: readonly Pod[], signal: AbortSignal): Promise<Pod[]> {
    const results = await Promise.allSettled(pods.map((pod) => this.release(pod, keyOf(job), signal)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && signal.aborted) throw failed.reason;
    return pods.filter((_, index) => results[index]?.status === 'fulfilled');
  }

  /** Takes the finalizer off a pod; one that is gone has none. */
  async release({ metadata }: Pod, key: string, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid } = metadata;
    const patch = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
    try {
      const resource = this.#parts.client.resource(kinds.pods);
      const changed = await resource.patch({ name, namespace, type: 'strategic', patch, signal });
      this.#parts.writes.wrote(key, this.#parts.pods, changed);
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Invalid')) throw error;
    }
  }

  /** Notes the uids of pods that have ended, as many as fit. */
  #note({ job, pods, indexes, outcome }: Tracking): { ended: Pod[]; isAll: boolean } {
    const { succeeded, failed } = uncountedOf(job.status!);
    const { completions = 0 } = job.spec;
    const ended: Pod[] = [];
    const ordered = indexes ? [...pods].sort((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)) : pods;
    let newIndexes = 0;
    for (const pod of ordered.filter(isTracked)) {
      const uid = pod.metadata.uid ?? '';
      const index = indexOf(pod);
      const hasFailed = isPodFailed(pod, job);
      const hasSucceeded = pod.status?.phase === 'Succeeded';
      const isJobOver = job.metadata.deletionTimestamp !== undefined || outcome !== undefined;
      const waits = index !== undefined && indexes?.waiting.get(index)?.metadata.uid === uid;
      if (!isJobOver && !hasSucceeded && (!hasFailed || waits)) continue;
      ended.push(pod);
      const isOfJob = !indexes || (index !== undefined && index < completions);
      if (hasSucceeded && !failed.includes(uid)) {
        if (indexes) newIndexes += isOfJob && !indexes.counted.has(index!) ? 1 : 0;
        else if (!succeeded.includes(uid)) succeeded.push(uid);
      } else if (hasFailed || (outcome && outcome.type !== 'SuccessCriteriaMet')) {
        const isCounted = isOfJob && failureVerdict(job, pod).isCounted;
        if (isCounted && !failed.includes(uid)) failed.push(uid);
      }
      if (newIndexes + succeeded.length + failed.length >= limits.uncountedPodsMax)
        return { ended, isAll: false };
    }
    return { ended, isAll: true };
  }

  async #write(stored: Job, job: Job, signal: AbortSignal): Promise<Job> {
    const tidied = tidy(job);
    if (isDeepStrictEqual(tidy(stored).status, tidied.status)) return job;
    const resource = this.#parts.client.resource(kinds.jobs);
    const updated = await resource.update(tidied, { subresource: 'status', signal });
    this.#parts.writes.wrote(keyOf(job), this.#parts.jobs, updated);
    updated.status = {
      ...updated.status,
      uncountedTerminatedPods: { ...updated.status?.uncountedTerminatedPods },
    };
    return updated;
  }
}

/** Zeros and empty lists are not written, as upstream's `omitempty` has it. */
function tidy(job: Job): Job {
  const { active, succeeded, failed, uncountedTerminatedPods, ...rest } = job.status ?? {};
  const uids = Object.entries(uncountedTerminatedPods ?? {}).filter(([, list]) => list.length > 0);
  const counts = Object.entries({ active, succeeded, failed }).filter(([, count]) => count);
  return {
    ...job,
    status: { ...rest, ...Object.fromEntries(counts), uncountedTerminatedPods: Object.fromEntries(uids) },
  };
}

/** The lists of the status, made where they are missing: what is put in them is in the status. */
function uncountedOf(status: JobStatus): { succeeded: string[]; failed: string[] } {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const lists = { succeeded, failed };
  status.uncountedTerminatedPods = lists;
  return lists;
}

/** Pods whose finalizer is gone move from the lists into the numbers. */
function countUntracked(status: JobStatus, tracked: ReadonlySet<string>): void {
  const uncounted = uncountedOf(status);
  for (const list of ['succeeded', 'failed'] as const) {
    const known = uncounted[list];
    const kept = known.filter((uid) => tracked.has(uid));
    status[list] = (status[list] ?? 0) + known.length - kept.length;
    uncounted[list] = kept;
  }
}

function noteIndexes(status: JobStatus, indexes: Indexes, ended: readonly Pod[]): void {
  const done = ended.filter((pod) => pod.status?.phase === 'Succeeded').map((pod) => indexOf(pod) ?? -1);
  const completed = indexes.counted.with(done.filter((index) => indexes.succeeded.has(index)));
  status.succeeded = completed.size;
  if (completed.size > 0) status.completedIndexes = completed.toString();
  else delete status.completedIndexes;
  if (indexes.failed) status.failedIndexes = indexes.failed.toString();
}

/** The interim condition goes into the status at once; answers the one that follows it. */
function noteOutcome(status: JobStatus, outcome: JobCondition, nowMs: number): JobCondition {
  const { type, reason = '', message = '' } = outcome;
  if (type !== 'Failed') status.conditions = conditionsWith(status.conditions, outcome) ?? [];
  const finalType = type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed';
  return jobCondition(finalType, 'True', { reason, message, nowMs });
}

function end(status: JobStatus, final: JobCondition): void {
  status.conditions = conditionsWith(status.conditions, final) ?? [];
  if (final.type === 'Complete' && final.lastTransitionTime) status.completionTime = final.lastTransitionTime;
}
