import { isDeepStrictEqual } from 'node:util';
import { controllerOf, controllerReference, keyOf, kinds } from '@wherry/client';
import {
  type CronJob,
  hasReason,
  type Job,
  matcherFrom,
  type ObjectReference,
  timeFromMs,
} from '@wherry/kubeapi/objects';
import { isJobFinished } from '../job/job-outcome.ts';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { conditionOf } from '../ownership/conditions.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { type Owners, ownerKeys } from '../ownership/owner-keys.ts';
import { isNamespaceGoing } from '../ownership/pod-writes.ts';
import { type DueTimes, dueTimes, isTooMany, waitForNextMs } from './due-times.ts';
import { isTimeZone, parseSchedule, type Schedule, zonedTime } from './schedule.ts';

const watches = { cronJobs: { type: kinds.cronJobs }, jobs: { type: kinds.jobs } };
type Context = ControllerContext<typeof watches>;

/** Makes a job whenever a schedule says so, and deletes the oldest of those that are over. */
export const cronJobController = defineController({
  name: 'cronjob-controller',
  watches,
  writes: ['jobs', 'cronjobs/status', 'events'],
  build: (context) => new CronJobController(context),
});

interface Turn {
  /** Its status changes while the turn goes on. */
  cronJob: CronJob;
  jobs: readonly Job[];
  nowMs: number;
  signal: AbortSignal;
}

