import { setImmediate as nextTurn } from 'node:timers/promises';
import { kinds } from '@wherry/client';
import type { Node, Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import type {
  AttemptResult,
  ExtensionPoint,
  SchedulerFigures,
  SchedulerState,
} from '../figures/scheduler-figures.ts';
import { limits } from '../limits.ts';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { type ControllerDefinition, defineController } from '../machinery/run-controller.ts';
import { ClusterState } from './cluster/cluster-state.ts';
import type { KnownObjects } from './cluster/known-objects.ts';
import type { NodeRoom } from './cluster/node-room.ts';
import { type PodInfo, podInfo } from './cluster/pod-info.ts';
import { type BoundDevices, DeviceBinder } from './devices/device-binder.ts';
import { deallocate } from './devices/device-writes.ts';
import { discardExtendedClaim } from './devices/extended/extended-writes.ts';
import { devicesOf, type PodDevices } from './devices/pod-devices.ts';
import { DeviceWaits, type EndedWait } from './devices/readiness/device-waits.ts';
import { loadSelectors } from './devices/selector-cache.ts';
import { ExtenderError } from './extenders/extender-error.ts';
import { Extenders } from './extenders/extenders.ts';
import { FailedStep, step } from './failed-step.ts';
import { dynamicResources } from './filters/dynamic-resources.ts';
import type { ClusterChange } from './filters/filter-plugin.ts';
import { volumeBinding } from './filters/storage/volume-binding.ts';
import { PlaceFinder } from './find-place.ts';
import type { NoPlace } from './place.ts';
import { PodStorage } from './pod-storage.ts';
import { PodWrites } from './pod-writes.ts';
import { type CandidatesEnough, findPreemption, findPreemptionWith } from './preemption/find-preemption.ts';
import type { Candidate } from './preemption/select-victims.ts';
import { defaultProfile, type Profile, schedulerOf } from './profiles/profile.ts';
import { type SchedulerSetup, usualSetup } from './profiles/setup.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import { prepareStorage } from './storage-writes.ts';
import { ClusterWatch, waitsForNode } from './watch-cluster.ts';

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
    watches,
    writes: [
      ...['pods', 'pods/binding', 'pods/status', 'persistentvolumes', 'persistentvolumeclaims', 'events'],
      ...['resourceclaims', 'resourceclaims/status'],
    ],
    waitsForLists: true,
    concurrency: 1,
    build: (context) => new Scheduler(context, setup),
  });

/** The same with upstream's default profile. */
export const scheduler = schedulerBy(usualSetup);

