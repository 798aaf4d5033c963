import { isDeepStrictEqual } from 'node:util';
import { controllerOf, keyOf, kinds } from '@wherry/client';
import { type Deployment, hasReason, matcherFrom, type Pod, type ReplicaSet } from '@wherry/kubeapi/objects';
import { isFinished } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { claim } from '../ownership/claim.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { type Owners, ownerKeys } from '../ownership/owner-keys.ts';
import {
  countedStatus,
  historyLimit,
  isComplete,
  pausedConditions,
  progressOf,
} from './deployment-status.ts';
import { ReplicaSetWrites } from './replica-set-writes.ts';
import { annotations, byRevision, countIn, partition, sizeOf, total } from './replica-sets.ts';
import { rollbackTo, rolledBack } from './rollback.ts';
import { currentSize, proportionalSizes, type Scaling, shrinkOld } from './rollout-sizes.ts';
import { progressDueMs, rolloutStatus } from './rollout-status.ts';

const watches = {
  deployments: { type: kinds.deployments },
  replicaSets: { type: kinds.replicaSets },
  pods: { type: kinds.pods },
};
type Context = ControllerContext<typeof watches>;

/** Keeps a replica set for each template that a deployment has had, and moves its pods to the newest one. */
export const deploymentController = defineController({
  name: 'deployment-controller',
  watches,
  writes: ['replicasets', 'deployments', 'deployments/status', 'events'],
  build: (context) => new DeploymentController(context),
});

/** What one look at a deployment works on. */
interface Turn {
  key: string;
  /** As the server has it. */
  stored: Deployment;
  /** Changes while the turn goes on; what is different at its end is written. */
  deployment: Deployment;
  current: ReplicaSet | undefined;
  old: ReplicaSet[];
  signal: AbortSignal;
}