class CronJobController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #recorder: EventRecorder;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { client, clock, logger } = context.cluster;
    this.#context = context;
    this.#writes = new OwnWrites(clock);
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'cronjob-controller' });
    const owners: Owners<CronJob> = {
      type: kinds.cronJobs,
      objects: context.informers.cronJobs.objects,
      matcherOf: () => matcherFrom(undefined),
    };
    this.keysOf = {
      cronJobs: (cronJob, change, previous) =>
        change === 'updated' && previous && hasNewSchedule(cronJob, previous)
          ? this.#waitForNext(cronJob)
          : [keyOf(cronJob)],
      jobs: (job, change, previous) => ownerKeys(owners, job, change, previous),
    };
  }

  /** The times of a new schedule that are past already are not for it to be started at once. */
  #waitForNext(cronJob: CronJob): string[] {
    const { queue, cluster } = this.#context;
    const { schedule: text, timeZone } = cronJob.spec;
    try {
      const schedule = parseSchedule(text, timeZone);
      const waitMs = waitForNextMs(cronJob, schedule, cluster.clock.nowMs());
      if (waitMs === Number.POSITIVE_INFINITY) return [keyOf(cronJob)];
      queue.addAfter(keyOf(cronJob), Math.max(0, waitMs));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#tell(
        cronJob,
        'Warning',
        'UnParseableCronJobSchedule',
        `unparseable schedule for cronjob: ${text}`,
      );
    }
    return [];
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const stored = informers.cronJobs.objects.get(key);
    if (!stored) return this.#writes.forget(key);
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const cronJob = structuredClone(stored);
    cronJob.status ??= {};
    const jobs = informers.jobs.controlledBy(stored.metadata.uid);
    const turn: Turn = { cronJob, jobs, nowMs: cluster.clock.nowMs(), signal };
    let schedule: Schedule | undefined;
    try {
      await this.#cleanUp(turn);
      await this.#noteJobs(turn);
      schedule = this.#scheduleOf(cronJob);
      if (schedule && !(await this.#startDue(turn, schedule))) schedule = undefined;
    } finally {
      if (!signal.aborted) await this.#store(stored, turn);
    }
    if (schedule) queue.addAfter(key, Math.max(0, waitForNextMs(cronJob, schedule, cluster.clock.nowMs())));
  }

  /** The status names the jobs that run, and when one was last started and last succeeded. */
  async #noteJobs(turn: Turn): Promise<void> {
    const { cronJob, jobs, signal } = turn;
    const status = cronJob.status!;
    for (const job of jobs) {
      const isListed = status.active?.some(({ uid }) => uid === job.metadata.uid);
      if (!isJobFinished(job)) {
        const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
        if (!isListed) this.#tell(cronJob, 'Warning', 'UnexpectedJob', message);
        continue;
      }
      const condition = hasSucceeded(job) ? 'Complete' : 'Failed';
      const message = `Saw completed job: ${job.metadata.name}, condition: ${condition}`;
      if (isListed) this.#tell(cronJob, 'Normal', 'SawCompletedJob', message);
      unlist(cronJob, job.metadata.uid);
      const at = succeededAt(job);
      if (at && at > (status.lastSuccessfulTime ?? '')) status.lastSuccessfulTime = at;
    }
    for (const { uid, name = '' } of status.active ?? []) {
      if (jobs.some(({ metadata }) => metadata.uid === uid)) continue;
      if (await this.#find(cronJob, name, signal)) continue;
      this.#tell(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
      unlist(cronJob, uid);
    }
  }

  /** Undefined when nothing is to be started: suspended, being deleted, or not to be understood. */
  #scheduleOf(cronJob: CronJob): Schedule | undefined {
    const { schedule, timeZone, suspend } = cronJob.spec;
    if (cronJob.metadata.deletionTimestamp) return undefined;
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      const message = `invalid timeZone: "${timeZone}": unknown time zone ${timeZone}`;
      this.#tell(cronJob, 'Warning', 'UnknownTimeZone', message);
      return undefined;
    }
    if (suspend) return undefined;
    if (schedule.includes('TZ')) {
      const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
      const what = `CRON_TZ or TZ used in schedule "${schedule}" is not officially supported`;
      this.#tell(cronJob, 'Warning', 'UnsupportedSchedule', `${what}, see ${page} for more details`);
    }
    try {
      return parseSchedule(schedule, timeZone);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#tell(
        cronJob,
        'Warning',
        'UnparseableSchedule',
        `unparseable schedule: "${schedule}" : ${error.message}`,
      );
      return undefined;
    }
  }

  /** Answers whether the schedule has times at all. */
  async #startDue(turn: Turn, schedule: Schedule): Promise<boolean> {
    const { cronJob, nowMs } = turn;
    let times: DueTimes;
    try {
      times = dueTimes(cronJob, schedule, { nowMs, withDeadline: true });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const message = `invalid schedule: ${cronJob.spec.schedule} : ${error.message}`;
      this.#tell(cronJob, 'Warning', 'InvalidSchedule', message);
      return false;
    }
    if (times.dueMs !== undefined) await this.#startAt(turn, times.dueMs, isTooMany(times));
    return true;
  }

  async #startAt(turn: Turn, dueMs: number, isOneOfTooMany: boolean): Promise<void> {
    const { cronJob, nowMs } = turn;
    const { startingDeadlineSeconds = Infinity, concurrencyPolicy } = cronJob.spec;
    const status = cronJob.status!;
    if (isOneOfTooMany) {
      const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#tell(cronJob, 'Warning', 'TooManyMissedTimes', `too many missed start times. ${advice}`);
    }
    if (dueMs + startingDeadlineSeconds * 1000 < nowMs) {
      const when = new Date(dueMs).toUTCString().replace('GMT', '+0000');
      return this.#tell(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${when}`);
    }
    const isListed = status.active?.some(({ name }) => name === jobNameOf(cronJob, dueMs));
    if (isListed || status.lastScheduleTime === timeFromMs(dueMs)) return;
    if (concurrencyPolicy === 'Forbid' && status.active?.length) {
      const why = 'prior execution is running and concurrency policy is Forbid';
      return this.#tell(cronJob, 'Normal', 'JobAlreadyActive', `Not starting job because ${why}`);
    }
    if (concurrencyPolicy === 'Replace')
      for (const { name = '', uid = '' } of status.active ?? []) await this.#delete(turn, name, uid);
    await this.#start(turn, dueMs);
  }

  async #start({ cronJob, signal }: Turn, dueMs: number): Promise<void> {
    const { client, clock, figures } = this.#context.cluster;
    const status = cronJob.status!;
    let job: Job | undefined;
    try {
      job = await client.resource(kinds.jobs).create(jobOf(cronJob, dueMs), { signal });
      figures?.manager?.jobs.made(clock.nowMs() - dueMs);
      this.#tell(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      this.#writes.wrote(keyOf(cronJob), this.#context.informers.jobs, job);
    } catch (error) {
      if (hasReason(error, 'AlreadyExists'))
        job = await this.#find(cronJob, jobNameOf(cronJob, dueMs), signal);
      else {
        const message = `Error creating job: ${error instanceof Error ? error.message : String(error)}`;
        if (!isNamespaceGoing(error)) this.#tell(cronJob, 'Warning', 'FailedCreate', message);
        throw error;
      }
    }
    if (!job || controllerOf(job)?.uid !== cronJob.metadata.uid) return;
    status.active = [...(status.active ?? []), referenceTo(job)];
    status.lastScheduleTime = timeFromMs(dueMs);
  }

  /** Deletes the oldest of too many jobs that are over; one that can't be deleted keeps nothing else from going on. */
  async #cleanUp(turn: Turn): Promise<void> {
    const { cronJob, jobs: known, signal } = turn;
    const { successfulJobsHistoryLimit: good, failedJobsHistoryLimit: bad } = cronJob.spec;
    const finished = known.filter((job) => isJobFinished(job) && !job.metadata.deletionTimestamp);
    const startedAt = ({ status }: Job) => status?.startTime ?? '~';
    for (const [isGood, limit] of [
      [true, good],
      [false, bad],
    ] as const) {
      const jobs = finished.filter((job) => hasSucceeded(job) === isGood);
      jobs.sort((a, b) => startedAt(a).localeCompare(startedAt(b)) || keyOf(a).localeCompare(keyOf(b)));
      const surplus = limit === undefined ? [] : jobs.slice(0, Math.max(0, jobs.length - limit));
      for (const { metadata } of surplus)
        await this.#delete(turn, metadata.name ?? '', metadata.uid ?? '').catch(() =>
          signal.throwIfAborted(),
        );
    }
  }

  /** Throws what keeps it from being deleted, and says so. */
  async #delete({ cronJob, signal }: Turn, name: string, uid: string): Promise<void> {
    const { namespace } = cronJob.metadata;
    const options = { propagationPolicy: 'Background', preconditions: { uid }, signal } as const;
    try {
      await this.#context.cluster.client.resource(kinds.jobs).delete({ name, namespace }, options);
    } catch (error) {
      if (!isLateWrite(error)) {
        const message = `Deleted job: ${error instanceof Error ? error.message : String(error)}`;
        this.#tell(cronJob, 'Warning', 'FailedDelete', message);
        throw error;
      }
    }
    unlist(cronJob, uid);
    this.#tell(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
  }

  async #find(cronJob: CronJob, name: string, signal: AbortSignal): Promise<Job | undefined> {
    try {
      const { namespace } = cronJob.metadata;
      return await this.#context.cluster.client.resource(kinds.jobs).get({ name, namespace, signal });
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async #store(stored: CronJob, { cronJob, signal }: Turn): Promise<void> {
    if (cronJob.status?.active?.length === 0) delete cronJob.status.active;
    if (isDeepStrictEqual(stored.status ?? {}, cronJob.status)) return;
    const resource = this.#context.cluster.client.resource(kinds.cronJobs);
    const updated = await resource.update(cronJob, { subresource: 'status', signal });
    this.#writes.wrote(keyOf(cronJob), this.#context.informers.cronJobs, updated);
  }

  #tell(cronJob: CronJob, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.recordOf(kinds.cronJobs, cronJob, { type, reason, message });
  }
}

