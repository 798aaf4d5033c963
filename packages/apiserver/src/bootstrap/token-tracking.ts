import type { Clock, Timer } from '@wherry/clock';
import type { ConfigMap } from '@wherry/kubeapi';
import { type Logger, unattended } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { as } from '../objects/api-object.ts';
import { keyOf } from '../objects/strategy.ts';
import type { Collection } from '../registry/collection.ts';
import type { StoreWatch } from '../store/store.ts';
import { ensure } from './ensure.ts';

const place = {
  namespace: 'kube-system',
  name: 'kube-apiserver-legacy-service-account-token-tracking',
} as const;

/**
 * Keeps the config map that says since which day (UTC) the last use of each token in a secret is noted: who cleans tokens up
 * goes by it. A day that is there stays; one that is none, or was deleted, begins anew, so that nothing is taken for
 * unused that was not looked at (upstream: pkg/controlplane/controller/legacytokentracking).
 */
export class TokenTracking {
  readonly #options: { configMaps: Collection; clock: Clock; logger: Logger };
  #watch: StoreWatch | undefined;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;
  /** Deleted and made over and over, by servers of which one does not want it, it is made no more often than that. */
  #notBeforeMs = 0;

  constructor(options: { configMaps: Collection; clock: Clock; logger: Logger }) {
    this.#options = options;
  }

  /** Resolves when it is there, or could not be made. */
  async start(): Promise<void> {
    const { resource, storage } = this.#options.configMaps;
    this.#watch = await storage.store.watch({
      prefix: keyOf(resource, place.namespace, place.name),
      onEvents: () => this.#keepSoon(),
    });
    this.#keepSoon();
    await this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch?.close();
    this.#timer?.cancel();
    await this.#running;
  }

  #keepSoon(): void {
    this.#isDue = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#keepWhileDue().finally(() => {
      this.#running = undefined;
    });
    unattended(this.#running, { logger: this.#options.logger, task: 'the tracking of tokens in secrets' });
  }

  async #keepWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false;
      try {
        await this.#keep();
      } catch (error) {
        if (this.#isClosed) return;
        this.#options.logger.warn('the day since when tokens are tracked can not be kept', { error });
        this.#later(periods.flowObjectsMs);
      }
    }
  }

  async #keep(): Promise<void> {
    const { configMaps, clock } = this.#options;
    const nowMs = clock.nowMs();
    const data = { since: new Date(nowMs).toISOString().slice(0, 'YYYY-MM-DD'.length) };
    const found = await configMaps.storage.find(place);
    if (!found) {
      const waitMs = this.#notBeforeMs - clock.monotonicMs();
      if (waitMs > 0) return this.#later(waitMs);
      await ensure(configMaps, { metadata: { ...place }, data });
      this.#notBeforeMs = clock.monotonicMs() + periods.tokenTrackingMs;
      return;
    }
    if (isDay(as<ConfigMap>(found.object).data?.['since'])) return;
    await configMaps.storage.change({
      ...place,
      change: (current) => ({
        next: isDay(as<ConfigMap>(current).data?.['since'])
          ? current
          : { ...current, data: { ...as<ConfigMap>(current).data, ...data } },
      }),
    });
  }

  #later(delayMs: number): void {
    this.#timer?.cancel();
    if (!this.#isClosed) this.#timer = this.#options.clock.after(delayMs, () => this.#keepSoon());
  }
}

/** `2026-02-30` is none. */
function isDay(text: string | undefined): boolean {
  if (!text || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
