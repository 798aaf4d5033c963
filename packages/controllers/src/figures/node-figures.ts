import type { Counter, CounterSeries, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** How many nodes of a zone there are, and how many of them are not ready. */
export interface ZoneCount {
  size: number;
  unhealthy: number;
}

/** Tells of nodes by their zones (upstream: pkg/controller/nodelifecycle/metrics). */
export class NodeFigures {
  readonly #size: Gauge;
  readonly #health: Gauge;
  readonly #unhealthy: Gauge;
  readonly #evictions: Counter;
  readonly #allSeconds: Histogram;
  readonly #nodeSeconds: Histogram;
  readonly #byZone = new Map<string, CounterSeries>();

  constructor(metrics: MetricsRegistry) {
    const name = (end: string) => `node_collector_${end}`;
    const quadrupled = (first: number) => Array.from({ length: 8 }, (_, exponent) => first * 4 ** exponent);
    this.#size = metrics.gauge(name('zone_size'), 'Nodes of a zone.');
    this.#health = metrics.gauge(name('zone_health'), 'Percentage of the nodes of a zone that are ready.');
    this.#unhealthy = metrics.gauge(name('unhealthy_nodes_in_zone'), 'Nodes of a zone that are not ready.');
    this.#evictions = metrics.counter(name('evictions_total'), 'Nodes of a zone that were given up.');
    this.#allSeconds = metrics.plainHistogram(
      name('update_all_nodes_health_duration_seconds'),
      'Time that a look at all nodes took.',
      quadrupled(0.01),
    );
    this.#nodeSeconds = metrics.plainHistogram(
      name('update_node_health_duration_seconds'),
      'Time that a look at one node took.',
      quadrupled(0.001),
    );
  }

  /** What a look at all nodes found; a zone that is not there any more has none. */
  found(zones: ReadonlyMap<string, ZoneCount>): void {
    for (const [zone, { size, unhealthy }] of zones) this.#tell(zone, { size, unhealthy });
    for (const zone of this.#byZone.keys()) if (!zones.has(zone)) this.#tell(zone, { size: 0, unhealthy: 0 });
  }

  gaveUp(zone: string): void {
    this.#evictionsOf(zone).add(1);
  }

  lookedAtAll(tookMs: number): void {
    this.#allSeconds.observe(tookMs / 1000);
  }

  lookedAtOne(tookMs: number): void {
    this.#nodeSeconds.observe(tookMs / 1000);
  }

  #tell(zone: string, { size, unhealthy }: ZoneCount): void {
    this.#evictionsOf(zone);
    this.#size.set(size, { zone });
    this.#health.set(size === 0 ? 100 : (100 * (size - unhealthy)) / size, { zone });
    this.#unhealthy.set(unhealthy, { zone });
  }

  #evictionsOf(zone: string): CounterSeries {
    const series = this.#byZone.get(zone) ?? this.#evictions.series({ zone });
    this.#byZone.set(zone, series);
    return series;
  }
}