class Scheduler implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #cluster: ClusterState;
  readonly #setup: SchedulerSetup;
  readonly #queue: SchedulingQueue;
  readonly #figures: SchedulerFigures | undefined;
  readonly #watch: ClusterWatch;
  readonly #finder: PlaceFinder;
  readonly #extenders: Extenders;
  readonly #writes: PodWrites;
  readonly #binder: DeviceBinder;
  readonly #waits = new DeviceWaits();
  /** What is being written. */
  readonly #pending = new Set<Promise<void>>();
  #ready = Promise.withResolvers<void>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: ControllerContext<typeof watches>, setup: SchedulerSetup) {
    this.#context = context;
    const figures = context.cluster.figures?.scheduler;
    this.#figures = figures;
    figures?.follow(this.#state());
    const { client, clock, logger } = context.cluster;
    this.#setup = setup;
    const { backoffMs } = setup;
    this.#queue = new SchedulingQueue(backoffMs, (queue, event) => figures?.came(queue, event));
    const { pods, nodes, ...others } = context.informers;
    const objects = Object.entries(others).map(([name, { objects: known }]) => [name, known]);
    this.#cluster = new ClusterState(Object.fromEntries(objects) as KnownObjects);
    this.#watch = new ClusterWatch(this.#cluster, this.#queue, setup.profiles);
    this.#finder = new PlaceFinder(this.#cluster);
    this.#extenders = new Extenders(setup.makeExtenders?.(clock) ?? [], logger);
    const recorderOf = (component: string) => new EventRecorder({ client, clock, logger, component });
    this.#writes = new PodWrites({ client, clock, recorderOf });
    const claims = context.informers.deviceClaims.objects;
    this.#binder = new DeviceBinder({ client, clock, ledger: this.#cluster.devices, claims });
    const storage = () => this.#wake('storage');
    const device = () => this.#wake('device');
    this.keysOf = {
      pods: (pod: Pod, change: Change) => {
        const { uid = '' } = pod.metadata;
        if (change === 'deleted') this.#waits.delete(uid);
        if (change === 'deleted') figures?.forgets(uid);
        return this.#wake(this.#watch.podChanged(pod, change));
      },
      nodes: (node: Node, change: Change, previous?: Node) =>
        this.#wake(this.#watch.nodeChanged(node, change, previous)),
      namespaces: () => this.#wake('namespace'),
      ...{ claims: storage, volumes: storage, classes: storage, csiNodes: storage, attachments: storage },
      ...{ drivers: storage, capacities: storage },
      ...{ deviceClasses: () => this.#wake('device-class'), resourceSlices: device },
      deviceClaims: (claim: ResourceV1ResourceClaim, change: Change) => {
        this.#cluster.devices.shown(claim, change === 'deleted');
        const keys = device();
        return this.#waits.size > 0 ? this.#look() : keys;
      },
    };
  }

  async reconcile(_key: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (!signal.aborted) this.#endWaits(signal);
      const info = signal.aborted ? undefined : this.#queue.pop(this.#nowMs());
      if (info) await this.#begin(info, signal);
      else if (this.#pending.size === 0) break;
      if (!info || this.#pending.size >= limits.bindConcurrency) await this.#somethingHappens();
      await nextTurn();
    }
    this.#setTimer();
  }

  close(): void {
    this.#extenders.close();
    this.#figures?.follow(undefined);
  }

  #state(): SchedulerState {
    return {
      pending: () => ({ ...this.#queue.counts, gated: this.#gatedCount() }),
      refusedBy: () => this.#refusals(),
      known: () => ({
        nodes: this.#cluster.nodes.length,
        pods: this.#cluster.nodes.reduce((sum, { pods }) => sum + pods.size, 0),
        assumed_pods: this.#watch.assumedCount,
      }),
    };
  }

  #refusals() {
    const counts = new Map<string, { plugin: string; profile: string; count: number }>();
    for (const { info, plugin } of this.#queue.refusals()) {
      const profile = profileNameOf(info);
      const known = counts.get(`${profile}/${plugin}`) ?? { plugin, profile, count: 0 };
      known.count += 1;
      counts.set(`${profile}/${plugin}`, known);
    }
    return [...counts.values()];
  }

  #gatedCount(): number {
    let count = 0;
    for (const { spec } of this.#context.informers.pods.objects.values())
      if (!spec?.nodeName && (spec?.schedulingGates ?? []).length > 0) count += 1;
    return count;
  }

  #setTimer(): void {
    for (const { nextDueMs } of [this.#queue, this.#waits])
      if (nextDueMs !== undefined) this.#context.queue.addAfter('', Math.max(0, nextDueMs - this.#nowMs()));
  }

  #nowMs(): number {
    return this.#context.cluster.clock.monotonicMs();
  }

  #wake(change: ClusterChange | undefined): string[] {
    if (change && this.#queue.wake(change, this.#nowMs())) this.#setTimer();
    return this.#queue.isReady ? this.#look() : [];
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
    this.#wake(this.#watch.giveUp(info));
    const pod = this.#context.informers.pods.objects.get(info.key);
    const isWaiting = pod?.metadata.uid === info.uid && waitsForNode(pod, this.#setup.profiles);
    if (isWaiting) this.#queue.retry(podInfo(pod), this.#nowMs());
    // Gone or bound by someone else in the meantime: the watch tells.
    const isLate = isLateWrite(error instanceof FailedStep ? error.cause : error);
    this.#context.cluster.logger[isLate ? 'debug' : 'warn']('a decision was not stored', {
      pod: info.key,
      error,
    });
    if (!isWaiting || isLate || !(error instanceof FailedStep || error instanceof ExtenderError)) return;
    const told = { message: error.message, reason: 'SchedulerError', nominatedNodeName: '' } as const;
    await this.#writes.tellRefused(podInfo(pod), told, signal).catch(() => {});
  }

  /** Where extenders have a say, the next decision waits for this one: it needs to know of it. */
  async #begin(info: PodInfo, signal: AbortSignal): Promise<void> {
    const { promise: isDecided, resolve } = Promise.withResolvers<void>();
    this.#start(this.#schedule(info, signal, resolve).finally(resolve), info, signal);
    if (!this.#extenders.isEmpty) await isDecided;
  }

  async #schedule(info: PodInfo, signal: AbortSignal, decided: () => void): Promise<void> {
    const startedMs = this.#nowMs();
    let result: AttemptResult | undefined = 'error';
    this.#figures?.looksFor(info.uid);
    try {
      result = await this.#attempt(info, signal, decided);
    } finally {
      if (result) this.#tellEnd(info, result, startedMs);
    }
  }

  #tellEnd(info: PodInfo, result: AttemptResult, startedMs: number): void {
    const tookMs = this.#nowMs() - startedMs;
    this.#figures?.ended({ uid: info.uid, profile: profileNameOf(info) }, result, tookMs);
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
    const devices = this.#devicesOf(info);
    if (devices) await loadSelectors();
    // They are made as soon as the pod is, mostly: a status in between would only stand in the way of others' writes.
    if (devices?.isIncomplete && this.#queue.isFirstLook(info.uid)) {
      const patience = { refusedBy: dynamicResources.name, delayMs: limits.claimPatienceMs };
      this.#queue.await(info.uid, patience);
      return undefined;
    }
    const profile = this.#profileOf(info);
    const lookingSinceMs = this.#nowMs();
    const place = this.#extenders.isEmpty
      ? this.#finder.find(info, profile)
      : await this.#finder.findWith(this.#extenders, info, { profile, signal });
    this.#figures?.looked(this.#nowMs() - lookingSinceMs);
    // Gone, or bound by someone else, while extenders were asked.
    if (!this.#queue.get(info.uid)) return undefined;
    const done = 'room' in place ? this.#take(info, place.room, signal) : this.#refuse(info, place, signal);
    decided();
    return (await done) ?? ('room' in place ? undefined : 'unschedulable');
  }

  #timed(point: ExtensionPoint, info: PodInfo, work: Promise<void>): Promise<void> {
    return this.#figures?.timed({ point, profile: profileNameOf(info) }, work) ?? work;
  }

  async #take(
    info: PodInfo,
    { name, node }: NodeRoom,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    const { volumeBindingMs } = this.#profileOf(info);
    const isStored = info.claims.length > 0 && volumeBindingMs !== undefined;
    const storage = isStored ? new PodStorage(info.pod, this.#cluster.objects) : undefined;
    if (node && storage && !storage.isBound) {
      // The room stays the pod's; its claims tell when they are bound.
      this.#cluster.nominate(info, name);
      const delayMs = Math.min(limits.storageRecheckMs, volumeBindingMs!);
      const waitedMs = this.#queue.await(info.uid, { refusedBy: volumeBinding.name, delayMs });
      const { client } = this.#context.cluster;
      const writes = prepareStorage(client, { node, plan: storage.planFor(node), signal });
      await this.#timed('PreBind', info, step('PreBind plugin "VolumeBinding"', writes));
      if (waitedMs < volumeBindingMs!) return undefined;
      this.#cluster.forgetNomination(info.uid);
      throw new FailedStep(
        'PreBind plugin "VolumeBinding"',
        new Error('binding volumes: context deadline exceeded'),
      );
    }
    const plan = node && this.#devicesOf(info)?.plan(node);
    this.#watch.assume(info, name);
    const giving = plan && this.#binder.give(info.pod, plan, signal);
    const bound = giving && (await step('PreBind plugin "DynamicResources"', giving));
    if (!bound || !DeviceWaits.isNeeded(bound)) return this.#bind(info, name, { bound, signal });
    this.#writes.tellWaiting(info, name);
    const nowMs = this.#nowMs();
    const bindingMs = this.#profileOf(info).deviceBindingMs ?? limits.deviceBindingMs;
    const wait = { info, nodeName: name, bound, bindingMs };
    this.#waits.add(wait, { nowMs, wallMs: this.#context.cluster.clock.nowMs() });
    return undefined;
  }

  async #bind(
    info: PodInfo,
    nodeName: string,
    { bound, signal }: { bound: BoundDevices | undefined; signal: AbortSignal },
  ): Promise<'scheduled'> {
    try {
      const bindElsewhere = this.#extenders.isEmpty
        ? undefined
        : () => this.#extenders.bind(info.pod, nodeName, signal);
      await this.#timed('Bind', info, this.#writes.bind(info, nodeName, { bindElsewhere, signal }));
      return 'scheduled';
    } catch (error) {
      if (bound) await this.#binder.takeBack(info.pod, bound);
      throw error;
    }
  }

  /** Goes on with pods whose devices are ready or never will be, as many as may be written at once. */
  #endWaits(signal: AbortSignal): void {
    if (this.#waits.size === 0) return;
    const claims = this.#cluster.objects.deviceClaims;
    const view = { ledger: this.#cluster.devices, claims, nowMs: this.#nowMs() };
    for (const ended of this.#waits.take(view)) {
      this.#start(this.#endWait(ended, signal), ended.info, signal);
      if (this.#pending.size >= limits.bindConcurrency) break;
    }
  }

  async #endWait({ info, nodeName, bound, failure }: EndedWait, signal: AbortSignal): Promise<void> {
    if (failure === undefined) {
      const startedMs = this.#nowMs();
      const result = await this.#bind(info, nodeName, { bound, signal });
      return this.#tellEnd(info, result, startedMs);
    }
    await this.#binder.takeBack(info.pod, bound);
    await this.#writes.tellRefused(info, { message: failure, reason: 'SchedulerError' }, signal);
    throw new Error(failure);
  }

  /** A pod keeps the name of its scheduler. */
  #profileOf({ pod }: PodInfo): Profile {
    return this.#setup.profiles.get(schedulerOf(pod)) ?? defaultProfile;
  }

  #devicesOf(info: PodInfo): PodDevices | undefined {
    const { pod } = info;
    if (this.#profileOf(info).deviceBindingMs === undefined) return undefined;
    return devicesOf(pod, this.#cluster.objects, this.#cluster.devices);
  }

  async #refuse(info: PodInfo, failed: NoPlace, signal: AbortSignal): Promise<void> {
    this.#queue.park(info.uid, failed.run.refusedBy);
    const { message } = failed;
    if (this.#cluster.nodes.length === 0) return this.#writes.tellRefused(info, { message }, signal);
    const { preemption } = this.#profileOf(info);
    const found =
      preemption &&
      (this.#extenders.isEmpty
        ? findPreemption(failed, this.#cluster, preemption)
        : await this.#findPreemption(failed, preemption, signal));
    if (found) this.#figures?.preempts('room' in found ? found.victims.length : 0);
    if (found && 'room' in found)
      return this.#timed('PostFilter', info, this.#preempt(info, { found, message }, signal));
    if (found?.keepsNomination !== true) this.#cluster.forgetNomination(info.uid);
    const said = [await this.#freeMisplaced(failed, signal), found?.message].filter(
      (each) => each !== undefined,
    );
    const told = { message: said.length > 0 ? `${message} ${said.join(', ')}` : message };
    const outcome = found?.keepsNomination ? told : { ...told, nominatedNodeName: '' };
    await this.#writes.tellRefused(info, outcome, signal);
  }

  #findPreemption(failed: NoPlace, wanted: CandidatesEnough, signal: AbortSignal) {
    const { pod } = failed.run.info;
    const ask = (candidates: readonly Candidate[]) =>
      this.#extenders.preempt(pod, candidates, signal).catch((error: unknown) => {
        if (error instanceof ExtenderError) return error.message;
        throw error;
      });
    return findPreemptionWith(ask, failed, { cluster: this.#cluster, wanted });
  }

  /** Takes devices back that are where the pod can't be; what there is to say of it. */
  async #freeMisplaced({ run }: NoPlace, signal: AbortSignal): Promise<string | undefined> {
    const { info, nowhere } = run;
    if (this.#profileOf(info).deviceBindingMs === undefined) return undefined;
    const devices = this.#devicesOf(info);
    if (devices ? devices.message !== undefined : nowhere === undefined) return 'no new claims to deallocate';
    if (!devices) return undefined;
    const nodes = this.#cluster.nodes.flatMap(({ node }) => node ?? []);
    const { client } = this.#context.cluster;
    const claim = devices.misplaced(nodes);
    if (claim) {
      await deallocate(client, claim, signal);
      return 'deallocation of ResourceClaim completed';
    }
    if (!devices.leftover) return 'still not schedulable';
    await discardExtendedClaim(client, info.pod, devices.leftover);
    return 'deletion of ResourceClaim completed';
  }

  async #preempt(
    preemptor: PodInfo,
    { found: { room, victims }, message }: { found: Candidate; message: string },
    signal: AbortSignal,
  ): Promise<void> {
    const nodeName = room.name;
    // They may find another place sooner than room here.
    const outdone = this.#cluster
      .nominatedTo(nodeName)
      .filter(({ priority }) => priority < preemptor.priority);
    for (const other of outdone) {
      this.#cluster.forgetNomination(other.uid);
      if (this.#queue.get(other.uid)) this.#queue.add(other);
    }
    this.#cluster.nominate(preemptor, nodeName);
    await Promise.all([
      ...outdone.map((other) => this.#writes.clearNomination(other, signal)),
      ...victims.map((victim) => this.#writes.preempt(victim, { preemptor, nodeName }, signal)),
      this.#writes.tellRefused(preemptor, { message, nominatedNodeName: nodeName }, signal),
    ]);
  }
}

/** Pods of others never get here. */
const profileNameOf = ({ pod }: PodInfo): string => pod.spec?.schedulerName ?? 'default-scheduler';
