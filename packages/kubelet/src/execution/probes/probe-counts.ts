import { type Counter, type Histogram, type Labels, MetricsRegistry } from '@wherry/telemetry';
import { defaultBuckets } from '../../ground/measured-runtime.ts';

/** One run of a probe. */
export interface ProbeRun {
  /** `Liveness`, `Readiness` or `Startup`. */
  type: string;
  result: 'successful' | 'failed' | 'unknown';
  tookMs: number;
  container: string;
  pod: string;
  namespace: string;
}

/**
 * How often the probes of pods ran, how they ended and how long those took that succeeded: for as long as a pod is there,
 * so that the series do not pile up.
 */
export class ProbeCounts {
  readonly #registry = new MetricsRegistry();
  readonly #total: Counter;
  readonly #duration: Histogram;
  /** What each pod's series are called. */
  readonly #pods = new Map<string, Map<string, Labels>>();

  constructor() {
    const counted = 'Cumulative number of a liveness, readiness or startup probe for a container by result.';
    this.#total = this.#registry.counter('prober_probe_total', counted);
    const name = 'prober_probe_duration_seconds';
    this.#duration = this.#registry.histogram(
      name,
      'Duration in seconds for a probe response.',
      defaultBuckets,
    );
  }

  /** Counts one run of a probe of the pod with this UID. */
  add(uid: string, { type, result, tookMs, ...place }: ProbeRun): void {
    const which = { probe_type: type, ...place };
    this.#total.add(1, { ...which, result, pod_uid: uid });
    if (result === 'successful') this.#duration.observe(tookMs / 1_000, which);
    const known = this.#pods.get(uid) ?? new Map<string, Labels>();
    this.#pods.set(uid, known);
    known.set(`${type}/${place.container}`, which);
  }

  /** The pod is gone. */
  forget(uid: string): void {
    for (const which of this.#pods.get(uid)?.values() ?? []) {
      this.#duration.forget(which);
      for (const result of ['successful', 'failed', 'unknown'])
        this.#total.forget({ ...which, result, pod_uid: uid });
    }
    this.#pods.delete(uid);
  }

  /** In the Prometheus text format 0.0.4. */
  render(): string {
    return this.#registry.render();
  }
}
