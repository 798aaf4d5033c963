import type { Clock } from '@wherry/clock';
import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** What asking a webhook came to, in upstream's words. */
export type EvaluationResult = 'success' | 'timeout' | 'canceled' | 'error';

/** Counts and times webhooks that decide, and their conditions (upstream: plugin/pkg/authorizer/webhook/metrics, authorization/cel). */
export class WebhookAuthorizerFigures {
  readonly #clock: Clock;
  readonly #evaluations: Counter;
  readonly #duration: Histogram;
  readonly #failOpen: Counter;
  readonly #conditionSeconds: Histogram;
  readonly #conditionErrors: Counter;
  readonly #exclusions: Counter;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const name = (end: string) => `apiserver_authorization_${end}`;
    this.#evaluations = metrics.counter(name('webhook_evaluations_total'), 'How often a webhook was asked.');
    this.#duration = metrics.histogram(
      name('webhook_duration_seconds'),
      'Time that a webhook took.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    );
    this.#failOpen = metrics.counter(
      name('webhook_evaluations_fail_open_total'),
      'How often others decided since a webhook could not be asked.',
    );
    this.#conditionSeconds = metrics.histogram(
      name('match_condition_evaluation_seconds'),
      'Time that the conditions of a webhook took.',
      [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    );
    this.#conditionErrors = metrics.counter(
      name('match_condition_evaluation_errors_total'),
      'How often the conditions of a webhook could not be said.',
    );
    this.#exclusions = metrics.counter(
      name('match_condition_exclusions_total'),
      'How often its conditions kept a question from a webhook.',
    );
  }

  /** What the conditions of a webhook say. */
  conditions(name: string, ask: () => boolean): boolean {
    const labels = { type: 'Webhook', name };
    const startedMs = this.#clock.monotonicMs();
    try {
      const hold = ask();
      if (!hold) this.#exclusions.add(1, labels);
      return hold;
    } catch (error) {
      this.#conditionErrors.add(1, labels);
      throw error;
    } finally {
      this.#conditionSeconds.observe((this.#clock.monotonicMs() - startedMs) / 1000, labels);
    }
  }

  /** A webhook was asked. */
  asked(name: string, result: EvaluationResult, tookMs: number): void {
    this.#evaluations.add(1, { name, result });
    this.#duration.observe(tookMs / 1000, { name, result });
  }

  /** It could not be asked, and others decide. */
  failedOpen(name: string, result: EvaluationResult): void {
    this.#failOpen.add(1, { name, result });
  }
}
