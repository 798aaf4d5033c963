import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { Operation } from '../admission.ts';

/** The two phases, in upstream's words. */
export type AdmissionPhase = 'admit' | 'validate';

/** Whose conditions are asked about a request. */
export type ConditionPlace = {
  name: string;
  kind: 'webhook' | 'policy';
  type: AdmissionPhase;
  operation: Operation;
};

/** What asking came to: all hold, one does not, or it can't be said. */
export type ConditionOutcome = 'hold' | 'exclude' | 'error';

/** Counts and times the conditions of webhooks and policies (upstream: admission/metrics). */
export class ConditionFigures {
  readonly #seconds: Histogram;
  readonly #exclusions: Counter;
  readonly #errors: Counter;

  constructor(metrics: MetricsRegistry) {
    const name = (end: string) => `apiserver_admission_match_condition_${end}`;
    this.#seconds = metrics.histogram(
      name('evaluation_seconds'),
      'Time that the conditions of a webhook or policy took.',
      [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    );
    this.#exclusions = metrics.counter(
      name('exclusions_total'),
      'Requests that the conditions of a webhook or policy kept from it.',
    );
    this.#errors = metrics.counter(
      name('evaluation_errors_total'),
      'Requests of which the conditions of a webhook or policy could not be said.',
    );
  }

  ended(place: ConditionPlace, outcome: ConditionOutcome, tookMs: number): void {
    this.#seconds.observe(tookMs / 1000, place);
    if (outcome === 'exclude') this.#exclusions.add(1, place);
    if (outcome === 'error') this.#errors.add(1, place);
  }
}