function hasNewSchedule({ spec: next }: CronJob, { spec: last }: CronJob): boolean {
  return next.schedule !== last.schedule || next.timeZone !== last.timeZone;
}

function hasSucceeded({ status }: Job): boolean {
  return conditionOf(status?.conditions, 'Complete')?.status === 'True';
}

function succeededAt(job: Job): string | undefined {
  return hasSucceeded(job) ? job.status?.completionTime : undefined;
}

function unlist({ status }: CronJob, uid: string | undefined): void {
  if (status?.active) status.active = status.active.filter((each) => each.uid !== uid);
}

function jobNameOf({ metadata }: CronJob, dueMs: number): string {
  return `${metadata.name}-${Math.floor(dueMs / 60_000)}`;
}

/** The job of one time of a cron job (upstream: getJobFromTemplate2). */
export function jobOf(cronJob: CronJob, dueMs: number): Job {
  const { jobTemplate, timeZone } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  const at = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': zonedTime(dueMs, timeZone) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(cronJob, dueMs),
      namespace: cronJob.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, ...at },
      ownerReferences: [controllerReference(kinds.cronJobs, cronJob)],
    },
    spec: structuredClone(jobTemplate.spec!),
  };
}

function referenceTo({ metadata }: Job): ObjectReference {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid, resourceVersion };
}
