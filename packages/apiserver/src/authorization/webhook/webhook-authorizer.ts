import type { Clock } from '@wherry/clock';
import { type JsonObject, ownValue } from '@wherry/kubeapi';
import { AccessExpressionError, allHold } from '@wherry/kubeapi/access-expressions';
import type { Logger } from '@wherry/telemetry';
import { askAgain } from '../../asking/ask-again.ts';
import { type KubeconfigWebhook, WebhookError } from '../../asking/kubeconfig-webhook.ts';
import { RememberedAnswers } from '../../asking/remembered-answers.ts';
import { reviewStatus } from '../../asking/review-status.ts';
import { SparseLog } from '../../asking/sparse-log.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { limits } from '../../limits.ts';
import { type Attributes, type Authorizer, type Decision, noOpinion } from '../authorizer.ts';
import type { CompiledWebhook } from '../configuration/compiled-authorizers.ts';
import { reviewSpec, sentSpec } from './review-spec.ts';
import type { EvaluationResult, WebhookAuthorizerFigures } from './webhook-figures.ts';

/** What a webhook is asked with. */
export interface WebhookAuthorizerParts {
  webhook: KubeconfigWebhook;
  clock: Clock;
  logger: Logger;
  figures: WebhookAuthorizerFigures;
}

/** Decides by a webhook's word (upstream: plugin/pkg/authorizer/webhook). */
export class WebhookAuthorizer implements Authorizer {
  readonly #webhook: CompiledWebhook;
  readonly #parts: WebhookAuthorizerParts;
  readonly #apiVersion: string;
  readonly #answers: RememberedAnswers<Decision>;
  readonly #log: SparseLog;

  constructor(webhook: CompiledWebhook, parts: WebhookAuthorizerParts) {
    this.#webhook = webhook;
    this.#parts = parts;
    this.#apiVersion = `authorization.k8s.io/${webhook.configuration.subjectAccessReviewVersion}`;
    this.#answers = new RememberedAnswers(parts.clock, limits.webhookDecisionsMax);
    this.#log = new SparseLog(parts.logger, parts.clock);
  }

  get name(): string {
    return this.#webhook.name;
  }

  close(): void {
    this.#parts.webhook.close();
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    const spec = reviewSpec(attributes);
    try {
      const { conditions } = this.#webhook;
      const hold = () => allHold(conditions, spec);
      if (conditions.length > 0 && !this.#parts.figures.conditions(this.name, hold)) return noOpinion;
    } catch (error) {
      if (!(error instanceof AccessExpressionError)) throw error;
      return this.#failure(error);
    }
    const { subjectAccessReviewVersion: version } = this.#webhook.configuration;
    const question = JSON.stringify(sentSpec(spec, version));
    const known = this.#answers.known(question);
    if (known) return known;
    return this.#answers
      .answer(question, () => this.#ask(question, attributes))
      .catch((error: unknown) => this.#failure(error));
  }

  /** By its failure policy. */
  #failure(error: unknown): Decision {
    const { name, configuration } = this.#webhook;
    this.#log.tell('a webhook can not be asked what somebody may', { webhook: name, error });
    const why = error instanceof Error ? error.message : String(error);
    const outcome = configuration.failurePolicy === 'Deny' ? 'deny' : 'no-opinion';
    return { outcome, reason: '', error: new Error(`webhook ${name}: ${why}`) };
  }

  async #ask(question: string, attributes: Attributes) {
    const { webhook } = this.#parts;
    const head = JSON.stringify({ kind: 'SubjectAccessReview', apiVersion: this.#apiVersion, metadata: {} });
    const body = `${head.slice(0, -1)},"spec":${question},"status":{"allowed":false}}`;
    const answer = await this.#timed(askAgain(webhook, body, this.#parts.clock));
    const kind = 'SubjectAccessReview';
    const value = decisionIn(reviewStatus(answer, { kind, apiVersion: this.#apiVersion }));
    return { value, lifetimeMs: isModest(attributes) ? this.#lifetimeMs(value) : 0 };
  }

  async #timed(asking: Promise<string>): Promise<string> {
    const { clock, figures } = this.#parts;
    const startedMs = clock.monotonicMs();
    const tell = (result: EvaluationResult) =>
      figures.asked(this.name, result, clock.monotonicMs() - startedMs);
    try {
      const answer = await asking;
      tell('success');
      return answer;
    } catch (error) {
      const isLate = error instanceof WebhookError && error.isLate;
      const result = isLate ? 'timeout' : 'error';
      tell(result);
      if (this.#webhook.configuration.failurePolicy !== 'Deny') figures.failedOpen(this.name, result);
      throw error;
    }
  }

  #lifetimeMs({ outcome }: Decision): number {
    const { configuration: of } = this.#webhook;
    if (outcome === 'allow') return of.cacheAuthorizedRequests ? of.authorizedTtlMs : 0;
    return of.cacheUnauthorizedRequests ? of.unauthorizedTtlMs : 0;
  }
}

/** As upstream: whoever asks with long words shall not fill the memory. */
function isModest(attributes: Attributes): boolean {
  const { namespace, verb, group, version = '', resource, subresource, name, path } = attributes;
  const words = [namespace, verb, group, version, resource, subresource, name, path];
  const length = words.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  return length < limits.rememberedAttributesBytesMax;
}

function decisionIn(status: JsonObject): Decision {
  const reader = new StrictReader();
  const allowed = reader.flag('status.allowed', ownValue(status, 'allowed')) ?? false;
  const denied = reader.flag('status.denied', ownValue(status, 'denied')) ?? false;
  const reason = reader.text('status.reason', ownValue(status, 'reason'));
  if (!denied) return { outcome: allowed ? 'allow' : 'no-opinion', reason };
  if (!allowed) return { outcome: 'deny', reason };
  const error = new Error('webhook subject access review returned both allow and deny response');
  return { outcome: 'deny', reason, error };
}
