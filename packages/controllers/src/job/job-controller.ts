import { controllerOf, keyOf, kinds } from '@wherry/client';
import { type Job, type JobCondition, matcherFrom, type Pod, timeFromMs } from '@wherry/kubeapi/objects';
import { isPodReady } from '@wherry/podrules';
import type { CompletionMode } from '../figures/job-figures.ts';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { claim } from '../ownership/claim.ts';
import { isActive } from '../ownership/deletion-order.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { type Owners, ownerKeys } from '../ownership/owner-keys.ts';
import { PodWriter } from '../ownership/pod-writes.ts';
import { indexesOf } from './job-indexes.ts';
import { conditionsWith, deadlineMs, isJobFinished, jobCondition, outcomeOf } from './job-outcome.ts';
import { JobPods, type JobTurn } from './job-pods.ts';
import { JobTracking } from './job-tracking.ts';
import { type FailureRecord, recordAfter } from './pod-backoff.ts';
import {
  failureVerdict,
  indexOf,
  isPodFailed,
  isTerminating,
  isTracked,
  trackingFinalizer,
} from './pod-outcome.ts';

const watches = { jobs: { type: kinds.jobs }, pods: { type: kinds.pods } };
type Context = ControllerContext<typeof watches>;

/** Runs pods until as many have succeeded as a job asks for, or too many have failed. */
export const jobController = defineController({
  name: 'job-controller',
  watches,
  writes: ['pods', 'jobs/status', 'events'],
  build: (context) => new JobController(context),
});

