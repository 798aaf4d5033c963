import { type KubeClient, kinds } from '@wherry/client';
import { backoff, type Clock, sleep } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { sliceBackoff, sliceGraceMs } from '../../limits.ts';

/** What slices are removed with. */
export interface SliceWiperOptions {
  /** Undefined for a kubelet without an API server. */
  client: KubeClient | undefined;
  nodeName: string;
  clock: Clock;
  logger: Logger;
  /** Aborts when the kubelet stops. */
  signal: AbortSignal;
}

/**
 * Removes what drivers of the node have published, once they are away for long: pods would be given devices that nobody
 * prepares (upstream: wipeResourceSlices in pkg/kubelet/cm/dra/plugin).
 */
export class SliceWiper {
  readonly #options: SliceWiperOptions;
  /** Removals that are to come, by driver. */
  readonly #pending = new Map<string, AbortController>();

  constructor(options: SliceWiperOptions) {
    this.#options = options;
  }

  /** When a kubelet starts no driver is there yet: those that come back publish theirs again. */
  begin(): void {
    void this.#wipe('', this.#options.signal);
  }

  /** The driver went away; nothing changes when that is known. */
  away(driver: string): void {
    if (this.#pending.has(driver)) return;
    const abort = new AbortController();
    this.#pending.set(driver, abort);
    void this.#wipeLater(driver, abort);
  }

  /** The driver is there. */
  back(driver: string): void {
    this.#pending.get(driver)?.abort();
    this.#pending.delete(driver);
  }

  async #wipeLater(driver: string, abort: AbortController): Promise<void> {
    const signal = AbortSignal.any([abort.signal, this.#options.signal]);
    try {
      await sleep({ clock: this.#options.clock, delayMs: sliceGraceMs, signal });
      await this.#wipe(driver, signal);
    } catch {
      // The driver is back, or the kubelet stops.
    } finally {
      if (this.#pending.get(driver) === abort) this.#pending.delete(driver);
    }
  }

  /** '' = those of all drivers. Tries until it is done. */
  async #wipe(driver: string, signal: AbortSignal): Promise<void> {
    const { client, nodeName, clock, logger } = this.#options;
    if (!client) return;
    const fieldSelector = `spec.nodeName=${nodeName}${driver === '' ? '' : `,spec.driver=${driver}`}`;
    const delays = backoff(sliceBackoff);
    while (!signal.aborted) {
      try {
        // The node's object comes first: without it the kubelet may do nothing.
        await client.resource(kinds.nodes).get({ name: nodeName, signal });
        await client.resource(kinds.resourceSlices).deleteCollection({ fieldSelector }, { signal });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!hasReason(error, 'NotFound'))
          logger.debug('slices of drivers that are away could not be removed', { fieldSelector, error });
        await sleep({ clock, delayMs: delays.nextDelayMs(), signal }).catch(() => {});
      }
    }
  }
}
