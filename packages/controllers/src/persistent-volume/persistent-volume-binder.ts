import { keyOf, kinds } from '@wherry/client';
import {
  hasReason,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
} from '@wherry/kubeapi/objects';
import { podClaims } from '@wherry/podrules';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder, type ObjectEvent } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { BindingWrites } from './binding-writes.ts';
import { syncClaim } from './sync-claim.ts';
import { syncVolume } from './sync-volume.ts';

const watches = {
  volumes: { type: kinds.persistentVolumes },
  claims: { type: kinds.persistentVolumeClaims },
  classes: { type: kinds.storageClasses },
  pods: { type: kinds.pods },
};
type Context = ControllerContext<typeof watches>;

/**
 * Finds volumes for claims and claims for volumes. Keys are names of volumes, and `namespace/name` of claims. It works on
 * one at a time: whatever it decides on an old object is refused by the server, and looked at again.
 */
export const persistentVolumeBinder = defineController({
  name: 'persistentvolume-binder-controller',
  account: 'persistent-volume-binder',
  watches,
  writes: ['persistentvolumes', 'persistentvolumes/status', 'persistentvolumeclaims', 'events'],
  concurrency: 1,
  build: (context) => new PersistentVolumeBinder(context),
});

class PersistentVolumeBinder implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly #recorder: EventRecorder;
  readonly #writes: BindingWrites;
  /** What was last told of each claim, by uid. */
  readonly #told = new Map<string, string>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    const { client, clock, logger } = context.cluster;
    const { claims } = context.informers;
    this.#context = context;
    this.#recorder = new EventRecorder({ client, clock, logger, component: 'persistentvolume-controller' });
    this.#writes = new BindingWrites(client);
    const pending = () =>
      [...claims.objects.values()].filter(({ status }) => status?.phase !== 'Bound').map(keyOf);
    this.keysOf = {
      volumes: (volume, change) => [
        ...this.#keysOfVolume(volume),
        ...(change === 'updated' ? [] : pending()),
      ],
      claims: (claim, change) => this.#keysOfClaim(claim, change === 'deleted'),
      classes: pending,
      pods: (pod) => this.#pendingOf(pod),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { volumes, claims, classes, pods } = this.#context.informers;
    if (!key.includes('/')) {
      const volume = volumes.objects.get(key);
      return volume && syncVolume(this.#volumeView(), volume, signal);
    }
    const claim = claims.objects.get(key);
    if (!claim) return;
    const view = {
      ...{ volumes: volumes.objects, claims: claims.objects, classes: classes.objects, pods: pods.objects },
      writes: this.#writes,
      volumeNow: (name: string, signal: AbortSignal) =>
        found(this.#context.cluster.client.resource(kinds.persistentVolumes).get({ name, signal })),
      tell: (about: PersistentVolumeClaim, event: ObjectEvent) => this.#tell(about, event),
    };
    await syncClaim(view, claim, signal);
  }

  /** A volume that became free is one for any claim that waits. */
  #keysOfVolume(volume: PersistentVolume): string[] {
    const { metadata, spec, status } = volume;
    const { namespace, name } = spec.claimRef ?? {};
    const claims = this.#context.informers.claims.objects;
    const isFree = status?.phase === 'Available' && !spec.claimRef;
    const waiting = isFree ? [...claims.values()].filter(({ spec }) => !spec.volumeName).map(keyOf) : [];
    return [metadata.name ?? '', ...(name === undefined ? [] : [`${namespace}/${name}`]), ...waiting];
  }

  #keysOfClaim(claim: PersistentVolumeClaim, isGone: boolean): string[] {
    const key = keyOf(claim);
    if (isGone) this.#told.delete(claim.metadata.uid ?? '');
    const volumes = [...this.#context.informers.volumes.objects.values()]
      .filter(({ spec: { claimRef } }) => claimRef && `${claimRef.namespace}/${claimRef.name}` === key)
      .map(({ metadata }) => metadata.name ?? '');
    const named = claim.spec.volumeName ? [claim.spec.volumeName] : [];
    return [...new Set([key, ...named, ...volumes])];
  }

  #pendingOf(pod: Pod): string[] {
    return podClaims(pod)
      .map(({ claimName }) => `${pod.metadata.namespace}/${claimName}`)
      .filter((key) => this.#context.informers.claims.objects.get(key)?.status?.phase === 'Pending');
  }

  #volumeView() {
    const { informers, cluster, queue } = this.#context;
    return {
      writes: this.#writes,
      // Only the server knows that a claim is gone: the informer may not have seen a new one yet.
      claimOf: async ({ spec: { claimRef } }: PersistentVolume, signal: AbortSignal) => {
        const { name = '', namespace, uid } = claimRef ?? {};
        const known = informers.claims.objects.get(`${namespace}/${name}`);
        if (known && known.metadata.uid === uid) return known;
        return found(cluster.client.resource(kinds.persistentVolumeClaims).get({ name, namespace, signal }));
      },
      tell: (volume: PersistentVolume, event: ObjectEvent) =>
        this.#recorder.recordOf(kinds.persistentVolumes, volume, event),
      tellClaim: (claim: PersistentVolumeClaim, event: ObjectEvent) => this.#tell(claim, event),
      wake: (claim: PersistentVolumeClaim) => queue.add(keyOf(claim)),
    };
  }

  #tell(claim: PersistentVolumeClaim, event: ObjectEvent): void {
    const { uid = '' } = claim.metadata;
    const text = `${event.reason}: ${event.message}`;
    if (this.#told.get(uid) === text) return;
    this.#told.set(uid, text);
    this.#recorder.recordOf(kinds.persistentVolumeClaims, claim, event);
  }
}

/** What was asked for, or undefined where the server has none. */
async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
