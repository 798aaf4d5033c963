import type { AllocationResult, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';

/** What the scheduler has given to claims and the watch has not shown yet. */
export class DeviceLedger {
  readonly #pending = new Map<string, AllocationResult>();
  readonly #written = new Map<string, ResourceV1ResourceClaim>();
  /** Claims that the scheduler made and the watch has shown nothing of. */
  readonly #unseen = new Map<string, ResourceV1ResourceClaim>();
  /** Claims whose devices were not ready in time, with the time of the allocation that this is about. */
  readonly #expired = new Map<string, string | undefined>();

  /** Whether an allocation of the claim is being written. */
  isPending({ metadata }: ResourceV1ResourceClaim): boolean {
    return this.#pending.has(metadata.uid ?? '');
  }

  /** All allocations that no claim tells of which the watch has shown. */
  get pending(): Iterable<AllocationResult> {
    const unseen = [...this.#unseen.values()].flatMap(({ status }) => status?.allocation ?? []);
    return [...this.#pending.values(), ...unseen];
  }

  /** The claim as far as it is known. */
  current(claim: ResourceV1ResourceClaim): ResourceV1ResourceClaim {
    return this.#written.get(claim.metadata.uid ?? '') ?? claim;
  }

  /** A claim that was written, as far as it is known: `known` is what the watch shows of its name. */
  find(
    { metadata }: ResourceV1ResourceClaim,
    known: ResourceV1ResourceClaim | undefined,
  ): ResourceV1ResourceClaim | undefined {
    return this.#unseen.get(metadata.uid ?? '') ?? (known && this.current(known));
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

  /** The same of a claim that the scheduler made: the watch may not have shown it at all. */
  settleMade(written: ResourceV1ResourceClaim, known: ResourceV1ResourceClaim | undefined): void {
    const isGone = !this.isPending(written);
    this.settle(written, known);
    if (!known && !isGone) this.#unseen.set(written.metadata.uid ?? '', written);
  }

  /** Nothing was written. */
  giveUp({ metadata }: ResourceV1ResourceClaim): void {
    this.#pending.delete(metadata.uid ?? '');
  }

  /** What was written is taken back: only the watch counts. */
  forget({ metadata }: ResourceV1ResourceClaim): void {
    this.#unseen.delete(metadata.uid ?? '');
    this.#written.delete(metadata.uid ?? '');
  }

  /** The claim's devices were not ready in time: it may lose them. */
  expire({ metadata, status }: ResourceV1ResourceClaim): void {
    this.#expired.set(metadata.uid ?? '', status?.allocation?.allocationTimestamp);
  }

  isExpired({ metadata: { uid = '' }, status }: ResourceV1ResourceClaim): boolean {
    return this.#expired.has(uid) && this.#expired.get(uid) === status?.allocation?.allocationTimestamp;
  }

  /** The watch has shown a claim. */
  shown(claim: ResourceV1ResourceClaim, isDeleted: boolean): void {
    const uid = claim.metadata.uid ?? '';
    const unseen = this.#unseen.get(uid);
    this.#unseen.delete(uid);
    if (unseen) this.#written.set(uid, unseen);
    const written = this.#written.get(uid);
    if (written && (isDeleted || version(claim) >= version(written))) this.#written.delete(uid);
    if (isDeleted) this.#pending.delete(uid);
    if (isDeleted || !this.isExpired(claim)) this.#expired.delete(uid);
  }
}

const version = ({ metadata }: ResourceV1ResourceClaim): bigint => BigInt(metadata.resourceVersion ?? '0');
