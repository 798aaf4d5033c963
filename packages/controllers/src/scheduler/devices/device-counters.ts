import { parseQuantity, type Quantity } from '@wherry/kubeapi/objects';
import type { DevicePool, KnownDevice } from './device-pools.ts';
import type { DeviceUse } from './device-use.ts';

/** What is left of the counters that devices of one pool share: each device is a part of something. */
export class DeviceCounters {
  readonly #left = new Map<string, Quantity>();

  constructor({ slices, all }: DevicePool, use: DeviceUse) {
    for (const { name, counters } of slices.flatMap(({ spec }) => spec.sharedCounters ?? []))
      for (const [counter, { value }] of Object.entries(counters))
        this.#left.set(`${name}/${counter}`, parseQuantity(value));
    for (const each of all) if (use.isUsed(each.id)) this.change(each, -1);
  }

  /** Whether there is enough left for the device. */
  suffice(device: KnownDevice): boolean {
    this.change(device, -1);
    const isEnough = [...this.#left.values()].every((left) => left.sign() >= 0);
    this.change(device, 1);
    return isEnough;
  }

  /** Takes what the device uses up (-1), or gives it back (1). */
  change({ device }: KnownDevice, sign: 1 | -1): void {
    for (const { counterSet, counters } of device.consumesCounters ?? []) {
      for (const [counter, { value }] of Object.entries(counters)) {
        const key = `${counterSet}/${counter}`;
        const left = this.#left.get(key);
        const amount = parseQuantity(value);
        if (left) this.#left.set(key, sign === 1 ? left.add(amount) : left.sub(amount));
      }
    }
  }
}
