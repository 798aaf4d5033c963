import { sleep } from '@wherry/clock';
import { ContainerState } from '@wherry/cri';
import type { Counter, Logger } from '@wherry/telemetry';
import type { PodSignalHandlers } from '../board/pod-signals.ts';
import type { ResizeStates } from '../board/resize-states.ts';
import type { ResourceManagers } from '../execution/managers/resource-managers.ts';
import { type AdmissionRefusal, refusalFrom } from '../execution/topology/admission-refusal.ts';
import type { IsKept } from '../execution/upkeep/garbage-collector.ts';
import type { PodWorkers } from '../execution/workers/pod-workers.ts';
import { housekeepingMs, statusReconcileMs } from '../limits.ts';
import { hasGonePast } from '../observation/init-progress.ts';
import { orphanPod } from '../observation/orphan-pod.ts';
import type { PodCache } from '../observation/pod-cache.ts';
import { newestContainer } from '../observation/pod-record.ts';
import { type AssignedPod, fullNameOf, isMirrorPod } from '../pod/assigned-pod.ts';
import type { StatusManager } from '../reporting/status/status-manager.ts';
import { Admission, type AdmissionOptions } from './admission/admission.ts';
import { verdictOf } from './admission/admit-pod.ts';
import { Preemptor } from './preemption/preemptor.ts';
import { ResizeQueue, type ResizeQueueOptions } from './resize/resize-queue.ts';
import type { PodSourceHandlers } from './sources/pod-changes.ts';

/** What the loop is made of. */
export interface SyncLoopOptions extends Omit<AdmissionOptions, 'isRunning' | 'preemptor' | 'managers'> {
  managers: Pick<ResourceManagers, 'brings' | 'isFree' | 'allocate' | 'release' | 'settle'>;
  workers: PodWorkers;
  statuses: StatusManager;
  cache: PodCache;
  logger: Logger;
  /** How many sources must have spoken before anything unknown is stopped. */
  sources: number;
  resizes: ResizeStates;
  /** Reads the node's object anew. */
  lookAtNode(): Promise<void>;
  /** Resizes that had to wait and were granted. */
  accepted: Counter;
  onAsked: ResizeQueueOptions['onAsked'];
  /** Pods that only the runtime knew. */
  orphans: Counter;
  /** Resizes that can never be. */
  infeasible: Counter;
  objectionTo: ResizeQueueOptions['objectionTo'];
  /** Pods that went for a critical one. */
  preemptions: Counter;
  removeMirror(mirror: AssignedPod): void;
  /** Periodic clean-up; `isKept` tells at any moment whether a pod is wanted or still stopping. */
  collectGarbage(isKept: IsKept): Promise<void>;
}

