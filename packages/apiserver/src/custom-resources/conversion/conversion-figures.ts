import type { Clock } from '@wherry/clock';
import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** Why objects could not be converted, in upstream's words. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

/** Of which definition objects are converted, and between which versions. */
export interface ConversionPlace {
  crd_name: string;
  from_version: string;
  to_version: string;
}

/** Counts and times the webhooks that convert custom resources (upstream: apiextensions-apiserver, pkg/apiserver/conversion). */
export class ConversionFigures {
  readonly #clock: Clock;
  readonly #requests: Counter;
  readonly #seconds: Histogram;
  readonly #byDefinition: Histogram;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#requests = metrics.counter(
      'apiserver_conversion_webhook_request_total',
      'How often webhooks were to convert objects.',
    );
    this.#seconds = metrics.histogram(
      'apiserver_conversion_webhook_duration_seconds',
      'Time that webhooks took to convert objects.',
      [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
    );
    this.#byDefinition = metrics.histogram(
      'apiserver_crd_conversion_webhook_duration_seconds',
      'Time that webhooks took to convert objects, by definition.',
      Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent),
    );
  }

  /** What `work` gives; it says by `onStep` what goes wrong if it fails from there on. */
  async timed<T>(
    place: ConversionPlace,
    work: (onStep: (failure: ConversionFailure) => void) => Promise<T>,
  ): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    let failure: ConversionFailure = 'conversion_webhook_call_failure';
    const tell = (succeeded: boolean) => {
      const seconds = (this.#clock.monotonicMs() - startedMs) / 1000;
      const labels = {
        ...{ result: succeeded ? 'success' : 'failure', failure_type: succeeded ? '' : failure },
      };
      this.#requests.add(1, labels);
      this.#seconds.observe(seconds, labels);
      this.#byDefinition.observe(seconds, { ...place, succeeded: String(succeeded) });
    };
    try {
      const result = await work((next) => {
        failure = next;
      });
      tell(true);
      return result;
    } catch (error) {
      tell(false);
      throw error;
    }
  }
}
