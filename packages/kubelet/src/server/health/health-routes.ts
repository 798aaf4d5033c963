import type { ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import type { HealthIndicators } from '@wherry/telemetry';
import { answerText, HttpError } from '../answers.ts';

const syncLoopSilenceMsMin = 300_000;

/** Says what is wrong; undefined when nothing is. */
type Check = () => string | undefined;

/** What the check of the loop looks at. */
export interface LoopFacts {
  clock: Clock;
  /** When the loop began its newest turn; 0 before the first. */
  enteredMs: () => number;
  syncFrequencyMs: number;
}

/** `/healthz` and its single checks. The health server, which anyone reaches, tells only that the process answers. */
export class HealthRoutes {
  readonly #checks: ReadonlyMap<string, Check>;

  constructor(loop?: LoopFacts, indicators?: HealthIndicators) {
    const fine: Check = () => undefined;
    const checks: [string, Check][] = [
      ['ping', fine],
      ['log', fine],
      ...(loop ? [['syncloop', () => problemOf(loop)] as [string, Check]] : []),
    ];
    const noted = ([name, check]: [string, Check]): [string, Check] => [
      name,
      () => {
        const problem = check();
        indicators?.note(name, problem === undefined);
        return problem;
      },
    ];
    this.#checks = new Map(checks.map(noted));
  }

  /** Answers, or returns false when the path is none of these. */
  serve(response: ServerResponse, { pathname, searchParams }: URL): boolean {
    const [, root, name, ...rest] = pathname.split('/');
    const one = name ? this.#checks.get(name) : undefined;
    if (root !== 'healthz' || rest.length > 0 || (name && !one)) return false;
    if (one) {
      const problem = one();
      if (problem) throw new HttpError(500, `internal server error: ${problem}`);
      answerText(response, 'ok');
    } else answerText(response, this.#all(searchParams));
    return true;
  }

  #all(query: URLSearchParams): string {
    const excluded = query.getAll('exclude');
    const found = [...this.#checks].map(([name, check]) => {
      if (excluded.includes(name)) return { line: `[+]${name} excluded: ok`, isFine: true };
      const problem = check();
      return { line: problem ? `[-]${name} failed: ${problem}` : `[+]${name} ok`, isFine: !problem };
    });
    const lines = found.map(({ line }) => `${line}\n`).join('');
    if (!found.every(({ isFine }) => isFine)) throw new HttpError(500, `${lines}healthz check failed`);
    return query.has('verbose') ? `${lines}healthz check passed\n` : 'ok';
  }
}

function problemOf({ clock, enteredMs, syncFrequencyMs }: LoopFacts): string | undefined {
  const allowedMs = Math.max(2 * syncFrequencyMs, syncLoopSilenceMsMin);
  const isLate = enteredMs() > 0 && clock.monotonicMs() - enteredMs() > allowedMs;
  return isLate ? 'sync Loop took longer than expected' : undefined;
}