class DeploymentController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #sets: ReplicaSetWrites;
  readonly #owners: Owners<Deployment>;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { cluster, informers } = context;
    const { client, clock, logger } = cluster;
    this.#context = context;
    this.#writes = new OwnWrites(clock);
    const recorder = new EventRecorder({ client, clock, logger, component: 'deployment-controller' });
    this.#sets = new ReplicaSetWrites({
      ...{ client, clock, recorder, sets: informers.replicaSets, writes: this.#writes },
    });
    const owners: Owners<Deployment> = {
      type: kinds.deployments,
      objects: informers.deployments.objects,
      matcherOf: ({ spec }) => matcherFrom(spec.selector),
    };
    this.#owners = owners;
    this.keysOf = {
      deployments: (deployment) => [keyOf(deployment)],
      replicaSets: (set, change, previous) => ownerKeys(owners, set, change, previous),
      // A deployment that recreates waits for the last pod to go.
      pods: (pod, change) => (change === 'deleted' ? this.#keysOfGone(pod) : []),
    };
  }

  #keysOfGone(pod: Pod): string[] {
    const { objects } = this.#context.informers.replicaSets;
    const set = objects.get(`${pod.metadata.namespace}/${controllerOf(pod)?.name}`);
    return set && controllerOf(pod)?.uid === set.metadata.uid ? ownerKeys(this.#owners, set, 'deleted') : [];
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const stored = this.#owners.objects.get(key);
    if (!stored) return this.#writes.forget(key);
    if (!this.#writes.areSeen(key)) return this.#context.queue.addAfter(key, limits.unseenPollMs);
    const deployment = structuredClone(stored);
    if (isDeepStrictEqual(deployment.spec.selector, {})) return this.#refuseAll(stored, deployment, signal);
    const sets = await this.#claim(deployment, signal);
    const turn: Turn = { key, stored, deployment, ...partition(deployment, sets), signal };
    try {
      await this.#roll(turn);
    } finally {
      if (!signal.aborted) await this.#store(turn);
    }
    this.#lookAgain(turn);
  }

  async #roll(turn: Turn): Promise<void> {
    const { deployment } = turn;
    if (deployment.metadata.deletionTimestamp) return this.#count(turn);
    const conditions = pausedConditions(deployment, this.#nowMs());
    if (conditions.length > 0) deployment.status = { ...deployment.status, conditions };
    if (turn.current) await this.#sets.sync(turn);
    if (!deployment.spec.paused && rollbackTo(deployment) !== undefined) return this.#rollBack(turn);
    if (deployment.spec.paused || isBeingScaled(turn)) {
      const { scalings, isForced } = proportionalSizes(deployment, turn.current, turn.old);
      await this.#scaleAll(turn, scalings, isForced);
      if (deployment.spec.paused && rollbackTo(deployment) === undefined) await this.#cleanUp(turn);
      return this.#count(turn);
    }
    if (deployment.spec.strategy?.type === 'Recreate') await this.#recreate(turn);
    else await this.#replaceSlowly(turn);
    deployment.status = rolloutStatus(deployment, turn.current, setsOf(turn), this.#nowMs());
  }

  /** Sets move in later turns, when the deployment asks for no rollback any more. */
  async #rollBack(turn: Turn): Promise<void> {
    const { deployment, key, signal } = turn;
    turn.current ??= await this.#sets.create(turn);
    const { deployment: next, event } = rolledBack(deployment, setsOf(turn));
    const { status } = deployment;
    const updated = await this.#context.cluster.client.resource(kinds.deployments).update(next, { signal });
    this.#writes.wrote(key, this.#context.informers.deployments, updated);
    this.#sets.tell(deployment, event);
    turn.stored = updated;
    turn.deployment = { ...updated, ...(status ? { status } : {}) };
  }

  async #replaceSlowly(turn: Turn): Promise<void> {
    const { deployment } = turn;
    turn.current ??= await this.#sets.create(turn);
    const { current } = turn;
    const size = currentSize(deployment, setsOf(turn), sizeOf(current));
    if (await this.#scaleAll(turn, [{ set: current, size }])) return;
    if (await this.#scaleAll(turn, shrinkOld(deployment, current, turn.old))) return;
    if (isComplete(deployment, deployment.status)) await this.#cleanUp(turn);
  }

  async #recreate(turn: Turn): Promise<void> {
    const { deployment } = turn;
    const shrunk = await this.#scaleAll(
      turn,
      turn.old.map((set) => ({ set, size: 0 })),
    );
    if (shrunk || this.#hasOldPods(turn)) return;
    turn.current ??= await this.#sets.create(turn);
    await this.#scaleAll(turn, [{ set: turn.current, size: deployment.spec.replicas ?? 1 }]);
    if (isComplete(deployment, deployment.status)) await this.#cleanUp(turn);
  }

  #hasOldPods({ old }: Turn): boolean {
    if (total(old, ({ status }) => status?.replicas ?? 0) > 0) return true;
    const { pods } = this.#context.informers;
    return old.some(({ metadata }) => pods.controlledBy(metadata.uid).some((pod) => !isFinished(pod)));
  }

  /** Whether a size changed; the sets of the turn are the changed ones afterwards. */
  async #scaleAll(turn: Turn, scalings: readonly Scaling[], isForced = false): Promise<boolean> {
    let isScaled = false;
    for (const { set, size } of scalings) {
      if (!isForced && size === sizeOf(set)) continue;
      const changed = await this.#sets.scale(turn, set, size);
      isScaled ||= sizeOf(changed) !== sizeOf(set);
      if (turn.current === set) turn.current = changed;
      turn.old = turn.old.map((each) => (each === set ? changed : each));
    }
    return isScaled;
  }

  /** Deletes the oldest of too many old replica sets that are empty. */
  async #cleanUp({ deployment, old, signal }: Turn): Promise<void> {
    const limit = historyLimit(deployment);
    if (limit === undefined) return;
    const alive = old.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byRevision);
    const surplus = alive.slice(0, Math.max(0, alive.length - limit));
    for (const set of surplus) {
      const { generation = 0 } = set.metadata;
      const isEmpty = sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0;
      if (isEmpty && generation <= (set.status?.observedGeneration ?? 0))
        await this.#sets.delete(set, signal);
    }
  }

  #claim(deployment: Deployment, signal: AbortSignal): Promise<ReplicaSet[]> {
    const { replicaSets } = this.#context.informers;
    const { uid, namespace = '' } = deployment.metadata;
    return claim([...replicaSets.controlledBy(uid), ...replicaSets.uncontrolledIn(namespace)], {
      ...{ owner: deployment, ownerType: kinds.deployments, type: kinds.replicaSets, signal },
      client: this.#context.cluster.client,
      matcher: matcherFrom(deployment.spec.selector),
      wrote: (set) => this.#writes.wrote(keyOf(deployment), replicaSets, set),
    });
  }

  #count(turn: Turn): void {
    const { deployment, current } = turn;
    deployment.status = countedStatus(deployment, current, setsOf(turn), this.#nowMs());
  }

  async #refuseAll(stored: Deployment, deployment: Deployment, signal: AbortSignal): Promise<void> {
    this.#sets.tell(deployment, {
      type: 'Warning',
      reason: 'SelectingAll',
      message: 'This deployment is selecting all pods. A non-empty selector is required.',
    });
    const { generation = 0 } = deployment.metadata;
    deployment.status = { ...deployment.status, observedGeneration: generation };
    await this.#store({ key: keyOf(stored), stored, deployment, current: undefined, old: [], signal });
  }

  /** One write for status and revision, where upstream makes several. */
  async #store({ key, stored, deployment, signal }: Turn): Promise<void> {
    if (isDeepStrictEqual(stored, deployment)) return;
    const resource = this.#context.cluster.client.resource(kinds.deployments);
    try {
      const updated = await resource.update(deployment, { subresource: 'status', signal });
      this.#writes.wrote(key, this.#context.informers.deployments, updated);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }

  /** Nothing tells that nothing happens: the deadline of progress must be waited for. */
  #lookAgain({ key, deployment }: Turn): void {
    const dueMs = progressDueMs(deployment, progressOf(deployment.status));
    const waitMs = dueMs + 1_000 - this.#nowMs();
    if (Number.isFinite(waitMs) && waitMs > 0 && !deployment.spec.paused)
      this.#context.queue.addAfter(key, waitMs);
  }

  #nowMs(): number {
    return this.#context.cluster.clock.nowMs();
  }
}

function setsOf({ current, old }: Turn): ReplicaSet[] {
  return current ? [...old, current] : old;
}

/** Whether an active replica set was last sized for another number of pods. */
function isBeingScaled(turn: Turn): boolean {
  return setsOf(turn).some((set) => {
    const desired = sizeOf(set) > 0 ? countIn(set, annotations.desiredReplicas) : undefined;
    return desired !== undefined && desired !== (turn.deployment.spec.replicas ?? 1);
  });
}
