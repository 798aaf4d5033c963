import type { AllocationResult, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';

/** What the scheduler has given to claims and the watch has not shown yet. */
export class DeviceLedger {
  readonly #pending = new Map<string, AllocationResult>();
  readonly #written = new Map<string, ResourceV1ResourceClaim>();

  /** Whether an allocation of the claim is being written. */
  isPending({ metadata }: ResourceV1ResourceClaim): boolean {
    return this.#pending.has(metadata.uid ?? '');
  }

  /** All allocations that are being written. */
  get pending(): Iterable<AllocationResult> {
    return this.#pending.values();
  }

  /** The claim as far as it is known. */
  current(claim: ResourceV1ResourceClaim): ResourceV1ResourceClaim {
    return this.#written.get(claim.metadata.uid ?? '') ?? claim;
  }

  pend({ metadata }: ResourceV1ResourceClaim, allocation: AllocationResult): void {
    this.#pending.set(metadata.uid ?? '', allocation);
  }

  /** The claim stands as it was written. `known` is what the watch has shown by then. */
  settle(written: ResourceV1ResourceClaim, known: ResourceV1ResourceClaim | undefined): void {
    const uid = written.metadata.uid ?? '';
    this.#pending.delete(uid);
    const isCurrent = known?.metadata.uid === uid && version(known) < version(written);
    if (isCurrent) this.#written.set(uid, written);
  }

  /** Nothing was written. */
  giveUp({ metadata }: ResourceV1ResourceClaim): void {
    this.#pending.delete(metadata.uid ?? '');
  }

  /** The watch has shown a claim. */
  shown(claim: ResourceV1ResourceClaim, isDeleted: boolean): void {
    const uid = claim.metadata.uid ?? '';
    const written = this.#written.get(uid);
    if (written && (isDeleted || version(claim) >= version(written))) this.#written.delete(uid);
  }
}

const version = ({ metadata }: ResourceV1ResourceClaim): bigint => BigInt(metadata.resourceVersion ?? '0');
