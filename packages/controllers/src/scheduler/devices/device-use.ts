import { type AllocationResult, parseQuantity, type Quantity } from '@wherry/kubeapi/objects';
import { deviceId } from './device-pools.ts';

/** Amounts by name. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Which devices allocations have taken, whole or in part. */
export class DeviceUse {
  #whole = new Set<string>();
  readonly #shared = new Map<string, Map<string, Quantity>>();

  constructor(allocations: Iterable<AllocationResult>) {
    for (const { devices } of allocations) {
      for (const { driver, pool, device, adminAccess, shareID, consumedCapacity = {} } of devices?.results ??
        []) {
        if (adminAccess) continue;
        const id = deviceId(driver, pool, device);
        if (shareID === undefined) this.#whole.add(id);
        else {
          const amounts = Object.entries(consumedCapacity).map(
            ([name, amount]) => [name, parseQuantity(amount)] as const,
          );
          this.change(id, new Map(amounts), 1);
        }
      }
    }
  }

  /** The same once more, to be changed by itself. */
  copy(): DeviceUse {
    const copy = new DeviceUse([]);
    copy.#whole = this.#whole;
    for (const [id, sums] of this.#shared) copy.#shared.set(id, new Map(sums));
    return copy;
  }

  /** Whether somebody has the whole device. */
  isTaken(id: string): boolean {
    return this.#whole.has(id);
  }

  /** Whether anybody has something of it. */
  isUsed(id: string): boolean {
    return this.#whole.has(id) || this.#shared.has(id);
  }

  /** What has been taken of a device that several share. */
  taken(id: string): Amounts {
    return this.#shared.get(id) ?? new Map();
  }

  /** Counts what one of several takes (1) or gives back (-1). */
  change(id: string, amounts: Amounts, sign: 1 | -1): void {
    const sums = this.#shared.get(id) ?? new Map<string, Quantity>();
    for (const [name, amount] of amounts) {
      const known = sums.get(name);
      if (sign === 1) sums.set(name, known ? known.add(amount) : amount);
      else if (known) sums.set(name, known.sub(amount));
    }
    this.#shared.set(id, sums);
  }
}
