import type { ServerResponse } from 'node:http';
import { HealthIndicators } from '@wherry/telemetry';
import { sendPageNotFound } from '../http/page-not-found.ts';
import type { Query } from '../http/query.ts';

/** What a health check asks: should the process be ended, or should it be sent requests? */
export type HealthKind = 'livez' | 'readyz';

/** One thing that a server which is live, or ready, has; why it has not stands in the log alone. */
export interface HealthCheck {
  name: string;
  holds: boolean;
}

/** Matches the paths of {@link HealthPages.serve}. */
export const healthPaths = /^\/(healthz|livez|readyz)(\/|$)/;

/** The pages that tell how the server is, and what they have told. */
export class HealthPages {
  readonly #checksOf: (kind: HealthKind) => HealthCheck[];
  readonly #indicators = new HealthIndicators();

  constructor(checksOf: (kind: HealthKind) => HealthCheck[]) {
    this.#checksOf = checksOf;
  }

  /**
   * Answers `/livez`, `/readyz` and `/healthz`: `ok`, or with `verbose` each check; 500 when one fails that `exclude` does
   * not name. A path below is that of one check: 404 when there is none.
   */
  serve(path: string, query: Query, response: ServerResponse): void {
    const [, kind = '', ...rest] = path.split('/');
    const checks = this.#checksOf(kind === 'livez' ? 'livez' : 'readyz');
    const asked = rest.length === 0 ? checks : checks.filter(({ name }) => name === rest.join('/'));
    if (asked.length === 0) {
      sendPageNotFound(response);
      return;
    }
    const excluded = new Set(query.list('exclude'));
    const counted = asked.filter(({ name }) => !excluded.has(name));
    for (const { name, holds } of counted) this.#indicators.note(name, holds, kind);
    const hasFailed = counted.some(({ holds }) => !holds);
    const isVerbose = query.has('verbose') && rest.length === 0;
    send(
      response,
      hasFailed ? 500 : 200,
      hasFailed || isVerbose ? report(kind, asked, excluded, hasFailed) : 'ok',
    );
  }

  /** `/metrics/slis`: how the checks that were asked for ended. */
  indicators(): string {
    return this.#indicators.render();
  }
}

function report(kind: string, checks: HealthCheck[], excluded: Set<string>, hasFailed: boolean): string {
  const lines = checks.map(({ name, holds }) => {
    if (excluded.has(name)) return `[+]${name} excluded: ok`;
    return holds ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
  });
  return `${lines.join('\n')}\n${kind} check ${hasFailed ? 'failed' : 'passed'}\n`;
}

function send(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
