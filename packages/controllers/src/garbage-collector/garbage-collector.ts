import type { KubeObject, WorkQueue } from '@wherry/client';
import type { Timer } from '@wherry/clock';
import { formatApiVersion } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { finalizers, type GraphNode, isPlaced, isWithinReach, nodeOf } from '../owners/object-graph.ts';
import type { OwnerIndex, OwnerListener } from '../owners/owner-index.ts';
import { ObjectWrites } from './object-writes.ts';
import { type JudgedOwner, OwnerLookup } from './owner-lookup.ts';

/**
 * Deletes objects all of whose owners are gone, and serves the finalizers of foreground and orphan deletion, for every
 * kind that the server serves (upstream: pkg/controller/garbagecollector). Nothing is deleted on a guess: an owner is
 * gone when the server, which serves its kind, says so; an object is deleted in the very state that was judged. Keys
 * are uids.
 */
export const garbageCollector = defineController({
  name: 'garbage-collector-controller',
  account: 'generic-garbage-collector',
  watches: {},
  writes: ['*'],
  build: (context) => new GarbageCollector(context),
});

class GarbageCollector implements Reconciler, OwnerListener {
  readonly #index: OwnerIndex;
  readonly #owners: OwnerLookup;
  readonly #writes: ObjectWrites;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #holdEnd: Timer;
  /** Looked at once the first lists are complete, so that few owners must be asked for. */
  #held: Set<string> | undefined = new Set();
  /** Objects with an owner of an unknown kind: looked at again when other kinds are served. */
  readonly #undecided = new Set<string>();

