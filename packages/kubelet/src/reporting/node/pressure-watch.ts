import { type Clock, sleep } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { Logger } from '@wherry/telemetry';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { evictionThresholds } from '../../configuration/eviction-thresholds.ts';
import { pressureMs } from '../../limits.ts';
import { PressureConditions, type PressureType } from './pressure-conditions.ts';
import { observeNode } from './pressure-signals.ts';

/** What the watch is made of. */
export interface PressureWatchOptions {
  images: CriClient['images'];
  rootDir: string;
  configuration: KubeletConfiguration;
  clock: Clock;
  logger: Logger;
  /** Other conditions hold than before. */
  onChanged(): void;
}

/** Measures every few seconds what the node is short of. It evicts nobody: that is for the conditions' readers. */
export class PressureWatch {
  readonly #options: PressureWatchOptions;
  readonly #abort = new AbortController();
  readonly #conditions: PressureConditions;

  constructor(options: PressureWatchOptions) {
    this.#options = options;
    const { configuration } = options;
    this.#conditions = new PressureConditions({
      thresholds: evictionThresholds(configuration),
      transitionMs: configuration.evictionPressureTransitionPeriod,
    });
  }

  /** Conditions that hold now. */
  get pressures(): ReadonlySet<PressureType> {
    return this.#conditions.holding;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, logger, onChanged } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const observations = await this.#observe();
      if (this.#conditions.observe(observations, clock.monotonicMs())) {
        logger.warn('what the node is short of changed', {
          conditions: [...this.pressures].join(', ') || 'nothing',
        });
        onChanged();
      }
      await sleep({ clock, delayMs: pressureMs, signal }).catch(() => {});
    }
  }

  async #observe() {
    const { images, rootDir } = this.#options;
    const answer = await images.imageFsInfo({}, { signal: this.#abort.signal }).catch(() => undefined);
    return observeNode({ rootDir, imageFolder: answer?.imageFilesystems[0]?.fsId?.mountpoint });
  }
}
