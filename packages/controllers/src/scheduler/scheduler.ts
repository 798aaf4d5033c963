import { setImmediate as nextTurn } from 'node:timers/promises';
import { kinds } from '@wherry/client';
import type { Node, Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import type { AttemptResult } from '../figures/scheduler-figures.ts';
import { limits } from '../limits.ts';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { type ControllerDefinition, defineController } from '../machinery/run-controller.ts';
import type { KnownObjects } from './cluster/known-objects.ts';
import { type PodInfo, podInfo } from './cluster/pod-info.ts';
import { FailedStep } from './decision/failed-step.ts';
import { SchedulerParts } from './decision/parts.ts';
import { PodBinder } from './decision/pod-binder.ts';
import { PodRefuser } from './decision/pod-refuser.ts';
import type { EndedWait } from './devices/readiness/device-waits.ts';
import { loadSelectors } from './devices/selector-cache.ts';
import { ExtenderError } from './extenders/extender-error.ts';
import { dynamicResources } from './filters/dynamic-resources.ts';
import type { ClusterChange } from './filters/filter-plugin.ts';
import { PlaceFinder } from './find-place.ts';
import { schedulerOf } from './profiles/profile.ts';
import { type SchedulerSetup, usualSetup } from './profiles/setup.ts';
import { schedulerState } from './scheduler-state.ts';
import { waitsForNode } from './watch-cluster.ts';

const watches = {
  pods: { type: kinds.pods },
  nodes: { type: kinds.nodes },
  namespaces: { type: kinds.namespaces },
  services: { type: kinds.services },
  replicationControllers: { type: kinds.replicationControllers },
  replicaSets: { type: kinds.replicaSets },
  statefulSets: { type: kinds.statefulSets },
  budgets: { type: kinds.podDisruptionBudgets },
  claims: { type: kinds.persistentVolumeClaims },
  volumes: { type: kinds.persistentVolumes },
  classes: { type: kinds.storageClasses },
  drivers: { type: kinds.csiDrivers },
  capacities: { type: kinds.csiStorageCapacities },
  csiNodes: { type: kinds.csiNodes },
  attachments: { type: kinds.volumeAttachments },
  deviceClaims: { type: kinds.resourceClaims },
  deviceClasses: { type: kinds.deviceClasses },
  resourceSlices: { type: kinds.resourceSlices },
};

/** Binds each waiting pod to a node, as kube-scheduler does. The one key is a look at all that wait. */
export const schedulerBy = (setup: SchedulerSetup): ControllerDefinition =>
  defineController({
    name: 'kube-scheduler',
    account: null,
    watches,
    writes: [
      ...['pods', 'pods/binding', 'pods/status', 'persistentvolumes', 'persistentvolumeclaims', 'events'],
      ...['resourceclaims', 'resourceclaims/status'],
    ],
    concurrency: 1,
    build: (context) => new Scheduler(context, setup),
  });

/** The same with upstream's default profile. */
export const scheduler = schedulerBy(usualSetup);

class Scheduler implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #parts: SchedulerParts;
  readonly #finder: PlaceFinder;
  readonly #binder: PodBinder;
  readonly #refuser: PodRefuser;
  /** What is being written. */
  readonly #pending = new Set<Promise<void>>();
  #ready = Promise.withResolvers<void>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: ControllerContext<typeof watches>, setup: SchedulerSetup) {
    this.#context = context;
    const { pods, nodes, ...others } = context.informers;
    const objects = Object.entries(others).map(([name, { objects: known }]) => [name, known]);
    const parts = new SchedulerParts(context.cluster, Object.fromEntries(objects) as KnownObjects, setup);
    this.#parts = parts;
    this.#finder = new PlaceFinder(parts.cluster);
    this.#binder = new PodBinder(parts);
    this.#refuser = new PodRefuser(parts);
    parts.figures?.follow(schedulerState(parts, pods.objects));
    const storage = () => this.#wake('storage');
    const device = () => this.#wake('device');
    this.keysOf = {
      pods: (pod: Pod, change: Change) => {
        const { uid = '' } = pod.metadata;
        if (change === 'deleted') this.#parts.waits.delete(uid);
        if (change === 'deleted') parts.figures?.forgets(uid);
        return this.#wake(this.#parts.watch.podChanged(pod, change));
      },
      nodes: (node: Node, change: Change, previous?: Node) =>
        this.#wake(this.#parts.watch.nodeChanged(node, change, previous)),
      namespaces: () => this.#wake('namespace'),
      ...{ claims: storage, volumes: storage, classes: storage, csiNodes: storage, attachments: storage },
      ...{ drivers: storage, capacities: storage },
      ...{ deviceClasses: () => this.#wake('device-class'), resourceSlices: device },
      deviceClaims: (claim: ResourceV1ResourceClaim, change: Change) => {
        this.#parts.cluster.devices.shown(claim, change === 'deleted');
        const keys = device();
        return this.#parts.waits.size > 0 ? this.#look() : keys;
      },
    };
  }

  async reconcile(_key: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (!signal.aborted) this.#endWaits(signal);
      const info = signal.aborted ? undefined : this.#parts.queue.pop(this.#parts.nowMs());
      if (info) await this.#begin(info, signal);
      else if (this.#pending.size === 0) break;
      if (!info || this.#pending.size >= limits.bindConcurrency) await this.#somethingHappens();
      await nextTurn();
    }
    this.#setTimer();
  }

  close(): void {
    this.#parts.extenders.close();
    this.#parts.figures?.follow(undefined);
  }

  #setTimer(): void {
    for (const { nextDueMs } of [this.#parts.queue, this.#parts.waits])
      if (nextDueMs !== undefined)
        this.#context.queue.addAfter('', Math.max(0, nextDueMs - this.#parts.nowMs()));
  }

  #wake(change: ClusterChange | undefined): string[] {
    if (change && this.#parts.queue.wake(change, this.#parts.nowMs())) this.#setTimer();
    return this.#parts.queue.isReady ? this.#look() : [];
  }

  #look(): string[] {
    this.#ready.resolve();
    return [''];
  }

  /** A write has ended, or there is a pod to look at. */
  async #somethingHappens(): Promise<void> {
    const isFull = this.#pending.size >= limits.bindConcurrency;
    this.#ready = Promise.withResolvers();
    await Promise.race([...this.#pending, ...(isFull ? [] : [this.#ready.promise])]);
  }

  /** Lets a write go on beside the next decisions; a pod whose write failed is looked at again. */
  #start(write: Promise<void>, info: PodInfo, signal: AbortSignal): void {
    const running = write
      .catch((error: unknown) => this.#failed(info, error, signal))
      .finally(() => this.#pending.delete(running));
    this.#pending.add(running);
  }

  async #failed(info: PodInfo, error: unknown, signal: AbortSignal): Promise<void> {
    this.#wake(this.#parts.watch.giveUp(info));
    const pod = this.#context.informers.pods.objects.get(info.key);
    const isWaiting = pod?.metadata.uid === info.uid && waitsForNode(pod, this.#parts.profiles);
    if (isWaiting) this.#parts.queue.retry(podInfo(pod), this.#parts.nowMs());
    // Gone or bound by someone else in the meantime: the watch tells.
    const isLate = isLateWrite(error instanceof FailedStep ? error.cause : error);
    this.#context.cluster.logger[isLate ? 'debug' : 'warn']('a decision was not stored', {
      pod: info.key,
      error,
    });
    if (!isWaiting || isLate || !(error instanceof FailedStep || error instanceof ExtenderError)) return;
    const told = { message: error.message, reason: 'SchedulerError', nominatedNodeName: '' } as const;
    await this.#parts.writes.tellRefused(podInfo(pod), told, signal).catch(() => {});
  }

  /** Where extenders have a say, the next decision waits for this one: it needs to know of it. */
  async #begin(info: PodInfo, signal: AbortSignal): Promise<void> {
    const { promise: isDecided, resolve } = Promise.withResolvers<void>();
    this.#start(this.#schedule(info, signal, resolve).finally(resolve), info, signal);
    if (!this.#parts.extenders.isEmpty) await isDecided;
  }

  async #schedule(info: PodInfo, signal: AbortSignal, decided: () => void): Promise<void> {
    const startedMs = this.#parts.nowMs();
    let result: AttemptResult | undefined = 'error';
    this.#parts.figures?.looksFor(info.uid);
    try {
      result = await this.#attempt(info, signal, decided);
    } finally {
      if (result) this.#tellEnd(info, result, startedMs);
    }
  }

  #tellEnd(info: PodInfo, result: AttemptResult, startedMs: number): void {
    const tookMs = this.#parts.nowMs() - startedMs;
    this.#parts.figures?.ended({ uid: info.uid, profile: schedulerOf(info.pod) }, result, tookMs);
  }

  /**
   * Decides for one pod, at once unless extenders are asked; what follows from it is written afterwards. Undefined: something
   * else comes first.
   */
  async #attempt(
    info: PodInfo,
    signal: AbortSignal,
    decided: () => void,
  ): Promise<AttemptResult | undefined> {
    const devices = this.#parts.devicesOf(info);
    if (devices) await loadSelectors();
    // They are made as soon as the pod is, mostly: a status in between would only stand in the way of others' writes.
    if (devices?.isIncomplete && this.#parts.queue.isFirstLook(info.uid)) {
      const patience = { refusedBy: dynamicResources.name, delayMs: limits.claimPatienceMs };
      this.#parts.queue.await(info.uid, patience);
      return undefined;
    }
    const profile = this.#parts.profileOf(info);
    const lookingSinceMs = this.#parts.nowMs();
    const place = this.#parts.extenders.isEmpty
      ? this.#finder.find(info, profile)
      : await this.#finder.findWith(this.#parts.extenders, info, { profile, signal });
    this.#parts.figures?.looked(this.#parts.nowMs() - lookingSinceMs);
    // Gone, or bound by someone else, while extenders were asked.
    if (!this.#parts.queue.get(info.uid)) return undefined;
    const done =
      'room' in place
        ? this.#binder.bindTo(info, place.room, signal)
        : this.#refuser.refuse(info, place, signal);
    decided();
    return (await done) ?? ('room' in place ? undefined : 'unschedulable');
  }

  /** Goes on with pods whose devices are ready or never will be, as many as may be written at once. */
  #endWaits(signal: AbortSignal): void {
    if (this.#parts.waits.size === 0) return;
    const claims = this.#parts.cluster.objects.deviceClaims;
    const view = { ledger: this.#parts.cluster.devices, claims, nowMs: this.#parts.nowMs() };
    for (const ended of this.#parts.waits.take(view)) {
      this.#start(this.#goOn(ended, signal), ended.info, signal);
      if (this.#pending.size >= limits.bindConcurrency) break;
    }
  }

  async #goOn(ended: EndedWait, signal: AbortSignal): Promise<void> {
    const startedMs = this.#parts.nowMs();
    const result = await this.#binder.goOn(ended, signal);
    this.#tellEnd(ended.info, result, startedMs);
  }
}
