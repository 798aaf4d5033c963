import { type KubeClient, kinds } from '@wherry/client';
import { type Backoff, backoff, type Clock, type Timer } from '@wherry/clock';
import { type PodStatus, StatusError } from '@wherry/kubeapi';
import { isTerminalPhase } from '@wherry/podrules';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { statusPatchesMax, statusRetryMs } from '../../limits.ts';
import { type AssignedPod, describePod, isStaticPod } from '../../pod/assigned-pod.ts';
import { apiTime } from './container-statuses.ts';
import { type ProbedContainer, withProbed } from './probed-status.ts';
import type { StartTimes } from './start-times.ts';
import { statusFigures } from './status-figures.ts';
import { statusPatch } from './status-patch.ts';

/** What the manager is made of. */
export interface StatusManagerOptions {
  /** Undefined for a kubelet without an API server: statuses are kept, not written. */
  client: KubeClient | undefined;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  starts: Pick<StartTimes, 'told'>;
  /** The pod object at the API server that stands for `pod`: itself, or its mirror; undefined when there is none. */
  apiPod(pod: AssignedPod): AssignedPod | undefined;
  /** Whether everything of the pod is cleared, so that its object may go. */
  mayDelete(uid: string): boolean;
}

interface Entry {
  pod: AssignedPod;
  status: PodStatus;
  /** The status the server last answered, and the version of the pod it belongs to. */
  stored: { status: PodStatus; resourceVersion: string } | undefined;
  /** Since when it differs from what was told; undefined when it does not. */
  changedAtMs: number | undefined;
  isDirty: boolean;
  isBusy: boolean;
  /** Of one that could not be written: when it is tried again. */
  retry: { timer: Timer; wait: Backoff } | undefined;
}

/** Brings every pod's status to the API server: at once, one patch per pod at a time, the newest status winning. */
export class StatusManager {
  readonly #options: StatusManagerOptions;
  readonly #figures: ReturnType<typeof statusFigures>;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = new Set<string>();
  readonly #abort = new AbortController();
  #busy = 0;

  constructor(options: StatusManagerOptions) {
    this.#options = options;
    this.#figures = statusFigures(options.metrics);
  }

  /** The status as it is or is about to be at the API server. */
  get(uid: string): PodStatus | undefined {
    return this.#entries.get(uid)?.status;
  }

  /** Takes a newly computed status. An illegal step back from a final phase is dropped. */
  set(pod: AssignedPod, status: PodStatus): void {
    const { uid } = pod.metadata;
    const entry = this.#entries.get(uid);
    if (entry && isTerminalPhase(entry.status.phase) && !isTerminalPhase(status.phase)) return;
    this.#figures.changed(entry?.status ?? this.#options.apiPod(pod)?.status, status);
    const changedAtMs = entry?.changedAtMs ?? this.#options.clock.monotonicMs();
    if (entry) Object.assign(entry, { pod, status, changedAtMs });
    else {
      const fresh = { stored: undefined, isDirty: false, isBusy: false, retry: undefined };
      this.#entries.set(uid, { pod, status, changedAtMs, ...fresh });
    }
    this.#enqueue(uid);
  }

  /**
   * A probe said something of a container: told at once, since what is done to the pod may take minutes, its end above all
   * (upstream: SetContainerReadiness, SetContainerStartup).
   */
  setProbed(uid: string, probed: ProbedContainer): void {
    const entry = this.#entries.get(uid);
    if (!entry) return;
    const { apiPod, clock } = this.#options;
    const pod = { ...entry.pod, status: apiPod(entry.pod)?.status };
    const status = withProbed(entry.status, probed, { pod, now: apiTime(clock.nowMs()) });
    if (status) this.set(entry.pod, status);
  }

