import { isDeepStrictEqual } from 'node:util';
import { controllerOf, kinds } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi/objects';
import { isFinished, podAvailableInMs } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { type ControllerDefinition, defineController } from '../machinery/run-controller.ts';
import { claim } from '../ownership/claim.ts';
import { inDeletionOrder, isActive } from '../ownership/deletion-order.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { type Owners, ownerKeys } from '../ownership/owner-keys.ts';
import { isNamespaceGoing, PodWriter, podFromTemplate } from '../ownership/pod-writes.ts';
import { slowStart } from '../ownership/slow-start.ts';
import type { Watch } from '../watching/shared-informers.ts';
import { replicaStatus } from './replica-status.ts';
import { type Replicated, type ReplicatedKind, replicaSets, replicationControllers } from './replicated.ts';

type ReplicaWatches<T extends Replicated> = { owners: Watch<T>; pods: Watch<Pod> };

/** Keeps as many pods of a template as each object of that kind asks for. */
function defineReplicaController<T extends Replicated>(kind: ReplicatedKind<T>): ControllerDefinition {
  return defineController<ReplicaWatches<T>>({
    name: kind.name,
    account: kind.component,
    watches: { owners: { type: kind.type }, pods: { type: kinds.pods } },
    writes: ['pods', 'events', `${kind.type.plural}/status`],
    build: (context) => new ReplicaController(kind, context),
  });
}

/** The `replicaset-controller`. */
export const replicaSetController = defineReplicaController(replicaSets);

/** The `replicationcontroller-controller`. */
export const replicationControllerController = defineReplicaController(replicationControllers);

class ReplicaController<T extends Replicated> implements Reconciler<ReplicaWatches<T>> {
  readonly #kind: ReplicatedKind<T>;
  readonly #context: ControllerContext<ReplicaWatches<T>>;
  readonly #writes: OwnWrites;
  readonly #pods: PodWriter;
  readonly #owners: Owners<T>;
  readonly keysOf: Reconciler<ReplicaWatches<T>>['keysOf'];

  constructor(kind: ReplicatedKind<T>, context: ControllerContext<ReplicaWatches<T>>) {
    const { cluster, informers } = context;
    const { type, component, matcherOf } = kind;
    this.#kind = kind;
    this.#context = context;
    this.#writes = new OwnWrites(cluster.clock);
    this.#pods = new PodWriter({
      ...{ cluster, component, ownerType: type, pods: informers.pods, writes: this.#writes },
    });
    const owners: Owners<T> = { type, objects: informers.owners.objects, matcherOf };
    this.#owners = owners;
    this.keysOf = {
      owners: (object) => [nameOf(object)],
      pods: (pod: Pod, change: Change, previous?: Pod) => ownerKeys(owners, pod, change, previous),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const owner = this.#owners.objects.get(key);
    if (!owner) return this.#writes.forget(key);
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const { uid, namespace = '' } = owner.metadata;
    const candidates = [...informers.pods.controlledBy(uid), ...informers.pods.uncontrolledIn(namespace)];
    const active = await this.#claim(owner, candidates.filter(isActive), signal);
    const failure = owner.metadata.deletionTimestamp ? {} : await this.#scale(owner, active, signal);
    const nowMs = cluster.clock.nowMs();
    await this.#report(owner, { active, candidates, failure: failure.error, nowMs }, signal);
    if (failure.error !== undefined) throw failure.error;
    const { minReadySeconds = 0 } = owner.spec;
    const waits = active.map((pod) => podAvailableInMs(pod, minReadySeconds, nowMs) ?? 0);
    const next = Math.min(...waits.filter((wait) => wait > 0));
    if (Number.isFinite(next)) queue.addAfter(key, next);
  }

  #claim(owner: T, pods: readonly Pod[], signal: AbortSignal): Promise<Pod[]> {
    const { type, matcherOf } = this.#kind;
    return claim(pods, {
      ...{ owner, ownerType: type, type: kinds.pods, matcher: matcherOf(owner), signal },
      client: this.#context.cluster.client,
      wrote: (pod) => this.#writes.wrote(nameOf(owner), this.#context.informers.pods, pod),
    });
  }

  /** Creates or deletes pods; answers what kept it from doing so. */
  async #scale(owner: T, active: readonly Pod[], signal: AbortSignal): Promise<{ error?: unknown }> {
    const missing = (owner.spec.replicas ?? 1) - active.length;
    if (missing > 0) {
      return slowStart(Math.min(missing, limits.burstReplicas), async () => {
        const pod = podFromTemplate(owner.spec.template ?? {}, owner, this.#kind.type);
        await this.#pods.create(owner, pod, signal).catch((error: unknown) => {
          if (!isNamespaceGoing(error)) throw error;
        });
      });
    }
    const surplus = Math.min(-missing, limits.burstReplicas);
    const ordered = inDeletionOrder(active, this.#relatives(owner), this.#context.cluster.clock.nowMs());
    const results = await Promise.allSettled(
      ordered.slice(0, surplus).map((pod) => this.#pods.delete(owner, pod, signal)),
    );
    const failed = results.find((result) => result.status === 'rejected');
    return failed ? { error: failed.reason } : {};
  }

  /** The pods of all that have the same controller as this one: of one Deployment's replica sets. */
  #relatives(owner: T): Pod[] {
    const { owners, pods } = this.#context.informers;
    const siblings = controllerOf(owner) ? owners.controlledBy(controllerOf(owner)?.uid) : [];
    return siblings.flatMap(({ metadata }) => pods.controlledBy(metadata.uid));
  }

  async #report(
    owner: T,
    facts: { active: readonly Pod[]; candidates: readonly Pod[]; failure: unknown; nowMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { countsTerminating, matcherOf, type } = this.#kind;
    const isLeaving = (pod: Pod) =>
      pod.metadata.deletionTimestamp !== undefined &&
      !isFinished(pod) &&
      controllerOf(pod)?.uid === owner.metadata.uid &&
      matcherOf(owner).matches(pod.metadata.labels);
    const terminating = countsTerminating ? facts.candidates.filter(isLeaving) : undefined;
    const status = replicaStatus(owner, { ...facts, terminating });
    if (isDeepStrictEqual(status, owner.status)) return;
    const options = { subresource: 'status', signal };
    const resource = this.#context.cluster.client.resource(type);
    const updated = await resource.update({ ...owner, status }, options);
    this.#writes.wrote(nameOf(owner), this.#context.informers.owners, updated);
  }
}

function nameOf({ metadata }: Replicated): string {
  return `${metadata.namespace}/${metadata.name}`;
}
