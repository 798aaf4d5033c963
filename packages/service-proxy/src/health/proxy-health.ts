import type { Clock } from '@wherry/clock';
import { timeFromMs } from '@wherry/kubeapi/objects';
import type { AddressFamily } from '@wherry/linux';
import { limits } from '../limits.ts';

/** Whether changes of services reach the kernel, as kube-proxy's pages tell it (upstream: pkg/proxy/healthcheck). */
export interface ProxyHealthReport {
  /** Now, while all is well. */
  lastUpdated: string;
  currentTime: string;
  healthy: boolean;
  /** By `IPv4` and `IPv6`, once the kernel was told of services of that family. */
  status: Record<string, { lastUpdated: string; healthy: boolean }>;
}

const names: Readonly<Record<AddressFamily, string>> = { ip: 'IPv4', ip6: 'IPv6' };

/**
 * Remembers, by family, when the kernel was brought to what is wanted, and since when it is not there yet: a change that waits for
 * longer than `limits.healthTimeoutMs` is no good sign. A family that the kernel was never told of is well: it is still starting.
 */
export class ProxyHealth {
  readonly #clock: Clock;
  readonly #updatedMs = new Map<AddressFamily, number>();
  /** Monotonic. */
  readonly #waitingSinceMs = new Map<AddressFamily, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something changed that the kernel has to be told. */
  queued(family: AddressFamily): void {
    if (!this.#waitingSinceMs.has(family)) this.#waitingSinceMs.set(family, this.#clock.monotonicMs());
  }

  /** The kernel has all of it. */
  updated(family: AddressFamily): void {
    this.#waitingSinceMs.delete(family);
    this.#updatedMs.set(family, this.#clock.nowMs());
  }

  report(): ProxyHealthReport {
    const currentTime = timeFromMs(this.#clock.nowMs());
    const families = [...this.#updatedMs].map(([family, updatedMs]) => ({
      name: names[family],
      updatedMs,
      healthy: !this.#isLate(family),
    }));
    const healthy = families.every((each) => each.healthy);
    const latestMs = Math.max(...families.map(({ updatedMs }) => updatedMs));
    return {
      lastUpdated: healthy ? currentTime : timeFromMs(latestMs),
      currentTime,
      healthy,
      status: Object.fromEntries(
        families.map((each) => [
          each.name,
          { lastUpdated: timeFromMs(each.updatedMs), healthy: each.healthy },
        ]),
      ),
    };
  }

  #isLate(family: AddressFamily): boolean {
    const sinceMs = this.#waitingSinceMs.get(family);
    return sinceMs !== undefined && this.#clock.monotonicMs() - sinceMs >= limits.healthTimeoutMs;
  }
}
