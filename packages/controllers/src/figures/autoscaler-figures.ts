import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** What a look at an autoscaler came to. */
export type ScaleAction = 'none' | 'scale_up' | 'scale_down';

/** Tells of autoscalers (upstream: pkg/controller/podautoscaler/monitor). */
export class AutoscalerFigures {
  readonly #clock: Clock;
  readonly #reconciliations: Counter;
  readonly #seconds: Histogram;
  readonly #desired: Gauge;
  readonly #count: Gauge;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const name = (end: string) => `horizontal_pod_autoscaler_controller_${end}`;
    this.#reconciliations = metrics.counter(name('reconciliations_total'), 'Looks at autoscalers.');
    this.#seconds = metrics.histogram(
      name('reconciliation_duration_seconds'),
      'Time that a look at an autoscaler took.',
      Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent),
    );
    this.#desired = metrics.gauge(name('desired_replicas'), 'Replicas that an autoscaler wants.');
    this.#count = metrics.plainGauge(name('num_horizontal_pod_autoscalers'), 'Autoscalers that there are.');
  }

  /** A look at an autoscaler; `work` answers what it came to. */
  async timed(work: () => Promise<ScaleAction>): Promise<void> {
    const startedMs = this.#clock.monotonicMs();
    const tell = (action: ScaleAction, error: 'none' | 'internal') => {
      this.#reconciliations.add(1, { action, error });
      this.#seconds.observe((this.#clock.monotonicMs() - startedMs) / 1000, { action, error });
    };
    try {
      tell(await work(), 'none');
    } catch (error) {
      tell('none', 'internal');
      throw error;
    }
  }

  wants(namespace: string, hpa_name: string, replicas: number): void {
    this.#desired.set(replicas, { namespace, hpa_name });
  }

  /** An autoscaler is gone. */
  forgets(namespace: string, hpa_name: string): void {
    this.#desired.forget({ namespace, hpa_name });
  }

  thereAre(count: number): void {
    this.#count.set(count);
  }
}
