import { MetricsRegistry } from './metrics.ts';

/** What `/metrics/slis` tells: how each health check ended the last time, and how often it ended how. */
export class HealthIndicators {
  readonly #registry = new MetricsRegistry();
  readonly #healthy = this.#registry.gauge('kubernetes_healthcheck', 'The last result of each health check.');
  readonly #total = this.#registry.counter('kubernetes_healthchecks_total', 'Results of all health checks.');

  /** The check `name` ran for a path of health, such as `livez`. */
  note(name: string, isFine: boolean, type = 'healthz'): void {
    this.#healthy.set(isFine ? 1 : 0, { name, type });
    this.#total.add(1, { name, type, status: isFine ? 'success' : 'error' });
  }

  /** In the Prometheus text format 0.0.4. */
  render(): string {
    return this.#registry.render();
  }
}
