import { hasReason, type Lease, type LeaseSpec, microTimeFromMs } from '@wherry/kubeapi/objects';
import { leases as leaseType } from '../generated/kinds.ts';
import { limits } from '../limits.ts';
import type { KubeObject, ResourceType } from '../objects/objects.ts';
import type { ResourceClient } from '../resources/resource-client.ts';

/** Which lease, and who wants it. */
export interface LeaseLockOptions {
  /** Any client. */
  client: { resource<T extends KubeObject>(type: ResourceType<T>): ResourceClient<T> };
  namespace: string;
  name: string;
  /** Tells candidates apart: no two that live at the same time may have the same. */
  identity: string;
  /** How long it holds after a renewal, in milliseconds. Default `limits.leaseDurationMs`. */
  durationMs?: number | undefined;
}

/** A candidate's view of a Lease, which one of them holds at a time (client-go tools/leaderelection/resourcelock). */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  /** As the server had it last. */
  #lease: Lease | undefined;
  /** It was written to at some time, so that it may be ours unseen: the answer may have been lost. */
  #mayBeOurs = false;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /**
   * Who holds it, '' = nobody, what changes with each renewal and with nothing else, and for how long it is held without one;
   * as of the last {@link read} or {@link take}.
   */
  get seen(): { holder: string; stamp: string; durationMs: number } {
    const { holderIdentity = '', leaseDurationSeconds } = this.#lease?.spec ?? {};
    const durationMs = leaseDurationSeconds ? leaseDurationSeconds * 1_000 : this.#durationMs;
    return { holder: holderIdentity, stamp: JSON.stringify(this.#lease?.spec ?? {}), durationMs };
  }

  get #durationMs(): number {
    return this.#options.durationMs ?? limits.leaseDurationMs;
  }

  get isOurs(): boolean {
    return this.seen.holder === this.#options.identity;
  }

  /** Asks the server. */
  async read(signal: AbortSignal): Promise<void> {
    const { client, namespace, name } = this.#options;
    try {
      this.#lease = await client.resource(leaseType).get({ name, namespace, signal });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
      this.#lease = undefined;
    }
  }

  /** Takes or renews it in the very state that was seen; false when somebody else wrote in between. */
  async take(nowMs: number, signal: AbortSignal): Promise<boolean> {
    const now = microTimeFromMs(nowMs);
    const { acquireTime, leaseTransitions = 0 } = this.#lease?.spec ?? {};
    const isNew = this.#lease === undefined;
    return this.#write(
      {
        holderIdentity: this.#options.identity,
        // A whole number of seconds, as Go's conversion leaves it.
        leaseDurationSeconds: Math.trunc(this.#durationMs / 1_000),
        acquireTime: this.isOurs ? acquireTime : now,
        renewTime: now,
        leaseTransitions: this.isOurs || isNew ? leaseTransitions : leaseTransitions + 1,
      },
      signal,
    );
  }

  /** Leaves it to the next at once, whoever has written to it since and whatever came of a renewal that was cut off. */
  async release(nowMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#mayBeOurs) return;
    await this.read(signal);
    const now = microTimeFromMs(nowMs);
    const { leaseTransitions = 0 } = this.#lease?.spec ?? {};
    const spec = {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions,
    };
    if (this.isOurs) await this.#write(spec, signal);
  }

  async #write(spec: LeaseSpec, signal: AbortSignal): Promise<boolean> {
    const { client, namespace, name } = this.#options;
    const leases = client.resource(leaseType);
    const metadata = this.#lease?.metadata ?? { name, namespace };
    this.#mayBeOurs = true;
    const lease: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    try {
      this.#lease = this.#lease
        ? await leases.update(lease, { signal })
        : await leases.create(lease, { signal });
      return true;
    } catch (error) {
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'AlreadyExists')) throw error;
      return false;
    }
  }
}
