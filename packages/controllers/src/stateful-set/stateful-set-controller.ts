import { isDeepStrictEqual } from 'node:util';
import { keyOf, kinds } from '@wherry/client';
import {
  type ControllerRevision,
  matcherFrom,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '@wherry/kubeapi/objects';
import { podAvailableInMs } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { claim } from '../ownership/claim.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { type Owners, ownerKeys } from '../ownership/owner-keys.ts';
import { type PodWording, PodWriter } from '../ownership/pod-writes.ts';
import { RevisionHistory, templateOf } from '../ownership/revision-history.ts';
import { isClaimName, ordinalOf } from './identity.ts';
import { StatefulClaims } from './stateful-claims.ts';
import { StatefulPods } from './stateful-pods.ts';
import { podRevision, statefulSetStatus } from './stateful-set-status.ts';

const watches = {
  sets: { type: kinds.statefulSets },
  pods: { type: kinds.pods },
  claims: { type: kinds.persistentVolumeClaims },
  revisions: { type: kinds.controllerRevisions },
};
type Context = ControllerContext<typeof watches>;

/** Keeps pods that have names, places in a row and claims of their own. */
export const statefulSetController = defineController({
  name: 'statefulset-controller',
  watches,
  writes: ['pods', 'persistentvolumeclaims', 'controllerrevisions', 'statefulsets/status', 'events'],
  build: (context) => new StatefulSetController(context),
});

const wording: PodWording = {
  done: (verb, pod, set) => `${verb} Pod ${pod} in StatefulSet ${set} successful`,
  failed: (verb, pod, set, why) => `${verb} Pod ${pod} in StatefulSet ${set} failed error: ${why}`,
};

class StatefulSetController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #writes: OwnWrites;
  readonly #history: RevisionHistory;
  readonly #pods: StatefulPods;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { cluster, informers } = context;
    const { client } = cluster;
    const { pods, claims, revisions, sets } = informers;
    this.#context = context;
    this.#writes = new OwnWrites(cluster.clock);
    const shared = { writes: this.#writes, ownerType: kinds.statefulSets };
    const hashLabel = 'controller.kubernetes.io/hash';
    this.#history = new RevisionHistory({ ...shared, client, revisions, hashLabel });
    const writer = new PodWriter({ ...shared, cluster, pods, wording, component: 'statefulset-controller' });
    const { recorder } = writer;
    this.#pods = new StatefulPods({
      ...{ client, writer, claims: new StatefulClaims({ client, recorder, claims }) },
    });
    const owners: Owners<StatefulSet> = {
      type: kinds.statefulSets,
      objects: sets.objects,
      matcherOf: ({ spec }) => matcherFrom(spec.selector),
    };
    this.keysOf = {
      sets: (set) => [keyOf(set)],
      pods: (pod, change, previous) => ownerKeys(owners, pod, change, previous),
      // A pod may have waited for it to go.
      claims: (claim, change) => (change === 'deleted' ? this.#keysOfGone(claim) : []),
    };
  }

  #keysOfGone({ metadata }: PersistentVolumeClaim): string[] {
    const { name = '', namespace } = metadata;
    const sets = [...this.#context.informers.sets.objects.values()];
    return sets.filter((set) => set.metadata.namespace === namespace && isClaimName(set, name)).map(keyOf);
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    const set = informers.sets.objects.get(key);
    if (!set) return this.#writes.forget(key);
    if (!this.#writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
    const nowMs = cluster.clock.nowMs();
    const pods = await this.#claim(set, signal);
    const known = await this.#history.list(set, matcherFrom(set.spec.selector), signal);
    const { revision: update, collisionCount } = await this.#history.sync(set, known, {
      collisionCount: set.status?.collisionCount ?? 0,
      signal,
    });
    const current = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const turn = { set, pods, nowMs, signal, current: versionOf(current), update: versionOf(update) };
    let failure: unknown;
    const after = set.metadata.deletionTimestamp
      ? pods
      : await this.#pods.establish(turn).catch((error: unknown) => {
          failure = error;
          return pods;
        });
    const names = { current: turn.current.revision, update: turn.update.revision };
    await this.#report(set, statefulSetStatus(set, after, { ...names, collisionCount, nowMs }), signal);
    const live = new Set([names.current, names.update, ...pods.map(podRevision)]);
    const { revisionHistoryLimit: limit = 10 } = set.spec;
    // Nobody checks it here: less than none keeps them all, as upstream.
    const kept = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    await this.#history.truncate(known, { live, kept, signal });
    if (failure !== undefined) throw failure;
    const { minReadySeconds = 0 } = set.spec;
    const waits = pods.map((pod) => podAvailableInMs(pod, minReadySeconds, nowMs) ?? 0);
    const next = Math.min(...waits.filter((wait) => wait > 0));
    if (Number.isFinite(next)) queue.addAfter(key, next);
  }

  #claim(set: StatefulSet, signal: AbortSignal): Promise<Pod[]> {
    const { pods } = this.#context.informers;
    const { uid, namespace = '' } = set.metadata;
    return claim([...pods.controlledBy(uid), ...pods.uncontrolledIn(namespace)], {
      ...{ owner: set, ownerType: kinds.statefulSets, type: kinds.pods, signal },
      client: this.#context.cluster.client,
      matcher: matcherFrom(set.spec.selector),
      mayAdopt: (pod) => ordinalOf(set, pod) !== undefined,
      wrote: (pod) => this.#writes.wrote(keyOf(set), pods, pod),
    });
  }

  async #report(set: StatefulSet, status: StatefulSet['status'], signal: AbortSignal): Promise<void> {
    const { conditions } = set.status ?? {};
    const next = { ...status!, ...(conditions ? { conditions } : {}) };
    if (isDeepStrictEqual(next, set.status)) return;
    const resource = this.#context.cluster.client.resource(kinds.statefulSets);
    const updated = await resource.update({ ...set, status: next }, { subresource: 'status', signal });
    this.#writes.wrote(keyOf(set), this.#context.informers.sets, updated);
  }
}

function versionOf(revision: ControllerRevision) {
  return { revision: revision.metadata.name ?? '', template: templateOf(revision) };
}
