import { type Labels, MetricsRegistry } from '@wherry/telemetry';

/** How often the probes of pods ran and how they ended: for as long as a pod is there, so that the series do not pile up. */
export class ProbeCounts {
  readonly #pods = new Map<string, Map<string, { labels: Labels; count: number }>>();

  /** Counts one run of a probe of the pod with this UID. */
  add(uid: string, labels: Labels): void {
    const counts = this.#pods.get(uid) ?? new Map<string, { labels: Labels; count: number }>();
    this.#pods.set(uid, counts);
    const key = JSON.stringify(labels);
    const entry = counts.get(key) ?? { labels, count: 0 };
    counts.set(key, { labels, count: entry.count + 1 });
  }

  /** The pod is gone. */
  forget(uid: string): void {
    this.#pods.delete(uid);
  }

  /** In the Prometheus text format 0.0.4. */
  render(): string {
    const registry = new MetricsRegistry();
    const counter = registry.counter('prober_probe_total', 'Probes run, by container, type and result.');
    for (const [uid, counts] of this.#pods)
      for (const { labels, count } of counts.values()) counter.add(count, { ...labels, pod_uid: uid });
    return registry.render();
  }
}
