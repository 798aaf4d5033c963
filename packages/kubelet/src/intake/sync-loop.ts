import { type Clock, sleep } from '@wherry/clock';
import { ContainerState } from '@wherry/cri';
import { isTerminalPhase } from '@wherry/podrules';
import type { Counter, Logger } from '@wherry/telemetry';
import type { Allocations } from '../board/allocations.ts';
import type { PodSignalHandlers } from '../board/pod-signals.ts';
import type { PodStore } from '../board/pod-store.ts';
import type { ResizeStates } from '../board/resize-states.ts';
import type { IsKept } from '../execution/upkeep/garbage-collector.ts';
import type { PodVerdict } from '../execution/workers/pod-worker.ts';
import type { PodWorkers } from '../execution/workers/pod-workers.ts';
import type { HostSecurity } from '../ground/host-security.ts';
import { housekeepingMs, statusReconcileMs } from '../limits.ts';
import { orphanPod } from '../observation/orphan-pod.ts';
import type { PodCache } from '../observation/pod-cache.ts';
import { emptyPodRecord } from '../observation/pod-record.ts';
import type { PressureType } from '../observation/pressure/pressure-state.ts';
import { allocationOf } from '../pod/allocation.ts';
import { type AssignedPod, fullNameOf, isMirrorPod } from '../pod/assigned-pod.ts';
import { type EventRecorder, podEvents } from '../reporting/events/recorder.ts';
import { podStatus } from '../reporting/status/pod-status.ts';
import type { StatusManager } from '../reporting/status/status-manager.ts';
import { fieldWarnings, refusalOf } from './admission/admit-pod.ts';
import { ResizeQueue } from './resize/resize-queue.ts';
import type { PodSourceHandlers } from './sources/pod-changes.ts';

/** What the loop is made of. */
export interface SyncLoopOptions {
  store: PodStore;
  workers: PodWorkers;
  statuses: StatusManager;
  cache: PodCache;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  hostIps: readonly string[];
  /** How many sources must have spoken before anything unknown is stopped. */
  sources: number;
  allowedUnsafeSysctls: readonly string[];
  host: HostSecurity;
  /** What the node is short of. */
  pressures(): ReadonlySet<PressureType>;
  allocatable(): Readonly<Record<string, string>>;
  node(): Parameters<typeof refusalOf>[0]['node'];
  allocations: Allocations;
  resizes: ResizeStates;
  /** Resizes that had to wait and were granted. */
  accepted: Counter;
  removeMirror(mirror: AssignedPod): void;
  /** Periodic clean-up; `isKept` tells at any moment whether a pod is wanted or still stopping. */
  collectGarbage(isKept: IsKept): Promise<void>;
}

/** Where everything that happens meets: each handler says which pods to look at, and none of them waits. */
export class SyncLoop implements PodSourceHandlers, PodSignalHandlers {
  readonly #options: SyncLoopOptions;
  readonly #abort = new AbortController();
  readonly #admitted = new Set<string>();
  readonly #rejected = new Set<string>();
  readonly #resizes: ResizeQueue;
  #readySources = 0;
  #enteredMs = 0;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
    this.#resizes = new ResizeQueue({
      ...options,
      states: options.resizes,
      isReady: () => this.sourcesReady,
      refusalOf: (pod) => this.#refusalOf(pod),
      wake: (uid) => options.workers.wake(uid),
    });
  }

  start(): void {
    void this.#housekeep();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
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
    const { store, workers } = this.#options;
    store.put(pod);
    if (isMirrorPod(pod)) this.#mirrorChanged(pod);
    else if (this.#admit(pod)) {
      this.#resizes.added(pod);
      workers.update(pod);
    }
  }

  updated(pod: AssignedPod): void {
    const { store, workers, statuses } = this.#options;
    const previous = store.get(pod.metadata.uid);
    store.put(pod);
    if (isMirrorPod(pod)) {
      this.#mirrorChanged(pod);
      return;
    }
    if (!this.#rejected.has(pod.metadata.uid) || pod.metadata.deletionTimestamp) workers.update(pod);
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
    if ((pod.spec.readinessGates ?? []).length > 0) workers.update(pod);
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
    this.#admitted.delete(uid);
    this.#rejected.delete(uid);
    if (workers.phaseOf(uid) === 'finished') workers.forget(uid);
    else workers.remove(uid);
    if (workers.phaseOf(uid) === undefined) statuses.forget(uid);
    this.#resizes.forget(uid);
    this.#resizes.retry('pods_removed');
  }

  ready(): void {
    this.#readySources += 1;
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
    const { cache, store, workers, logger } = this.#options;
    try {
      const record = await cache.get(uid);
      const isLive =
        record.sandboxes.some(({ state }) => state === 0) ||
        record.containers.some(({ state }) => state !== ContainerState.CONTAINER_EXITED);
      if (isLive && !store.get(uid)) workers.killOrphan(orphanPod(record));
    } catch (error) {
      logger.warn('an unknown pod could not be looked at', { uid, error });
    }
  }

  #admit(pod: AssignedPod): boolean {
    const { statuses, recorder, clock, hostIps } = this.#options;
    const { uid } = pod.metadata;
    if (this.#admitted.has(uid) || pod.metadata.deletionTimestamp || isTerminalPhase(pod.status?.phase))
      return true;
    const { host, allocations } = this.#options;
    // One that this node has taken before is judged by what it was given then.
    const given = allocations.given(pod);
    const verdict = this.#refusalOf(given);
    if (!verdict) {
      this.#admitted.add(uid);
      allocations.set(uid, allocationOf(given));
      for (const { reason, message } of fieldWarnings(pod, host))
        podEvents(recorder, pod).warn(reason, message);
      return true;
    }
    this.#rejected.add(uid);
    podEvents(recorder, pod).warn(verdict.reason, verdict.message.replace('Pod was rejected: ', ''));
    const status = podStatus({
      pod,
      record: emptyPodRecord(uid, clock),
      previous: pod.status,
      runtimeName: '',
      hostIps,
      nowMs: clock.nowMs(),
      isTerminating: true,
      verdict,
      waitingReason: () => undefined,
      isStarted: () => false,
      isReady: () => false,
    });
    const { phase, reason, message, startTime, qosClass } = status;
    statuses.set(pod, { phase, reason, message, startTime, qosClass });
    return false;
  }

  /** Whether a pod, as it is or is to be, has its place beside those that were taken, and why not. */
  #refusalOf(pod: AssignedPod): PodVerdict | undefined {
    const { store, allocatable, node, allowedUnsafeSysctls, host, pressures, allocations } = this.#options;
    const others = [...store.pods]
      .filter(({ metadata }) => this.#admitted.has(metadata.uid))
      .map((other) => allocations.given(other));
    return refusalOf({
      pod,
      others,
      allocatable: allocatable(),
      node: node(),
      allowedUnsafeSysctls,
      host,
      pressures: pressures(),
    });
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
