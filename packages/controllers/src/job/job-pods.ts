import { keyOf, kinds } from '@wherry/client';
import type { Container, Job, JobCondition, Pod, PodTemplateSpec } from '@wherry/kubeapi/objects';
import { isPodReady } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { inPlainDeletionOrder } from '../ownership/deletion-order.ts';
import { isNamespaceGoing, type PodWriter, podFromTemplate } from '../ownership/pod-writes.ts';
import { slowStart } from '../ownership/slow-start.ts';
import {
  allFailures,
  failureAnnotations,
  hasLimitPerIndex,
  type Indexes,
  pendingIndexes,
  superfluous,
} from './job-indexes.ts';
import type { JobTracking } from './job-tracking.ts';
import { type FailureRecord, remainingMs } from './pod-backoff.ts';
import { finishedAtMs, indexLabel, isTracked, replacesOnlyFailed, trackingFinalizer } from './pod-outcome.ts';

/** One look at a job; what changes in it is written at the end. */
export interface JobTurn {
  job: Job;
  pods: Pod[];
  active: Pod[];
  indexes: Indexes | undefined;
  succeeded: number;
  record: FailureRecord | undefined;
  outcome: JobCondition | undefined;
  activeCount: number;
  readyCount: number;
  terminating: number;
  /** When to look again, in milliseconds; infinite = when something changes. */
  waitMs: number;
  nowMs: number;
  signal: AbortSignal;
}

const indexVariable = 'JOB_COMPLETION_INDEX';
const generatedNameMax = 58;

/** Makes and deletes the pods of jobs (upstream: manageJob). */
export class JobPods {
  readonly #writer: PodWriter;
  readonly #tracking: JobTracking;

  constructor(writer: PodWriter, tracking: JobTracking) {
    this.#writer = writer;
    this.#tracking = tracking;
  }

  /** Deletes all that run; they are counted before they are gone. Answers the first failure. */
  deleteActive(turn: JobTurn): Promise<unknown> {
    return this.#delete(turn, turn.active, false);
  }

  /** Brings the number of active pods to where it should be, by deletions or creations. Answers the first failure. */
  async manage(turn: JobTurn): Promise<unknown> {
    const { job, active, succeeded, nowMs } = turn;
    if (job.spec.suspend) return this.#delete(turn, active, true);
    const wanted = wantedActive(job, active.length, succeeded);
    const surplus = this.#surplus(turn, active.length - wanted);
    if (surplus.length > 0) return this.#delete(turn, surplus, true);
    const going = replacesOnlyFailed(job) ? turn.terminating : 0;
    const missing = Math.min(wanted - going - active.length, limits.burstReplicas);
    if (missing <= 0) return undefined;
    const waitMs = hasLimitPerIndex(job) ? 0 : remainingMs(turn.record, nowMs);
    if (waitMs > 0) {
      turn.waitMs = Math.min(turn.waitMs, waitMs);
      return undefined;
    }
    if (!turn.indexes) return this.#create(turn, missing, undefined);
    const pending = pendingIndexes(job, turn.indexes, { pods: turn.pods, active, count: missing });
    const waits = pending.map((index) => waitOfIndex(turn.indexes!, index, nowMs));
    const ready = pending.filter((_, position) => waits[position] === 0);
    if (ready.length === 0) turn.waitMs = Math.min(turn.waitMs, ...waits);
    return this.#create(turn, ready.length, ready);
  }

  #surplus({ job, active, indexes }: JobTurn, atLeast: number): Pod[] {
    const first = indexes ? superfluous(job, active) : [];
    const left = active.filter((pod) => !first.includes(pod));
    const more = inPlainDeletionOrder(left).slice(0, Math.max(0, atLeast - first.length));
    return [...first, ...more].slice(0, limits.burstReplicas);
  }

  async #create(turn: JobTurn, count: number, indexes: readonly number[] | undefined): Promise<unknown> {
    const { job, signal } = turn;
    const { succeeded, error } = await slowStart(count, async (position) => {
      const pod = jobPod(job, indexes?.[position], turn.indexes);
      await this.#writer.create(job, pod, signal).catch((error: unknown) => {
        if (!isNamespaceGoing(error)) throw error;
      });
    });
    turn.activeCount += succeeded;
    return error;
  }

  async #delete(turn: JobTurn, pods: readonly Pod[], isUncounted: boolean): Promise<unknown> {
    const { job, signal } = turn;
    const results = await Promise.allSettled(
      pods.map(async (pod) => {
        if (isUncounted && isTracked(pod)) await this.#tracking.release(pod, keyOf(job), signal);
        await this.#writer.delete(job, pod, signal);
      }),
    );
    const deleted = pods.filter((_, index) => results[index]?.status === 'fulfilled');
    turn.activeCount -= deleted.length;
    turn.terminating += deleted.length;
    turn.readyCount -= deleted.filter(isPodReady).length;
    return results.find((result) => result.status === 'rejected')?.reason;
  }
}

/** How many pods of a job should run now. */
function wantedActive({ spec }: Job, active: number, succeeded: number): number {
  const { parallelism = 1, completions } = spec;
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

function waitOfIndex({ waiting }: Indexes, index: number, nowMs: number): number {
  const last = waiting.get(index);
  return last ? remainingMs({ failures: allFailures(last) + 1, lastMs: finishedAtMs(last) }, nowMs) : 0;
}

/** A pod of a job: of an index where the job has them. */
export function jobPod(job: Job, index: number | undefined, indexes: Indexes | undefined): Pod {
  const finalizers = [trackingFinalizer];
  if (index === undefined) {
    const template = indexes ? withIndexVariable(job.spec.template) : job.spec.template;
    return podFromTemplate(template, job, kinds.jobs, { finalizers });
  }
  const { name = '' } = job.metadata;
  const suffix = `-${index}-`;
  const numbered = { [indexLabel]: String(index) };
  const failures = hasLimitPerIndex(job) ? failureAnnotations(job, indexes?.waiting.get(index)) : {};
  const pod = podFromTemplate(withIndexVariable(job.spec.template), job, kinds.jobs, {
    generateName: `${name.slice(0, generatedNameMax - suffix.length)}${suffix}`,
    labels: numbered,
    annotations: { ...numbered, ...failures },
    finalizers,
  });
  return { ...pod, spec: { ...pod.spec!, hostname: `${name}-${index}` } };
}

function withIndexVariable(template: PodTemplateSpec): PodTemplateSpec {
  const fieldPath = `metadata.labels['${indexLabel}']`;
  const variable = { name: indexVariable, valueFrom: { fieldRef: { fieldPath } } };
  const extend = (container: Container): Container =>
    container.env?.some(({ name }) => name === indexVariable)
      ? container
      : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers, containers = [] } = template.spec ?? {};
  return {
    ...template,
    spec: {
      ...template.spec!,
      containers: containers.map(extend),
      ...(initContainers ? { initContainers: initContainers.map(extend) } : {}),
    },
  };
}
