import type { Clock } from '@wherry/clock';
import type { Counter, CounterSeries, HistogramSeries, MetricsRegistry } from '@wherry/telemetry';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';

const outcomes = { allow: 'allowed', deny: 'denied', 'no-opinion': 'no-opinion' } as const;
/** Upstream's: from a millisecond on, each twice the one before. */
const secondsBounds = Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent);

/** Counts and times decisions about requests (upstream: endpoints/filters, authorization/metrics). */
export class AuthorizationFigures {
  readonly #byResult: ReadonlyMap<string, { attempts: CounterSeries; seconds: HistogramSeries }>;
  readonly #decisions: Counter;
  readonly #clock: Clock;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const attempts = metrics.counter('authorization_attempts_total', 'Requests that were decided about.');
    const seconds = metrics.histogram(
      'authorization_duration_seconds',
      'Time that decisions about requests took.',
      secondsBounds,
    );
    this.#byResult = new Map(
      [...Object.values(outcomes), 'error'].map((result) => [
        result,
        { attempts: attempts.series({ result }), seconds: seconds.series({ result }) },
      ]),
    );
    this.#decisions = metrics.counter(
      'apiserver_authorization_decisions_total',
      'Decisions by who made them.',
    );
  }

  /** The decision about a request. */
  async timed(authorizer: Authorizer, attributes: Attributes): Promise<Decision> {
    const startedMs = this.#clock.monotonicMs();
    const decision = await authorizer.authorize(attributes);
    const isError = decision.outcome !== 'allow' && decision.error !== undefined;
    const { attempts, seconds } = this.#byResult.get(isError ? 'error' : outcomes[decision.outcome])!;
    attempts.add(1);
    seconds.observe((this.#clock.monotonicMs() - startedMs) / 1000);
    return decision;
  }

  /** The same authorizer, whose own decisions are counted. */
  counted(type: string, name: string, authorizer: Authorizer): Authorizer {
    const known = new Map<Decision['outcome'], CounterSeries>();
    const count = (decision: Decision): Decision => {
      const { outcome } = decision;
      if (outcome === 'no-opinion') return decision;
      const series =
        known.get(outcome) ?? this.#decisions.series({ type, name, decision: outcomes[outcome] });
      known.set(outcome, series);
      series.add(1);
      return decision;
    };
    return {
      authorize(attributes) {
        const decision = authorizer.authorize(attributes);
        return decision instanceof Promise ? decision.then(count) : count(decision);
      },
    };
  }
}
