import { isDeepStrictEqual } from 'node:util';
import { keyOf, kinds } from '@wherry/client';
import { type DaemonSet, matcherFrom, type Node, type Pod } from '@wherry/kubeapi/objects';
import { podAvailableInMs } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { claim } from '../ownership/claim.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { type Owners, ownerKeys } from '../ownership/owner-keys.ts';
import { isNamespaceGoing, PodWriter } from '../ownership/pod-writes.ts';
import { slowStart } from '../ownership/slow-start.ts';
import { DaemonHistory, hashOf } from './daemon-history.ts';
import { type DaemonFacts, type DaemonPlan, daemonStatus, planPlaces, planUpdate } from './daemon-plan.ts';
import { daemonPod } from './daemon-pod.ts';
import { FailureBackoff } from './failure-backoff.ts';

const watches = {
  sets: { type: kinds.daemonSets },
  pods: { type: kinds.pods },
  nodes: { type: kinds.nodes },
  revisions: { type: kinds.controllerRevisions },
};
type Context = ControllerContext<typeof watches>;

/** Keeps a pod on each node that a set is meant for. */
export const daemonSetController = defineController({
  name: 'daemonset-controller',
  account: 'daemon-set-controller',
  watches,
  writes: ['pods', 'controllerrevisions', 'daemonsets/status', 'events'],
  build: (context) => new DaemonSetController(context),
});