/** Where everything that happens meets: each handler says which pods to look at, and none of them waits. */
export class SyncLoop implements PodSourceHandlers, PodSignalHandlers {
  readonly #options: SyncLoopOptions;
  readonly #abort = new AbortController();
  readonly #admission: Admission;
  readonly #resizes: ResizeQueue;
  readonly #preemptor: Preemptor;
  /** Pods that wait: for the node's object, which keeps them out as it was last read, or for what is given to them. */
  readonly #undecided = new Set<string>();
  /** Pods that are given theirs once others have gone for them. */
  readonly #owed = new Set<string>();
  #readySources = 0;
  #enteredMs = 0;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
    this.#preemptor = new Preemptor({
      ...options,
      kill: (uid, reason) => options.workers.kill(uid, reason),
      isGone: (uid) => (options.workers.phaseOf(uid) ?? 'finished') === 'finished',
      begin: (uid) => {
        const pod = options.store.get(uid);
        if (pod && this.#owed.delete(uid)) void this.#give(pod);
        else if (pod) options.workers.update(pod);
      },
    });
    this.#admission = new Admission({
      ...options,
      isRunning: (uid) => options.workers.phaseOf(uid) === 'syncing',
      preemptor: this.#preemptor,
    });
    this.#resizes = new ResizeQueue({
      ...options,
      states: options.resizes,
      isReady: () => this.sourcesReady,
      refusalOf: (pod) => this.#admission.refusalOf(pod),
      wake: (uid) => options.workers.wake(uid),
    });
  }

  start(): void {
    void this.#housekeep();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
    this.#preemptor.close();
    this.#options.workers.stop();
  }

  /** Whether every source of pods has spoken. */
  get sourcesReady(): boolean {
    return this.#readySources >= this.#options.sources;
  }

  /** Monotonic time of the last turn; /healthz looks at it. */
  get enteredMs(): number {
    return this.#enteredMs;
  }

  added(pod: AssignedPod): void {
    this.#options.store.put(pod);
    if (isMirrorPod(pod)) this.#mirrorChanged(pod);
    else if (this.#admission.restsOnNodeObject(pod)) void this.#lookAndTake(pod.metadata.uid);
    else this.#take(pod);
  }

  #take(pod: AssignedPod): void {
    const { managers } = this.#options;
    const { uid } = pod.metadata;
    const isNew = !this.#admission.needsNoVerdict(pod);
    if (!this.#admission.admit(pod)) managers.release(uid);
    else if (!isNew || managers.isFree(pod)) this.#begin(pod);
    else if (this.#preemptor.isHeld(uid)) this.#owed.add(uid);
    else void this.#give(pod);
  }

  #begin(pod: AssignedPod): void {
    this.#resizes.added(pod);
    if (!this.#preemptor.isHeld(pod.metadata.uid)) this.#options.workers.update(pod);
  }

  /** The pod begins once it has its devices, processors and memory, and is refused where it can't have them. */
  async #give({ metadata: { uid } }: AssignedPod): Promise<void> {
    const { store } = this.#options;
    const isStarting = !this.sourcesReady;
    this.#undecided.add(uid);
    const refusal = await this.#ask(uid, isStarting);
    const pod = store.get(uid);
    if (!this.#undecided.delete(uid) || !pod || this.#abort.signal.aborted) return;
    if (refusal === undefined) {
      this.#begin(pod);
      return;
    }
    this.#admission.reject(pod, verdictOf(refusal.reason, refusal.message));
  }

  /** Why the pod can't have them. */
  async #ask(uid: string, isStarting: boolean): Promise<AdmissionRefusal | undefined> {
    const { store, cache, managers } = this.#options;
    try {
      const pod = store.get(uid);
      const record = isStarting ? await cache.get(uid) : undefined;
      const isRunning = (name: string) =>
        record !== undefined && newestContainer(record, name)?.state === ContainerState.CONTAINER_RUNNING;
      const isPast = (name: string) =>
        pod !== undefined && record !== undefined && hasGonePast(pod, record, name);
      if (pod) await managers.allocate(pod, { isStarting, isRunning, isPast });
      return undefined;
    } catch (error) {
      return refusalFrom(error);
    }
  }

  /** A label or taint that the scheduler knew may be newer than the node's object here (pkg/kubelet/lifecycle/predicate.go). */
  async #lookAndTake(uid: string): Promise<void> {
    const { store, lookAtNode, logger } = this.#options;
    this.#undecided.add(uid);
    await lookAtNode().catch((error: unknown) => logger.warn('the node could not be read anew', { error }));
    const pod = store.get(uid);
    if (this.#undecided.delete(uid) && pod && !this.#abort.signal.aborted) this.#take(pod);
  }

  updated(pod: AssignedPod): void {
    const { store, workers, statuses } = this.#options;
    const previous = store.get(pod.metadata.uid);
    store.put(pod);
    if (isMirrorPod(pod)) {
      this.#mirrorChanged(pod);
      return;
    }
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp) {
      this.#preemptor.forget(uid);
      this.#undecided.delete(uid);
      this.#owed.delete(uid);
    }
    const isKeptBack =
      this.#undecided.has(uid) || this.#admission.isRejected(uid) || this.#preemptor.isHeld(uid);
    if (!isKeptBack || deletionTimestamp) workers.update(pod);
    this.#resizes.updated(pod, previous);
    statuses.check(pod.metadata.uid);
  }

  reconciled(pod: AssignedPod): void {
    const { store, statuses, workers } = this.#options;
    store.put(pod);
    if (isMirrorPod(pod)) return;
    statuses.check(pod.metadata.uid);
    // It may have ended, or have less than before.
    this.#resizes.retry('pod_resized');
    if ((pod.spec.readinessGates ?? []).length > 0 && !this.#undecided.has(pod.metadata.uid))
      workers.update(pod);
  }

  removed(pod: AssignedPod): void {
    const { store, workers, statuses } = this.#options;
    const { uid } = pod.metadata;
    if (isMirrorPod(pod)) {
      store.remove(pod);
      this.#mirrorChanged(pod);
      return;
    }
    store.remove(pod);
    this.#admission.forget(uid);
    this.#undecided.delete(uid);
    this.#owed.delete(uid);
    if (!workers.phaseOf(uid)) this.#preemptor.forget(uid);
    if (workers.phaseOf(uid) === 'finished') workers.forget(uid);
    else workers.remove(uid);
    if (workers.phaseOf(uid) === undefined) statuses.forget(uid);
    this.#resizes.forget(uid);
    this.#resizes.retry('pods_removed');
  }

  ready(): void {
    this.#readySources += 1;
    if (this.sourcesReady) this.#options.managers.settle();
    this.#resizes.retry('pods_added');
  }

  podChanged(uid: string, changedAtMs?: number): void {
    const { cache, workers } = this.#options;
    if (cache.touch(uid, changedAtMs)) workers.wake(uid);
  }

  probeTurned(uid: string): void {
    this.#options.workers.wake(uid);
  }

  objectChanged(uid: string): void {
    this.#options.workers.wake(uid);
  }

  podFinished(pod: AssignedPod): void {
    const { statuses, store } = this.#options;
    const { uid } = pod.metadata;
    this.#preemptor.finished(uid);
    if (store.get(uid)) statuses.check(uid);
    else statuses.forget(uid);
  }

  /** Pods that only the runtime knows are stopped, once every source has said what it wants. */
  relisted(uids: readonly string[]): void {
    const { store, workers } = this.#options;
    if (!this.sourcesReady) return;
    for (const uid of uids) {
      if (!store.get(uid) && workers.phaseOf(uid) === undefined) void this.#stopUnknown(uid);
    }
  }

  async #stopUnknown(uid: string): Promise<void> {
    const { cache, store, workers, logger, orphans } = this.#options;
    try {
      const record = await cache.get(uid);
      const isLive =
        record.sandboxes.some(({ state }) => state === 0) ||
        record.containers.some(({ state }) => state !== ContainerState.CONTAINER_EXITED);
      if (!isLive || store.get(uid) || workers.phaseOf(uid)) return;
      orphans.add(1);
      workers.killOrphan(orphanPod(record));
    } catch (error) {
      logger.warn('an unknown pod could not be looked at', { uid, error });
    }
  }

  /** The static pod's own worker makes its mirror right: one that waits for an older version to stop leaves that one's. */
  #mirrorChanged(mirror: AssignedPod): void {
    const { store, workers } = this.#options;
    const shown = store.staticOf(mirror);
    if (shown) workers.wake(shown.metadata.uid);
  }

  async #housekeep(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#abort;
    let reconciledMs = 0;
    while (!signal.aborted) {
      this.#enteredMs = clock.monotonicMs();
      await this.#cleanUp().catch((error: unknown) => logger.warn('housekeeping failed', { error }));
      if (clock.monotonicMs() - reconciledMs >= statusReconcileMs) {
        reconciledMs = clock.monotonicMs();
        this.#options.statuses.checkAll();
      }
      await sleep({ clock, delayMs: housekeepingMs, signal }).catch(() => {});
    }
  }

  async #cleanUp(): Promise<void> {
    if (!this.sourcesReady) return;
    const { store, workers, statuses, removeMirror, collectGarbage } = this.#options;
    this.#resizes.tick();
    for (const uid of [...workers.uids]) if (!store.get(uid)) workers.forget(uid);
    for (const uid of [...statuses.uids]) {
      if (!store.get(uid) && workers.phaseOf(uid) === undefined) statuses.forget(uid);
    }
    for (const mirror of [...store.mirrors]) {
      if (!store.staticOf(mirror) && !workers.isStopping(fullNameOf(mirror))) removeMirror(mirror);
    }
    await collectGarbage((uid) => store.get(uid) !== undefined || workers.phaseOf(uid) !== undefined);
  }
}
