import type { Clock } from '@wherry/clock';
import type { Device, DevicePluginOptions } from '../../generated/device-plugin.ts';
import { deviceGraceMs, plugInsMax } from '../../limits.ts';
import type { DeviceCapacity } from '../../reporting/node/node-status.ts';
import type { DevicePlugIn } from './device-plug-in.ts';

const healthy = 'Healthy';

/** A device that a plug-in told of. */
export interface KnownDevice {
  isHealthy: boolean;
  /** Memory nodes of the machine that it is near to; empty where the plug-in does not say. */
  nodes: readonly number[];
}

interface Resource {
  plugIn: DevicePlugIn | undefined;
  options: DevicePluginOptions | undefined;
  devices: ReadonlyMap<string, KnownDevice>;
  /** Its plug-in told of its devices, now or before an earlier kubelet ended, or went without having done so: it has none. */
  isTold: boolean;
  /** Monotonic time since which its plug-in is gone. */
  goneSinceMs: number | undefined;
}

/**
 * Which devices there are, by resource. When a plug-in goes its devices are unhealthy, and after five minutes the resource
 * is no more (upstream: pkg/kubelet/cm/devicemanager).
 */
export class DeviceInventory {
  readonly #clock: Clock;
  readonly #resources = new Map<string, Resource>();
  readonly #removed = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resources that an earlier kubelet knew: nothing of them is there until their plug-ins are. */
  adopt(resources: Iterable<string>): void {
    for (const name of resources)
      this.#resources.set(name, {
        plugIn: undefined,
        options: undefined,
        devices: new Map(),
        isTold: true,
        goneSinceMs: this.#clock.monotonicMs(),
      });
  }

  /** A plug-in speaks for its resource from now on; answers the one that did until now. */
  connect(plugIn: DevicePlugIn, options: DevicePluginOptions): DevicePlugIn | undefined {
    const before = this.#resources.get(plugIn.resource);
    this.#resources.set(plugIn.resource, {
      plugIn,
      options,
      devices: before?.devices ?? new Map(),
      isTold: before?.isTold ?? false,
      goneSinceMs: undefined,
    });
    this.#removed.delete(plugIn.resource);
    return before?.plugIn;
  }

  /** False when another speaks for the resource by now. */
  disconnect(plugIn: DevicePlugIn): boolean {
    const known = this.#resources.get(plugIn.resource);
    if (!known || known.plugIn !== plugIn) return false;
    const devices = [...known.devices].map(([id, device]) => [id, { ...device, isHealthy: false }] as const);
    Object.assign(known, {
      plugIn: undefined,
      devices: new Map(devices),
      isTold: true,
      goneSinceMs: this.#clock.monotonicMs(),
    });
    return true;
  }

  /** Takes what a plug-in says of its devices; answers those that are new, or whose health changed. */
  told(plugIn: DevicePlugIn, list: readonly Device[]): string[] {
    const known = this.#resources.get(plugIn.resource);
    if (!known || known.plugIn !== plugIn) return [];
    const before = known.devices;
    known.devices = new Map(
      list.map(({ id, health, topology }) => [
        id,
        { isHealthy: health === healthy, nodes: (topology?.nodes ?? []).map(({ id: node }) => node) },
      ]),
    );
    known.isTold = true;
    return [...known.devices]
      .filter(([id, { isHealthy }]) => before.get(id)?.isHealthy !== isHealthy)
      .map(([id]) => id);
  }

  /** The plug-in that speaks for a resource, and what it wants to be asked. */
  speaker(resource: string): { plugIn: DevicePlugIn; options: DevicePluginOptions } | undefined {
    const { plugIn, options } = this.#resources.get(resource) ?? {};
    return plugIn && options && { plugIn, options };
  }

  has(resource: string): boolean {
    return this.#resources.get(resource)?.isTold === true;
  }

  get size(): number {
    return this.#resources.size;
  }

  device(resource: string, id: string): KnownDevice | undefined {
    return this.#resources.get(resource)?.devices.get(id);
  }

  /** All devices of a resource. */
  devicesOf(resource: string): ReadonlyMap<string, KnownDevice> {
    return this.#resources.get(resource)?.devices ?? new Map();
  }

  healthy(resource: string): string[] {
    const { devices = new Map<string, KnownDevice>() } = this.#resources.get(resource) ?? {};
    return [...devices].filter(([, { isHealthy }]) => isHealthy).map(([id]) => id);
  }

  /** Resources whose plug-ins told of their devices. */
  get resources(): string[] {
    return [...this.#resources].filter(([, { isTold }]) => isTold).map(([name]) => name);
  }

  /** Drops resources whose plug-ins have been gone for too long; answers whether there were any. */
  expire(): boolean {
    const nowMs = this.#clock.monotonicMs();
    const expired = [...this.#resources].filter(
      ([, { goneSinceMs }]) => goneSinceMs !== undefined && nowMs - goneSinceMs > deviceGraceMs,
    );
    for (const [name] of expired) {
      this.#resources.delete(name);
      this.#removed.add(name);
    }
    // The node has been told of the oldest long ago.
    for (const name of [...this.#removed].slice(0, -plugInsMax)) this.#removed.delete(name);
    return expired.length > 0;
  }

  /** What the node's status says. */
  get capacity(): DeviceCapacity {
    const removed = [...this.#removed].map((name) => [name, '0'] as const);
    const told = [...this.#resources].filter(([, { isTold }]) => isTold);
    return {
      capacity: Object.fromEntries([
        ...removed,
        ...told.map(([name, { devices }]) => [name, String(devices.size)]),
      ]),
      allocatable: Object.fromEntries([
        ...removed,
        ...told.map(([name]) => [name, String(this.healthy(name).length)]),
      ]),
    };
  }
}
