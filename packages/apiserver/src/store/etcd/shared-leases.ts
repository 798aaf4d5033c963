import type { Clock } from '@wherry/clock';
import { limits, periods } from '../../limits.ts';
import type { EtcdConnection } from './etcd-connection.ts';

interface SharedLease {
  id: Promise<bigint>;
  madeMs: number;
  keys: number;
}

/** What leases are shared by. */
export interface SharedLeasesOptions {
  connection: EtcdConnection;
  clock: Clock;
  /** So long keys share a lease at most. Default `periods.leaseReuseMs`. */
  reuseMs?: number | undefined;
}

/**
 * Leases of keys that go by themselves. Keys of one lifetime share a lease for a while, which lives as much longer, as
 * upstream (etcd3/lease_manager.go): a lease for each would cost etcd more than the keys.
 */
export class SharedLeases {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #reuseMs: number;
  readonly #leases = new Map<number, SharedLease>();

  constructor({ connection, clock, reuseMs = periods.leaseReuseMs }: SharedLeasesOptions) {
    this.#connection = connection;
    this.#clock = clock;
    this.#reuseMs = reuseMs;
  }

  /** The lease of a key that is written now. */
  async leaseFor(lifetimeMs: number): Promise<bigint> {
    const nowMs = this.#clock.monotonicMs();
    const sharedMs = Math.min(this.#reuseMs, lifetimeMs / 20);
    const known = this.#leases.get(lifetimeMs);
    const isGood = known && nowMs - known.madeMs < sharedMs && known.keys < limits.leaseKeysMax;
    const lease = isGood ? known : this.#make(lifetimeMs + sharedMs, nowMs);
    if (!isGood) this.#leases.set(lifetimeMs, lease);
    lease.keys += 1;
    try {
      return await lease.id;
    } catch (error) {
      this.forget(lifetimeMs);
      throw error;
    }
  }

  /** What was thought to live is gone. */
  forget(lifetimeMs: number): void {
    this.#leases.delete(lifetimeMs);
  }

  #make(ttlMs: number, madeMs: number): SharedLease {
    const granted = this.#connection.call('grant', { seconds: Math.ceil(ttlMs / 1_000) }, { repeats: true });
    return { id: granted.then(({ id }) => id), madeMs, keys: 0 };
  }
}
