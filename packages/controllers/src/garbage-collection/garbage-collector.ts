import type { KubeObject, ResourceType } from '@wherry/client';
import { formatApiVersion } from '@wherry/kubeapi';
import type { Controller, ControllerContext } from '../controller.ts';
import { EventRecorder } from '../events.ts';
import { limits } from '../limits.ts';
import type { ServedKinds } from '../served-kinds.ts';
import { WorkQueue } from '../work-queue.ts';
import { finalizers, type GraphNode, isPlaced, isWithinReach, nodeOf, ObjectGraph } from './object-graph.ts';
import { ObjectMonitors } from './object-monitors.ts';
import { ObjectWrites } from './object-writes.ts';
import { type JudgedOwner, OwnerLookup } from './owner-lookup.ts';

/** Nobody owns an event, and an event owns nothing (upstream: DefaultIgnoredResources). */
const isIgnored = ({ plural }: ResourceType) => plural === 'events';

/**
 * Deletes objects all of whose owners are gone, and serves the finalizers of foreground and orphan deletion, for every
 * kind that the server serves (upstream: pkg/controller/garbagecollector). Nothing is deleted on a guess: an owner is
 * gone when the server, which serves its kind, says so; an object is deleted in the very state that was judged.
 */
export class GarbageCollector implements Controller {
  readonly #graph = new ObjectGraph();
  readonly #served: ServedKinds;
  readonly #monitors: ObjectMonitors;
  readonly #owners: OwnerLookup;
  readonly #writes: ObjectWrites;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #holdEnd: { cancel(): void };
  /** Looked at once the first lists are complete, so that few owners must be asked for. */
  #held: Set<string> | undefined = new Set();
  /** Objects with an owner of an unknown kind: looked at again when other kinds are served. */
  readonly #undecided = new Set<string>();

  constructor(context: ControllerContext) {
    const { client, clock, logger, served } = context;
    this.#served = served;
    this.#owners = new OwnerLookup({ client, graph: this.#graph, served });
    this.#writes = new ObjectWrites(client);
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'garbage-collector-controller' });
    const work = (uid: string, signal: AbortSignal) => this.#collect(uid, signal);
    this.#queue = new WorkQueue({ name: 'garbage collector', clock, logger, work });
    this.#monitors = new ObjectMonitors(context, {
      seen: (type, object) => this.#seen(type, object),
      gone: (_type, object) => this.#gone(object),
      unserved: (type) => this.#graph.forget(type),
      synced: () => this.#releaseWhenSynced(),
    });
    served.onChange(() => this.#follow());
    this.#holdEnd = clock.after(limits.firstListsMs, () => this.#release());
  }

  async close(): Promise<void> {
    this.#holdEnd.cancel();
    await Promise.all([this.#monitors.close(), this.#queue.close()]);
  }

  #follow(): void {
    const deletable = this.#served.withVerbs('delete', 'list', 'watch');
    this.#monitors.follow(deletable.filter((type) => !isIgnored(type)));
    for (const uid of this.#undecided) this.#add(uid);
    this.#undecided.clear();
  }

  #seen(type: ResourceType, object: KubeObject): void {
    const node = nodeOf(type, object);
    if (!node) return;
    const { previous, hasNewOwners } = this.#graph.put(node);
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

  #gone({ metadata }: KubeObject): void {
    const { uid = '', ownerReferences = [] } = metadata ?? {};
    this.#graph.remove(uid);
    this.#undecided.delete(uid);
    this.#addDependents(uid);
    for (const owner of ownerReferences) this.#addWaiting(owner.uid);
  }

  #add(uid: string): void {
    if (this.#held) this.#held.add(uid);
    else this.#queue.add(uid);
  }

  #addDependents(ownerUid: string): void {
    for (const { uid } of this.#graph.dependentsOf(ownerUid)) this.#add(uid);
  }

  /** A dependent went or let go: its owner may be waiting for that. */
  #addWaiting(ownerUid: string): void {
    if (this.#graph.get(ownerUid)?.waitsForDependents) this.#add(ownerUid);
  }

  /** An owner turns up elsewhere than its dependents say. */
  #addMisplaced(owner: GraphNode): void {
    for (const dependent of this.#graph.dependentsOf(owner.uid)) {
      const reference = dependent.owners.find(({ uid }) => uid === owner.uid)!;
      if (!isPlaced(dependent, reference, owner)) this.#add(dependent.uid);
      this.#reportStrangers(dependent, owner.uid);
    }
  }

  /** Says so where an owner is known to stand in another namespace. */
  #reportStrangers(dependent: GraphNode, onlyUid?: string): void {
    const { uid, name, namespace, type } = dependent;
    for (const reference of dependent.owners) {
      const owner = this.#graph.get(reference.uid);
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

  #releaseWhenSynced(): void {
    const isKnown = this.#served.withVerbs('list').length > 0;
    if (isKnown && this.#monitors.unsynced().length === 0) this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const uid of held ?? []) this.#queue.add(uid);
  }

  async #collect(uid: string, signal: AbortSignal): Promise<void> {
    const node = this.#graph.get(uid);
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
    const judged = await Promise.all(
      current.owners.map((owner) => this.#owners.judge(current, owner, signal)),
    );
    await this.#decide(current, live, judged, signal);
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
    const dependents = this.#graph.dependentsOf(node.uid);
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
    if (this.#isIncomplete(owner)) return;
    for (const dependent of this.#graph.dependentsOf(owner.uid))
      await this.#writes.dropOwners(dependent, [owner.uid], signal);
    await this.#writes.dropFinalizer(owner, finalizers.orphan, signal);
  }

  async #finishForeground(owner: GraphNode, signal: AbortSignal): Promise<void> {
    if (this.#isIncomplete(owner)) return;
    const blocking = this.#graph.blockingDependentsOf(owner.uid);
    if (blocking.length === 0) return this.#writes.dropFinalizer(owner, finalizers.foreground, signal);
    for (const { uid, waitsForDependents } of blocking) if (!waitsForDependents) this.#add(uid);
  }

  #isIncomplete(owner: GraphNode): boolean {
    const isIncomplete = this.#served.failed.length > 0 || this.#monitors.unsynced().length > 0;
    if (isIncomplete) this.#queue.addAfter(owner.uid, limits.incompleteRetryMs);
    return isIncomplete;
  }
}
