import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { paced } from '../../ground/plug-ins/paced.ts';
import { deviceIdMax, plugInsMax } from '../../limits.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { DevicePlugIn } from './device-plug-in.ts';

/** What plug-ins are followed with. */
export interface DeviceSourcesOptions {
  inventory: DeviceInventory;
  clock: Clock;
  logger: Logger;
  /** Aborts when the kubelet stops. */
  signal: AbortSignal;
  /** These devices of a resource are new, or their health changed. */
  onChanged(resource: string, ids: readonly string[]): void;
}

/** Follows device plug-ins: what each says of its devices comes into the inventory. */
export class DeviceSources {
  readonly #options: DeviceSourcesOptions;

  constructor(options: DeviceSourcesOptions) {
    this.#options = options;
  }

  /** A plug-in offers itself. Throws when it does not answer, or there are too many. */
  async connect(resource: string, endpoint: string, asked: AbortSignal): Promise<void> {
    const { inventory, signal } = this.#options;
    if (!inventory.speaker(resource) && inventory.size >= plugInsMax)
      throw new Error(`there are ${plugInsMax} resources of device plug-ins already`);
    const plugIn = new DevicePlugIn(resource, endpoint);
    try {
      const options = await plugIn.options(AbortSignal.any([asked, signal]));
      inventory.connect(plugIn, options)?.close();
    } catch (error) {
      plugIn.close();
      throw new Error(`failed to get device plugin options: ${(error as Error).message}`, { cause: error });
    }
    void this.#follow(plugIn);
  }

  /** The plug-in behind that socket is gone. */
  disconnect(resource: string, endpoint: string): void {
    const plugIn = this.#options.inventory.speaker(resource)?.plugIn;
    if (plugIn?.endpoint === endpoint) this.#lost(plugIn);
  }

  async #follow(plugIn: DevicePlugIn): Promise<void> {
    const { inventory, clock, signal, logger, onChanged } = this.#options;
    const { resource } = plugIn;
    try {
      for await (const told of paced(plugIn.devices(signal), { clock, signal })) {
        const devices = told.filter(({ id }) => id.length <= deviceIdMax);
        const leftOut = told.length - devices.length;
        if (leftOut > 0)
          logger.warn(`devices with ids of more than ${deviceIdMax} characters are left out`, {
            resource,
            leftOut,
          });
        onChanged(resource, inventory.told(plugIn, devices));
      }
    } catch (error) {
      if (!signal.aborted) logger.warn('a device plug-in is gone', { resource, error });
    } finally {
      this.#lost(plugIn);
    }
  }

  #lost(plugIn: DevicePlugIn): void {
    plugIn.close();
    const { inventory, signal, onChanged } = this.#options;
    const before = inventory.healthy(plugIn.resource);
    if (inventory.disconnect(plugIn) && !signal.aborted) onChanged(plugIn.resource, before);
  }
}