  constructor({ cluster, queue }: ControllerContext) {
    const { client, clock, logger, served } = cluster;
    this.#index = cluster.owners;
    this.#owners = new OwnerLookup({ client, graph: this.#index.graph, served });
    this.#writes = new ObjectWrites(client);
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'garbage-collector-controller' });
    this.#queue = queue;
    this.#index.on(this);
    this.refill();
    this.#holdEnd = clock.after(limits.firstListsMs, () => this.#release());
  }

  close(): void {
    this.#holdEnd.cancel();
  }

  refill(): void {
    for (const node of this.#index.graph.nodes())
      if (node.owners.length > 0 || node.isBeingDeleted) this.#add(node.uid);
  }

  kindsChanged(): void {
    for (const uid of this.#undecided) this.#add(uid);
    this.#undecided.clear();
  }

  seen(node: GraphNode, change: { previous: GraphNode | undefined; hasNewOwners: boolean }): void {
    const { previous, hasNewOwners } = change;
    if (hasNewOwners && node.owners.length > 0) {
      this.#add(node.uid);
      this.#reportStrangers(node);
    }
    if (hasNewOwners) for (const { uid } of previous?.owners ?? []) this.#addWaiting(uid);
    if (!previous) this.#addMisplaced(node);
    if (!node.waitsForDependents && !node.waitsForOrphaning) return;
    this.#add(node.uid);
    if (node.waitsForDependents && !previous?.waitsForDependents) this.#addDependents(node.uid);
  }

  gone({ metadata }: KubeObject): void {
    const { uid = '', ownerReferences = [] } = metadata ?? {};
    this.#undecided.delete(uid);
    this.#addDependents(uid);
    for (const owner of ownerReferences) this.#addWaiting(owner.uid);
  }

  synced(): void {
    if (this.#index.isSynced) this.#release();
  }

  #add(uid: string): void {
    if (this.#held) this.#held.add(uid);
    else this.#queue.add(uid);
  }

  #addDependents(ownerUid: string): void {
    for (const { uid } of this.#index.graph.dependentsOf(ownerUid)) this.#add(uid);
  }

  /** A dependent went or let go: its owner may be waiting for that. */
  #addWaiting(ownerUid: string): void {
    if (this.#index.graph.get(ownerUid)?.waitsForDependents) this.#add(ownerUid);
  }

  /** An owner turns up elsewhere than its dependents say. */
  #addMisplaced(owner: GraphNode): void {
    for (const dependent of this.#index.graph.dependentsOf(owner.uid)) {
      const reference = dependent.owners.find(({ uid }) => uid === owner.uid)!;
      if (!isPlaced(dependent, reference, owner)) this.#add(dependent.uid);
      this.#reportStrangers(dependent, owner.uid);
    }
  }

  /** Says so where an owner is known to stand in another namespace. */
  #reportStrangers(dependent: GraphNode, onlyUid?: string): void {
    const { uid, name, namespace, type } = dependent;
    for (const reference of dependent.owners) {
      const owner = this.#index.graph.get(reference.uid);
      if (!owner || isWithinReach(dependent, owner) || (onlyUid && onlyUid !== owner.uid)) continue;
      const { apiVersion, kind, name: ownerName, uid: ownerUid } = reference;
      const text = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${ownerName}, uid: ${ownerUid}]`;
      const about = {
        apiVersion: formatApiVersion(type.group, type.version),
        kind: type.kind,
        ...{ name, namespace, uid },
      };
      const message = `ownerRef ${text} does not exist in namespace ${JSON.stringify(namespace)}`;
      this.#recorder.recordAbout(about, { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message });
    }
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const uid of held ?? []) this.#queue.add(uid);
  }

  async reconcile(uid: string, signal: AbortSignal): Promise<void> {
    const node = this.#index.graph.get(uid);
    if (!node) return;
    if (node.waitsForOrphaning) return this.#orphan(node, signal);
    if (node.waitsForDependents) return this.#finishForeground(node, signal);
    if (node.isBeingDeleted || node.owners.length === 0) return;
    // The graph is enough to leave an object alone; whatever is done to it rests on what the server says now.
    const isWell = node.owners.every((owner) => this.#owners.observed(node, owner)?.state === 'solid');
    if (isWell) return;
    const live = await this.#writes.find(node, signal);
    const current = live && nodeOf(node.type, live);
    if (!current || current.isBeingDeleted || current.owners.length === 0) return;
    await this.#decide(current, live, await this.#owners.judgeAll(current, signal), signal);
  }

  async #decide(
    node: GraphNode,
    live: KubeObject,
    judged: readonly JudgedOwner[],
    signal: AbortSignal,
  ): Promise<void> {
    const of = (state: JudgedOwner['state']) => judged.filter((owner) => owner.state === state);
    if (of('misplaced').length > 0) return;
    if (of('unknown').length > 0) {
      this.#undecided.add(node.uid);
      return;
    }
    // Of an owner that nobody watches no change will be reported.
    const isBlind = judged.some(({ state, isObserved }) => state !== 'absent' && !isObserved);
    if (isBlind) this.#queue.addAfter(node.uid, limits.ownerRecheckMs);
    const lost = [...of('absent'), ...of('waiting')].map(({ reference }) => reference.uid);
    if (of('solid').length > 0) {
      if (lost.length > 0) await this.#writes.dropOwners(node, lost, signal);
      return;
    }
    const dependents = this.#index.graph.dependentsOf(node.uid);
    if (of('waiting').length > 0 && dependents.length > 0) {
      // Owner and dependent of each other would wait for ever.
      if (dependents.some(({ waitsForDependents }) => waitsForDependents))
        await this.#writes.unblockOwners(node, signal);
      return this.#delete(node, live, 'Foreground', signal);
    }
    const kept = live.metadata?.finalizers ?? [];
    const isForeground = kept.includes(finalizers.foreground);
    const policy = kept.includes(finalizers.orphan) ? 'Orphan' : isForeground ? 'Foreground' : 'Background';
    return this.#delete(node, live, policy, signal);
  }

  async #delete(
    node: GraphNode,
    live: KubeObject,
    policy: 'Foreground' | 'Background' | 'Orphan',
    signal: AbortSignal,
  ): Promise<void> {
    const isDone = await this.#writes.delete(node, live, policy, signal);
    if (!isDone) this.#queue.addAfter(node.uid, limits.retryMs.initialMs);
  }

  async #orphan(owner: GraphNode, signal: AbortSignal): Promise<void> {
    // A dependent that is not known yet would lose its owner, and be deleted for it.
    if (!this.#index.isComplete) return this.#waitForMore(owner);
    for (const dependent of this.#index.graph.dependentsOf(owner.uid))
      await this.#writes.dropOwners(dependent, [owner.uid], signal);
    await this.#writes.dropFinalizer(owner, finalizers.orphan, signal);
  }

  async #finishForeground(owner: GraphNode, signal: AbortSignal): Promise<void> {
    // What nobody tells of is collected once it is told of: an extension server that is down must not keep every owner.
    if (!this.#index.isSettled) return this.#waitForMore(owner);
    const blocking = this.#index.graph.blockingDependentsOf(owner);
    if (blocking.length === 0) return this.#writes.dropFinalizer(owner, finalizers.foreground, signal);
    for (const { uid, waitsForDependents } of blocking) if (!waitsForDependents) this.#add(uid);
  }

  #waitForMore(owner: GraphNode): void {
    this.#queue.addAfter(owner.uid, limits.incompleteRetryMs);
  }
}
