import { keyOf, kinds } from '@wherry/client';
import type { Pod, ResourceSlice, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { isFinished, podDeviceClaims } from '@wherry/podrules';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { disruptPod } from '../machinery/disrupt-pod.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { evictionTimeMs } from './eviction-time.ts';
import { SlicePools } from './slice-pools.ts';

const watches = {
  pods: { type: kinds.pods },
  claims: { type: kinds.resourceClaims },
  slices: { type: kinds.resourceSlices },
};

/** Deletes pods whose devices got a `NoExecute` taint, once their claims tolerate it no longer. Keys are those of pods. */
export const deviceTaintEviction = defineController({
  name: 'device-taint-eviction-controller',
  watches,
  writes: ['pods', 'pods/status', 'events'],
  build: (context) => new DeviceTaintEviction(context),
});

class DeviceTaintEviction implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #recorder: EventRecorder;
  readonly #pools = new SlicePools();
  /** Pods that name claims, by key. */
  readonly #users = new Map<string, Pod>();
  /** Pods that have been told that they will go, by uid. */
  readonly #waiting = new Set<string>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: ControllerContext<typeof watches>) {
    this.#context = context;
    this.#recorder = new EventRecorder({ ...context.cluster, component: 'device-taint-eviction' });
    this.keysOf = {
      pods: (pod, change) => this.#podChanged(pod, change),
      claims: (claim) => this.#usersOf(claim),
      slices: (slice, change, previous) => {
        if (change === 'deleted') this.#pools.delete(slice);
        else this.#pools.put(slice, previous);
        return this.#holdersIn(slice, previous);
      },
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { cluster, informers, queue } = this.#context;
    const pod = informers.pods.objects.get(key);
    if (!pod || pod.metadata.deletionTimestamp || isFinished(pod)) return;
    const { uid = '' } = pod.metadata;
    const atMs = evictionTimeMs(pod, { claims: informers.claims.objects, pools: this.#pools });
    if (atMs === undefined) {
      if (this.#waiting.delete(uid)) this.#tell(pod, 'Cancelling deletion');
      return;
    }
    const waitMs = atMs - cluster.clock.nowMs();
    if (waitMs > 0) {
      this.#waiting.add(uid);
      queue.addAfter(key, waitMs);
      return;
    }
    this.#tell(pod, 'Marking for deletion');
    await this.#evict(pod, signal);
  }

  #podChanged(pod: Pod, change: Change): string[] {
    if (podDeviceClaims(pod).length === 0) return [];
    if (change !== 'deleted') this.#users.set(keyOf(pod), pod);
    else {
      this.#users.delete(keyOf(pod));
      this.#waiting.delete(pod.metadata.uid ?? '');
    }
    return [keyOf(pod)];
  }

  #usersOf({ metadata }: ResourceV1ResourceClaim): string[] {
    const uses = (pod: Pod) =>
      pod.metadata.namespace === metadata.namespace &&
      podDeviceClaims(pod).some(({ claimName }) => claimName === metadata.name);
    return [...this.#users.values()].filter(uses).map(keyOf);
  }

  /** The pods with devices of the slice's pool: a new generation may tell of other devices. */
  #holdersIn({ spec }: ResourceSlice, previous: ResourceSlice | undefined): string[] {
    const isTainted = [spec, previous?.spec].some((each) =>
      each?.devices?.some(({ taints = [] }) => taints.some(({ effect }) => effect === 'NoExecute')),
    );
    if (!isTainted && previous && previous.spec.pool.generation === spec.pool.generation) return [];
    const isIn = ({ status }: ResourceV1ResourceClaim) =>
      status?.allocation?.devices?.results?.some(
        ({ driver, pool }) => driver === spec.driver && pool === spec.pool.name,
      );
    const claims = [...this.#context.informers.claims.objects.values()].filter(isIn);
    return [...new Set(claims.flatMap((claim) => this.#usersOf(claim)))];
  }

  #tell(pod: Pod, message: string): void {
    this.#recorder.record(pod, { type: 'Normal', reason: 'DeviceTaintManagerEviction', message });
  }

  async #evict(pod: Pod, signal: AbortSignal): Promise<void> {
    try {
      await disruptPod(this.#context.cluster, pod, {
        reason: 'DeletionByDeviceTaintManager',
        message: 'Device Taint manager: deleting due to NoExecute taint',
        signal,
      });
    } catch (error) {
      // What has changed comes again.
      if (!isLateWrite(error)) throw error;
    }
  }
}
