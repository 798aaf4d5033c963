import { type KubeClient, keyOf } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { AllocationResult, Pod, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import type { DeviceLedger } from '../cluster/device-ledger.ts';
import { bindClaim, unreserve } from './device-writes.ts';
import type { ExtendedClaim } from './extended/extended-claim.ts';
import { createExtendedClaim, discardExtendedClaim, tellExtendedClaim } from './extended/extended-writes.ts';

/** What a pod is to have on its node. */
export interface DevicePlan {
  claims: readonly ResourceV1ResourceClaim[];
  /** Made for its extended resources. */
  extended: ExtendedClaim | undefined;
  /** What claims without devices get, by uid. */
  allocations: ReadonlyMap<string, AllocationResult>;
}

/** What was written of a plan. */
export interface BoundDevices {
  /** All claims of the pod, also the one that was made. */
  claims: readonly ResourceV1ResourceClaim[];
  /** The uid of the one that was made for its extended resources. */
  made?: string;
}

interface BinderOptions {
  client: KubeClient;
  clock: Clock;
  ledger: DeviceLedger;
  /** What the watch has shown, by `namespace/name`. */
  claims: ReadonlyMap<string, ResourceV1ResourceClaim>;
}

/** Writes what pods' claims get before the pods go to their nodes; until then nobody else is offered it. */
export class DeviceBinder {
  readonly #options: BinderOptions;

  constructor(options: BinderOptions) {
    this.#options = options;
  }

  /** Writes a plan, or nothing of it: then it throws. Others are kept off from the first moment on. */
  async give(pod: Pod, plan: DevicePlan, signal: AbortSignal): Promise<BoundDevices> {
    const { client, clock, ledger } = this.#options;
    const { claims, extended, allocations } = plan;
    const pending = new Set([...claims, ...(extended ? [extended.claim] : [])]);
    const allocationOf = ({ metadata }: ResourceV1ResourceClaim) => allocations.get(metadata.uid ?? '');
    for (const claim of pending) {
      const allocation = allocationOf(claim);
      if (allocation) ledger.pend(claim, allocation);
    }
    const bound: ResourceV1ResourceClaim[] = [];
    let made: string | undefined;
    try {
      for (const claim of claims) {
        const allocation = allocationOf(claim);
        const written = await bindClaim(claim, { client, pod, allocation, nowMs: clock.nowMs(), signal });
        ledger.settle(written, this.#options.claims.get(keyOf(claim)));
        pending.delete(claim);
        bound.push(written);
      }
      if (!extended) return { claims: bound };
      const allocation = allocationOf(extended.claim)!;
      const created = await createExtendedClaim(client, extended, signal);
      made = created.metadata.uid!;
      bound.push(created);
      pending.add(created);
      ledger.pend(created, allocation);
      const written = await bindClaim(created, { client, pod, allocation, nowMs: clock.nowMs(), signal });
      bound.splice(-1, 1, written);
      ledger.settleMade(written, this.#options.claims.get(keyOf(written)));
      ledger.giveUp(extended.claim);
      const status = {
        requestMappings: [...extended.mappings],
        resourceClaimName: written.metadata.name ?? '',
      };
      await tellExtendedClaim(client, pod, status, signal);
      return { claims: bound, made };
    } catch (error) {
      for (const claim of pending) ledger.giveUp(claim);
      await this.takeBack(pod, { claims: bound, ...(made === undefined ? {} : { made }) });
      throw error;
    }
  }

  /** Takes the pod out of its claims again, and deletes what was made for it. What fails is tried with the pod's next attempt. */
  async takeBack(pod: Pod, { claims, made }: BoundDevices): Promise<void> {
    const { client, ledger } = this.#options;
    for (const claim of claims) {
      if (claim.metadata.uid !== made) await unreserve(client, claim, pod).catch(() => undefined);
      else {
        await discardExtendedClaim(client, pod, claim).catch(() => undefined);
        ledger.forget(claim);
      }
    }
  }
}