class DaemonSetController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #history: DaemonHistory;
  readonly #writer: PodWriter;
  readonly #owners: Owners<DaemonSet>;
  /** By set and node. */
  readonly #failures = new FailureBackoff();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { cluster, informers } = context;
    const { client } = cluster;
    this.#context = context;
    this.#writes = new OwnWrites(cluster.clock);
    const shared = { writes: this.#writes, ownerType: kinds.daemonSets };
    this.#history = new DaemonHistory({ ...shared, client, revisions: informers.revisions });
    const component = 'daemonset-controller';
    this.#writer = new PodWriter({ ...shared, cluster, pods: informers.pods, component });
    const owners: Owners<DaemonSet> = {
      type: kinds.daemonSets,
      objects: informers.sets.objects,
      matcherOf: ({ spec }) => matcherFrom(spec.selector),
    };
    this.#owners = owners;
    this.keysOf = {
      sets: (set) => [keyOf(set)],
      pods: (pod, change, previous) => ownerKeys(owners, pod, change, previous),
      nodes: (node, change, previous) => this.#keysOfNode(node, change, previous),
      // One that is deleted is made again; an orphan may be adopted.
      revisions: (revision, change, previous) => ownerKeys(owners, revision, change, previous),
    };
  }

  /** What a node says of itself every few seconds concerns nobody. */
  #keysOfNode(node: Node, change: Change, previous?: Node): Iterable<string> {
    const places = ({ metadata, spec }: Node) => [metadata.labels, spec?.taints];
    const isSame = change === 'updated' && previous && isDeepStrictEqual(places(node), places(previous));
    return isSame ? [] : this.#owners.objects.keys();
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const set = this.#owners.objects.get(key);
    if (!set) return this.#writes.forget(key);
    if (isDeepStrictEqual(set.spec.selector, {})) return this.#refuseAll(set);
    if (set.metadata.deletionTimestamp) return;
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const pods = await this.#claim(set, signal);
    const { revision, old, collisionCount } = await this.#history.of(set, pods, signal);
    const hash = hashOf(revision);
    const nodes = [...informers.nodes.objects.values()];
    const facts: DaemonFacts = { set, nodes, pods, hash, nowMs: cluster.clock.nowMs() };
    const places = this.#withPatience(facts, planPlaces(facts));
    const isSettled = places.add.length + places.remove.length + places.ended.length === 0;
    const failure = await this.#apply(facts, isSettled ? planUpdate(facts) : places, signal);
    await this.#report(facts, collisionCount, signal);
    if (failure !== undefined) throw failure;
    await this.#history.truncate(set, old, pods, signal);
    this.#lookAgain(key, facts, places.waitMs);
  }

  /** A pod that has failed is left for a while, longer after each failure on its node; `waitMs` = until the first may go. */
  #withPatience({ set, nowMs }: DaemonFacts, plan: DaemonPlan): DaemonPlan & { waitMs: number } {
    let firstMs = Number.POSITIVE_INFINITY;
    const ended = plan.ended.filter((pod) => {
      const { namespace, name } = pod.metadata;
      const hasFailed = pod.status?.phase === 'Failed';
      const end = `${hasFailed ? 'failed' : 'succeeded'} daemon pod ${namespace}/${name}`;
      const found = `Found ${end} on node ${pod.spec?.nodeName}`;
      if (!hasFailed) {
        this.#tell(set, 'Normal', 'SucceededDaemonPod', `${found}, will try to delete it`);
        return true;
      }
      // Another template is another try.
      const key = `${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${pod.spec?.nodeName}`;
      const waitMs = this.#failures.waitMs(key, nowMs);
      firstMs = waitMs > 0 ? Math.min(firstMs, waitMs) : firstMs;
      if (waitMs === 0) this.#tell(set, 'Warning', 'FailedDaemonPod', `${found}, will try to kill it`);
      return waitMs === 0;
    });
    return { ...plan, ended, waitMs: firstMs };
  }

  async #apply({ set, hash }: DaemonFacts, plan: DaemonPlan, signal: AbortSignal): Promise<unknown> {
    const add = plan.add.slice(0, limits.burstReplicas);
    const made = await slowStart(add.length, async (index) => {
      await this.#writer.create(set, daemonPod(set, add[index]!, hash), signal).catch((error: unknown) => {
        if (!isNamespaceGoing(error)) throw error;
      });
    });
    const results = await Promise.allSettled(
      [...plan.ended, ...plan.remove]
        .slice(0, limits.burstReplicas)
        .map((pod) => this.#writer.delete(set, pod, signal)),
    );
    return made.error ?? results.find((result) => result.status === 'rejected')?.reason;
  }

  #claim(set: DaemonSet, signal: AbortSignal): Promise<Pod[]> {
    const { pods } = this.#context.informers;
    const { uid, namespace = '' } = set.metadata;
    return claim([...pods.controlledBy(uid), ...pods.uncontrolledIn(namespace)], {
      ...{ owner: set, ownerType: kinds.daemonSets, type: kinds.pods, signal },
      client: this.#context.cluster.client,
      matcher: matcherFrom(set.spec.selector),
      wrote: (pod) => this.#writes.wrote(keyOf(set), pods, pod),
    });
  }

  async #report(facts: DaemonFacts, collisionCount: number, signal: AbortSignal): Promise<void> {
    const { set } = facts;
    const status = daemonStatus(facts, collisionCount);
    if (isDeepStrictEqual(status, set.status)) return;
    const resource = this.#context.cluster.client.resource(kinds.daemonSets);
    const updated = await resource.update({ ...set, status }, { subresource: 'status', signal });
    this.#writes.wrote(keyOf(set), this.#context.informers.sets, updated);
  }

  #lookAgain(key: string, { set, pods, nowMs }: DaemonFacts, waitMs: number): void {
    const { minReadySeconds = 0 } = set.spec;
    const waits = pods.map((pod) => podAvailableInMs(pod, minReadySeconds, nowMs) ?? 0);
    const next = Math.min(waitMs, ...waits.filter((wait) => wait > 0));
    if (Number.isFinite(next)) this.#context.queue.addAfter(key, next);
  }

  #refuseAll(set: DaemonSet): void {
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
    this.#tell(set, 'Warning', 'SelectingAll', message);
  }

  #tell(set: DaemonSet, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#writer.recorder.recordOf(kinds.daemonSets, set, { type, reason, message });
  }
}