  /** Looks again whether the pod's object may be deleted, or drifted from what it should be. */
  check(uid: string): void {
    if (this.#entries.has(uid)) this.#enqueue(uid);
  }

  /** Compares every status with the server's copy. */
  checkAll(): void {
    for (const uid of this.#entries.keys()) this.#enqueue(uid);
  }

  /**
   * The API server has listed its pods anew: that counts, whatever it answered before. Its store may be an older one, as after
   * a restored backup, whose versions are no measure.
   */
  listed(): void {
    for (const entry of this.#entries.values()) entry.stored = undefined;
    this.checkAll();
  }

  forget(uid: string): void {
    this.#entries.get(uid)?.retry?.timer.cancel();
    this.#entries.delete(uid);
    this.#queue.delete(uid);
  }

  get uids(): Iterable<string> {
    return this.#entries.keys();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
    for (const { retry } of this.#entries.values()) retry?.timer.cancel();
  }

  #enqueue(uid: string): void {
    const entry = this.#entries.get(uid);
    if (!entry || !this.#options.client || this.#abort.signal.aborted) return;
    if (entry.isBusy) entry.isDirty = true;
    else this.#queue.add(uid);
    this.#drain();
  }

  #drain(): void {
    for (const uid of this.#queue) {
      if (this.#busy >= statusPatchesMax) return;
      this.#queue.delete(uid);
      const entry = this.#entries.get(uid);
      if (entry) void this.#work(uid, entry);
    }
  }

  async #work(uid: string, entry: Entry): Promise<void> {
    this.#busy += 1;
    entry.isBusy = true;
    entry.isDirty = false;
    try {
      await this.#write(entry);
      entry.retry?.timer.cancel();
      entry.retry = undefined;
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#tryAgain(uid, entry, error);
    } finally {
      this.#busy -= 1;
      entry.isBusy = false;
      if (entry.isDirty) this.#enqueue(uid);
      this.#drain();
    }
  }

  /** Once, however often it failed: one that the server refuses is tried no more often than all are compared. */
  #tryAgain(uid: string, entry: Entry, error: unknown): void {
    const { logger, clock } = this.#options;
    logger.warn('a pod status could not be written', { pod: describePod(entry.pod), error });
    if (this.#entries.get(uid) !== entry) return;
    entry.retry?.timer.cancel();
    const wait = entry.retry?.wait ?? backoff(statusRetryMs);
    entry.retry = { wait, timer: clock.after(wait.nextDelayMs(), () => this.check(uid)) };
  }

  async #write(entry: Entry): Promise<void> {
    const { apiPod, mayDelete } = this.#options;
    const target = apiPod(entry.pod);
    if (!target) return;
    const patch = statusPatch(target.metadata.uid, this.#storedStatus(entry, target), entry.status);
    if (patch) await this.#patch(entry, target, patch);
    this.#noteTold(entry, patch !== undefined);
    // The answer to the write that made it final may be lost: then the watched copy is newer than the last answer.
    const isDone =
      target.metadata.deletionTimestamp && isTerminalPhase(this.#storedStatus(entry, target)?.phase);
    if (isDone && !isStaticPod(entry.pod) && mayDelete(entry.pod.metadata.uid)) await this.#delete(target);
  }

  #noteTold(entry: Entry, isNew: boolean): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (isNew && entry.changedAtMs !== undefined) this.#figures.told(nowMs - entry.changedAtMs);
    // What came meanwhile is still to be told.
    entry.changedAtMs = entry.isDirty ? nowMs : undefined;
  }

  /** The newer of the server's last answer and the watched copy. */
  #storedStatus(entry: Entry, target: AssignedPod): PodStatus | undefined {
    const watched = Number(target.metadata.resourceVersion ?? 0);
    if (entry.stored && Number(entry.stored.resourceVersion) >= watched) return entry.stored.status;
    return target.status;
  }

  async #patch(entry: Entry, target: AssignedPod, patch: object): Promise<void> {
    const { name, namespace } = target.metadata;
    const pods = this.#options.client?.resource(kinds.pods);
    const { signal } = this.#abort;
    try {
      const answer = await pods?.patch({
        type: 'strategic',
        name,
        namespace,
        subresource: 'status',
        patch,
        signal,
      });
      const resourceVersion = answer?.metadata.resourceVersion ?? '0';
      entry.stored = { status: answer?.status ?? {}, resourceVersion };
      this.#options.starts.told({ ...target, status: entry.stored.status });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #delete(target: AssignedPod): Promise<void> {
    const { name, namespace, uid } = target.metadata;
    const pods = this.#options.client?.resource(kinds.pods);
    const { signal } = this.#abort;
    try {
      await pods?.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** The object is not there any more, or another one has its name. */
function isGone(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 404 || error.code === 409);
}
