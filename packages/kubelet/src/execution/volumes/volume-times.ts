import type { Clock } from '@wherry/clock';
import type { Histogram, MetricsRegistry } from '@wherry/telemetry';
import { defaultBuckets } from '../../ground/measured-runtime.ts';
import { storageBuckets } from './csi-figures.ts';

/** How long volumes take: each try to put one in place, all of them until it is, and measuring what it holds. Names are upstream's. */
export class VolumeTimes {
  readonly #clock: Clock;
  readonly #tries: Histogram;
  readonly #whole: Histogram;
  readonly #measurements: Histogram;
  /** Since when volumes are wanted that are not in place, by pod and name. */
  readonly #wantedMs = new Map<string, number>();

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#tries = metrics.histogram(
      'storage_operation_duration_seconds',
      'Seconds that it took to put volumes in place, by plug-in.',
      storageBuckets,
    );
    this.#whole = metrics.histogram(
      'volume_operation_total_seconds',
      'Seconds from when volumes were wanted until they were in place, by plug-in.',
      storageBuckets,
    );
    this.#measurements = metrics.histogram(
      'kubelet_volume_metric_collection_duration_seconds',
      'Seconds that it took to find out what a volume holds, by how: du, or the CSI driver that was asked.',
      defaultBuckets,
    );
  }

  /** A volume, by its pod and name, is to be put in place; call the answer with the plug-in when that is tried. */
  begin(key: string): (plugin: string, isPlaced: boolean) => void {
    const startedMs = this.#clock.monotonicMs();
    const wantedMs = this.#wantedMs.get(key) ?? startedMs;
    this.#wantedMs.set(key, wantedMs);
    return (plugin, isPlaced) => {
      const nowMs = this.#clock.monotonicMs();
      const status = isPlaced ? 'success' : 'fail-unknown';
      this.#tries.observe((nowMs - startedMs) / 1_000, {
        ...{ volume_plugin: plugin, operation_name: 'volume_mount', status, migrated: 'false' },
      });
      if (!isPlaced) return;
      this.#wantedMs.delete(key);
      this.#whole.observe((nowMs - wantedMs) / 1_000, {
        ...{ plugin_name: plugin, operation_name: 'overall_volume_mount' },
      });
    };
  }

  /** A pod's volumes are gone. */
  forget(uid: string): void {
    for (const key of this.#wantedMs.keys()) if (key.startsWith(`${uid}/`)) this.#wantedMs.delete(key);
  }

  /** What `measure` finds out, timed. Rejects as it does. */
  async measured<Found>(source: string, measure: () => Promise<Found>): Promise<Found> {
    const startedMs = this.#clock.monotonicMs();
    try {
      return await measure();
    } finally {
      this.#measurements.observe((this.#clock.monotonicMs() - startedMs) / 1_000, { metric_source: source });
    }
  }
}