class JobController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #writer: PodWriter;
  readonly #pods: JobPods;
  readonly #tracking: JobTracking;
  readonly #records = new Map<string, FailureRecord>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { cluster, informers } = context;
    this.#context = context;
    this.#writes = new OwnWrites(cluster.clock);
    const { pods, jobs } = informers;
    const parts = { cluster, pods, writes: this.#writes, ownerType: kinds.jobs };
    this.#writer = new PodWriter({ ...parts, component: 'job-controller' });
    this.#tracking = new JobTracking({ client: cluster.client, jobs, pods, writes: this.#writes });
    this.#pods = new JobPods(this.#writer, this.#tracking);
    const owners: Owners<Job> = {
      type: kinds.jobs,
      objects: jobs.objects,
      matcherOf: ({ spec }) => matcherFrom(spec.selector),
    };
    this.keysOf = {
      jobs: (job, change) => [keyOf(job), ...(change === 'deleted' ? this.#bereavedOf(job) : [])],
      pods: (pod, change, previous) => [
        ...ownerKeys(owners, pod, change, previous),
        ...this.#bereavedKeys(pod),
      ],
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers } = this.#context;
    const orphan = orphanOf(key);
    if (orphan !== undefined) return this.#letOrphanGo(orphan, signal);
    const stored = informers.jobs.objects.get(key);
    if (stored && isManagedElsewhere(stored)) return;
    if (!stored || isJobFinished(stored)) return this.#letGo(key, stored, signal);
    const jobs = this.#context.cluster.figures?.manager?.jobs;
    const look = () => this.#look(key, stored, signal);
    return jobs ? jobs.timed(modeOf(stored), look) : look();
  }

  async #look(key: string, stored: Job, signal: AbortSignal): Promise<void> {
    const { queue } = this.#context;
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const pods = await this.#claim(stored, signal);
    const turn = this.#turnOf(stored, pods, signal);
    const newlyEnded = this.#newlyEnded(turn);
    turn.record = recordAfter(this.#records.get(key), newlyEnded.succeeded, newlyEnded.failed);
    const failure = await this.#work(turn, newlyEnded);
    const status = turn.job.status!;
    Object.assign(status, {
      active: turn.activeCount,
      ready: turn.readyCount,
      terminating: turn.terminating,
    });
    const noted = () => {
      if (turn.record) this.#records.set(key, turn.record);
      else this.#records.delete(key);
    };
    const ended = await this.#tracking.count({ ...turn, stored, noted });
    if (ended) this.#tellEnd(turn, ended);
    const waitMs = Math.min(turn.waitMs, deadlineMs(turn.job) - turn.nowMs);
    if (Number.isFinite(waitMs) && !ended) queue.addAfter(key, Math.max(waitMs, 0));
    if (failure !== undefined) throw failure;
  }

  #turnOf(stored: Job, pods: Pod[], signal: AbortSignal): JobTurn {
    const nowMs = this.#context.cluster.clock.nowMs();
    const job = structuredClone(stored);
    job.status = { ...job.status, uncountedTerminatedPods: { ...job.status?.uncountedTerminatedPods } };
    if (!job.status.startTime && !job.spec.suspend) job.status.startTime = timeFromMs(nowMs);
    const active = pods.filter(isActive);
    return {
      ...{ job, pods, active, nowMs, signal },
      indexes: job.spec.completionMode === 'Indexed' ? indexesOf(job, pods, active) : undefined,
      ...{ succeeded: 0, record: undefined, outcome: undefined, waitMs: Number.POSITIVE_INFINITY },
      activeCount: active.length,
      readyCount: active.filter(isPodReady).length,
      terminating: pods.filter(isTerminating).length,
    };
  }

  /** Makes or deletes pods, or finds that the job is over; answers what kept it from doing so. */
  async #work(turn: JobTurn, newlyEnded: { succeeded: Pod[]; failed: Pod[] }): Promise<unknown> {
    const { job, pods, indexes, nowMs } = turn;
    const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted = {} } = job.status!;
    const counting = newlyEnded.failed.filter((pod) => failureVerdict(job, pod).isCounted);
    const failedCount = failed + counting.length + (uncounted.failed ?? []).length;
    turn.succeeded =
      indexes?.succeeded.size ?? succeeded + newlyEnded.succeeded.length + (uncounted.succeeded ?? []).length;
    turn.outcome = outcomeOf(job, { pods, failed: failedCount, indexes, nowMs });
    if (turn.outcome) {
      const failure = await this.#pods.deleteActive(turn);
      if (failure !== undefined) turn.outcome = undefined;
      return failure;
    }
    const failure = job.metadata.deletionTimestamp ? undefined : await this.#pods.manage(turn);
    const { completions } = job.spec;
    const isDone = completions === undefined ? turn.succeeded > 0 : turn.succeeded >= completions;
    if (isDone && turn.activeCount === 0) {
      const message = 'Reached expected number of succeeded pods';
      const told = { reason: 'CompletionsReached', message, nowMs };
      turn.outcome = jobCondition('SuccessCriteriaMet', 'True', told);
    } else if (!job.metadata.deletionTimestamp) this.#noteSuspension(turn);
    return failure;
  }

  #noteSuspension({ job, nowMs }: JobTurn): void {
    const status = job.status!;
    const isSuspended = job.spec.suspend === true;
    const told = isSuspended
      ? { reason: 'JobSuspended', message: 'Job suspended', nowMs }
      : { reason: 'JobResumed', message: 'Job resumed', nowMs };
    const condition = jobCondition('Suspended', isSuspended ? 'True' : 'False', told);
    const conditions = conditionsWith(status.conditions, condition);
    if (conditions === status.conditions) return;
    status.conditions = conditions;
    if (isSuspended) delete status.startTime;
    else status.startTime = timeFromMs(nowMs);
    const reason = isSuspended ? 'Suspended' : 'Resumed';
    this.#writer.recorder.recordOf(kinds.jobs, job, { type: 'Normal', reason, message: told.message });
  }

  #tellEnd({ job, succeeded }: JobTurn, { type, reason = '', message = '' }: JobCondition): void {
    const result = type === 'Complete' ? 'succeeded' : 'failed';
    this.#context.cluster.figures?.manager?.jobs.finished(modeOf(job), result, reason);
    if (type === 'Complete' && succeeded > (job.spec.completions ?? Number.POSITIVE_INFINITY))
      this.#writer.recorder.recordOf(kinds.jobs, job, {
        type: 'Warning',
        reason: 'TooManySucceededPods',
        message: 'Too many succeeded pods running after completion count reached',
      });
    const event =
      type === 'Complete'
        ? ({ type: 'Normal', reason: 'Completed', message: 'Job completed' } as const)
        : ({ type: 'Warning', reason, message } as const);
    this.#writer.recorder.recordOf(kinds.jobs, job, event);
  }

  /** Pods that have ended and stand neither in the numbers nor in the lists of the status. */
  #newlyEnded({ job, pods, indexes }: JobTurn): { succeeded: Pod[]; failed: Pod[] } {
    const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
    const isOfJob = (pod: Pod) => !indexes || (indexOf(pod) ?? Infinity) < (job.spec.completions ?? 0);
    const fresh = (known: readonly string[]) =>
      pods.filter((pod) => isTracked(pod) && isOfJob(pod) && !known.includes(pod.metadata.uid ?? ''));
    return {
      succeeded: fresh(succeeded).filter(({ status }) => status?.phase === 'Succeeded'),
      failed: fresh(failed).filter((pod) => isPodFailed(pod, job)),
    };
  }

  #claim(job: Job, signal: AbortSignal): Promise<Pod[]> {
    const { pods } = this.#context.informers;
    const { uid, namespace = '' } = job.metadata;
    return claim([...pods.controlledBy(uid), ...pods.uncontrolledIn(namespace)], {
      ...{ owner: job, ownerType: kinds.jobs, type: kinds.pods, signal },
      client: this.#context.cluster.client,
      matcher: matcherFrom(job.spec.selector),
      finalizer: trackingFinalizer,
      wrote: (pod) => this.#writes.wrote(keyOf(job), pods, pod),
    });
  }

  /** A pod that nobody counts: its job let go of it, or is gone or over (upstream: handleSingleOrphanPod). */
  async #letOrphanGo(podKey: string, signal: AbortSignal): Promise<void> {
    const pod = this.#context.informers.pods.objects.get(podKey);
    if (!pod || !isTracked(pod)) return;
    const key = orphanKey(pod);
    if (!this.#bereavedKeys(pod).includes(key)) return;
    await this.#tracking.release(pod, key, signal);
    this.#writes.forget(key);
  }

  /** Nobody counts the pods of a job that is over: they may go. */
  async #letGo(key: string, job: Job | undefined, signal: AbortSignal): Promise<void> {
    this.#writes.forget(key);
    this.#records.delete(key);
    for (const pod of job ? this.#context.informers.pods.controlledBy(job.metadata.uid) : [])
      if (this.#bereavedKeys(pod).includes(key)) await this.#tracking.release(pod, key, signal);
  }

  /** The key by which a pod waits to be counted: its job's, or its own when there is no such job. */
  #bereavedKeys(pod: Pod): string[] {
    if (!isTracked(pod)) return [];
    const reference = controllerOf(pod);
    if (!reference) return [orphanKey(pod)];
    if (reference.kind !== 'Job' || reference.apiVersion !== 'batch/v1') return [];
    const key = `${pod.metadata.namespace}/${reference.name}`;
    const job = this.#context.informers.jobs.objects.get(key);
    return [job?.metadata.uid === reference.uid ? key : orphanKey(pod)];
  }

  /** The keys of the pods that a job leaves behind, though another one has its name by now. */
  #bereavedOf({ metadata }: Job): string[] {
    return this.#context.informers.pods.controlledBy(metadata.uid).filter(isTracked).map(orphanKey);
  }
}

/** Whether another controller runs the job, and counts its pods. */
function isManagedElsewhere({ spec }: Job): boolean {
  const own = 'kubernetes.io/job-controller';
  return (spec.managedBy ?? own) !== own;
}

const orphanPrefix = 'pods/';

/** The key of a pod that waits to be counted, and which is nobody's. */
function orphanKey({ metadata }: Pod): string {
  return `${orphanPrefix}${metadata.namespace}/${metadata.name}`;
}

/** The key of the pod that the key of an orphan is about; jobs' keys have one slash. */
function orphanOf(key: string): string | undefined {
  return key.split('/').length === 3 ? key.slice(orphanPrefix.length) : undefined;
}

const modeOf = ({ spec }: Job): CompletionMode =>
  spec.completionMode === 'Indexed' ? 'Indexed' : 'NonIndexed';
