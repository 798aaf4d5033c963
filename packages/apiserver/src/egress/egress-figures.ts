import type { Clock } from '@wherry/clock';
import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { DialStage } from './dial-error.ts';

const secondsBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** What a proxy is spoken to with. */
export interface EgressLabels {
  protocol: 'http_connect' | 'grpc';
  transport: 'tcp' | 'uds';
}

/** What is told of dials through proxies (upstream: pkg/server/egressselector/metrics). */
export class EgressFigures {
  readonly #clock: Clock;
  readonly #starts: Counter;
  readonly #failures: Counter;
  readonly #seconds: Histogram;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const name = (end: string) => `apiserver_egress_dialer_${end}`;
    this.#starts = metrics.counter(name('dial_start_total'), 'Dials through proxies that were begun.');
    this.#failures = metrics.counter(
      name('dial_failure_count'),
      'Dials through proxies that failed: on the way to the proxy, or when it was asked.',
    );
    this.#seconds = metrics.histogram(
      name('dial_duration_seconds'),
      'Time that a dial through a proxy took.',
      secondsBounds,
    );
  }

  /** A dial begins; calls back with how it ended. */
  begun(labels: EgressLabels): { done(): void; failed(stage: DialStage): void } {
    const startedMs = this.#clock.monotonicMs();
    const told = { ...labels };
    this.#starts.add(1, told);
    return {
      done: () => this.#seconds.observe((this.#clock.monotonicMs() - startedMs) / 1_000, told),
      failed: (stage) => this.#failures.add(1, { ...told, stage }),
    };
  }
}
