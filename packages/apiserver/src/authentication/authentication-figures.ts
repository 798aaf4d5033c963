import type { CounterSeries, HistogramSeries, MetricsRegistry } from '@wherry/telemetry';

/** How a try to find out who asks ended: `failure` where nothing was shown that says it, `error` where it was no good. */
export type AuthenticationResult = 'success' | 'failure' | 'error';

const results = ['success', 'failure', 'error'] as const;
/** Upstream's: from a millisecond on, each twice the one before. */
const secondsBounds = Array.from({ length: 15 }, (_, exponent) => 0.001 * 2 ** exponent);
/** Names that upstream tells as they are. */
const toldNames = ['admin', 'client', 'kube_proxy', 'kubelet', 'system:serviceaccount:kube-system:default'];

/** Counts and times how it is found out who asks (upstream: endpoints/filters). No user has a series of his own. */
export class AuthenticationFigures {
  readonly #byResult: ReadonlyMap<
    AuthenticationResult,
    { attempts: CounterSeries; seconds: HistogramSeries }
  >;
  readonly #byName: ReadonlyMap<string, CounterSeries>;
  readonly #addresses: CounterSeries;
  readonly #others: CounterSeries;

  constructor(metrics: MetricsRegistry) {
    const attempts = metrics.counter('authentication_attempts', 'How often it was to be found out who asks.');
    const seconds = metrics.histogram(
      'authentication_duration_seconds',
      'Time that it took to find out who asks.',
      secondsBounds,
    );
    const users = metrics.counter('authenticated_user_requests', 'Requests of who is known, by a few names.');
    this.#byResult = new Map(
      results.map((result) => [
        result,
        { attempts: attempts.series({ result }), seconds: seconds.series({ result }) },
      ]),
    );
    this.#byName = new Map(toldNames.map((username) => [username, users.series({ username })]));
    this.#addresses = users.series({ username: 'email_id' });
    this.#others = users.series({ username: 'other' });
  }

  ended(result: AuthenticationResult, tookMs: number): void {
    const { attempts, seconds } = this.#byResult.get(result)!;
    attempts.add(1);
    seconds.observe(tookMs / 1000);
  }

  isKnown(name: string): void {
    const series = this.#byName.get(name) ?? (name.includes('@') ? this.#addresses : this.#others);
    series.add(1);
  }
}
