import type { ResourceRequirements } from '@wherry/kubeapi';
import { type Allocation, withAllocation } from '../pod/allocation.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';

/** Where allocations are kept over restarts. */
export interface AllocationStore {
  of(uid: string): Allocation | undefined;
  set(uid: string, allocation: Allocation): void;
  keep(isKept: (uid: string) => boolean): void;
  setContainer(uid: string, name: string, resources: ResourceRequirements): void;
  setPod(uid: string, resources: ResourceRequirements | undefined): void;
  /** Resolves when all that was set would be known after a restart. */
  written(): Promise<void>;
}

/** What this node has granted to each pod: what it is run with, whatever it asks for by now. */
export class Allocations {
  readonly #store: AllocationStore;
  readonly #given = new WeakMap<AssignedPod, { allocation: Allocation | undefined; pod: AssignedPod }>();

  constructor(store: AllocationStore) {
    this.#store = store;
  }

  /** The pod with the resources that were granted to it: the same object where it asks for just these. */
  given(pod: AssignedPod): AssignedPod {
    const allocation = this.#store.of(pod.metadata.uid);
    const known = this.#given.get(pod);
    if (known && known.allocation === allocation) return known.pod;
    const given = withAllocation(pod, allocation);
    this.#given.set(pod, { allocation, pod: given });
    return given;
  }

  knows(uid: string): boolean {
    return this.#store.of(uid) !== undefined;
  }

  set(uid: string, allocation: Allocation): void {
    this.#store.set(uid, allocation);
  }

  /** Resolves when all that was granted would be known after a restart. */
  written(): Promise<void> {
    return this.#store.written();
  }

  /** Forgets all pods but those that are kept. */
  keep(isKept: (uid: string) => boolean): void {
    this.#store.keep(isKept);
  }
}
