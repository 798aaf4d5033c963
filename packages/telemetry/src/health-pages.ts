import { HealthIndicators } from './health-indicators.ts';

/** What a health check asks: should the process be ended, or should it be sent requests? */
export type HealthKind = 'livez' | 'readyz';

/** One thing that a server which is live, or ready, has; why it has not stands in the log alone. */
export interface HealthCheck {
  name: string;
  holds: boolean;
}

/** What a page of health says: 200 where all is well, else 500. */
export interface HealthAnswer {
  status: 200 | 500;
  /** `text/plain`. */
  text: string;
}

/** Matches the paths of {@link HealthPages.answer}. */
export const healthPaths = /^\/(healthz|livez|readyz)(\/|$)/;

/** The pages that tell how a server of Kubernetes is (upstream: apiserver/pkg/server/healthz), and what they have told. */
export class HealthPages {
  readonly #checksOf: (kind: HealthKind) => readonly HealthCheck[];
  readonly #indicators = new HealthIndicators();

  constructor(checksOf: (kind: HealthKind) => readonly HealthCheck[]) {
    this.#checksOf = checksOf;
  }

  /**
   * Answers `/livez`, `/readyz` and `/healthz`: `ok`, or with `isVerbose` each check; 500 when one fails that `excluded` does
   * not name. A path below is that of one check: undefined when there is none.
   */
  answer(
    path: string,
    { isVerbose, excluded }: { isVerbose: boolean; excluded: Iterable<string> },
  ): HealthAnswer | undefined {
    const [, kind = '', ...rest] = path.split('/');
    const checks = this.#checksOf(kind === 'livez' ? 'livez' : 'readyz');
    const asked = rest.length === 0 ? checks : checks.filter(({ name }) => name === rest.join('/'));
    if (asked.length === 0) return undefined;
    const leftOut = new Set(excluded);
    const counted = asked.filter(({ name }) => !leftOut.has(name));
    for (const { name, holds } of counted) this.#indicators.note(name, holds, kind);
    const hasFailed = counted.some(({ holds }) => !holds);
    const isWhole = hasFailed || (isVerbose && rest.length === 0);
    return { status: hasFailed ? 500 : 200, text: isWhole ? report(kind, asked, leftOut, hasFailed) : 'ok' };
  }

  /** `/metrics/slis`: how the checks that were asked for ended. */
  indicators(): string {
    return this.#indicators.render();
  }
}

function report(
  kind: string,
  checks: readonly HealthCheck[],
  excluded: ReadonlySet<string>,
  hasFailed: boolean,
): string {
  const lines = checks.map(({ name, holds }) => {
    if (excluded.has(name)) return `[+]${name} excluded: ok`;
    return holds ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
  });
  return `${lines.join('\n')}\n${kind} check ${hasFailed ? 'failed' : 'passed'}\n`;
}
