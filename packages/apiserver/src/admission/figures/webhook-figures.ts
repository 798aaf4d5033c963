import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { Operation } from '../admission.ts';

/** What webhooks do, in upstream's words, which are not the same in all its families. */
export type WebhookType = 'admit' | 'validating';

/** Why a request was refused: by the webhook's word, since it could not be asked, or for a mistake of this server. */
export type RejectionCause = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';

/** How a webhook was asked, and came to its answer. */
export interface WebhookOutcome {
  name: string;
  type: WebhookType;
  operation: Operation;
  tookMs: number;
  /** That of the answer, 0 where there is none. */
  code: number;
  /** Undefined: the request goes on. */
  rejection: RejectionCause | undefined;
  /** It could not be asked, and that is ignored. */
  isFailOpen: boolean;
}

/** Whatever a webhook says, there are no more codes than these. */
const codeMax = 600;

/** Counts and times webhooks by their names (upstream: admission/metrics). */
export class WebhookFigures {
  readonly #duration: Histogram;
  readonly #requests: Counter;
  readonly #rejections: Counter;
  readonly #failOpen: Counter;

  constructor(metrics: MetricsRegistry) {
    const name = (end: string) => `apiserver_admission_webhook_${end}`;
    this.#duration = metrics.histogram(
      name('admission_duration_seconds'),
      'Time that a webhook took.',
      [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    );
    this.#requests = metrics.counter(name('request_total'), 'How often a webhook was asked.');
    this.#rejections = metrics.counter(
      name('rejection_count'),
      'Requests that were refused by a webhook, or since it could not be asked.',
    );
    this.#failOpen = metrics.counter(
      name('fail_open_count'),
      'Requests that went on though a webhook could not be asked.',
    );
  }

  ended({ name, type, operation, tookMs, code, rejection, isFailOpen }: WebhookOutcome): void {
    const rejected = String(rejection !== undefined);
    const told = String(Math.min(code, codeMax));
    const place = { name, type, operation };
    this.#duration.observe(tookMs / 1000, { ...place, rejected });
    this.#requests.add(1, { ...place, code: told, rejected });
    if (rejection !== undefined)
      this.#rejections.add(1, { ...place, error_type: rejection, rejection_code: told });
    if (isFailOpen) this.#failOpen.add(1, { name, type });
  }
}
