import type { Clock } from '@wherry/clock';
import { badRequest, internalError, parseDurationMs, timedOut } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { periods } from '../../limits.ts';
import type { WebhookClient } from '../../webhooks/webhook-client.ts';
import type { WebhookUsers } from '../../webhooks/webhook-users.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { RejectionCause, WebhookFigures } from '../figures/webhook-figures.ts';
import { denial, questionFor, readVerdict, type Verdict } from './admission-review.ts';
import type { Form, Invocation } from './invocation.ts';

/** What calls are made with. */
export interface CallParts {
  client: WebhookClient;
  clock: Clock;
  logger: Logger;
  figures: WebhookFigures;
  /** As whom; absent: as nobody. */
  users?: WebhookUsers | undefined;
}

/** How one webhook is asked. */
export interface CallOptions {
  form: Form;
  isMutating: boolean;
  /** Which of the webhooks that are asked it is, as the audit log counts them: `round_0_index_2`. */
  place: string;
  parts: CallParts;
}

/** The time that all webhooks of a request share, from the first of them on. */
const deadlinesMs = new WeakMap<AdmissionRequest, number>();
const withoutSideEffects = ['None', 'NoneOnDryRun'];

/**
 * Asks a webhook. Undefined when it could not be asked and that is to be ignored. Throws its refusal, or the failure as
 * upstream words it.
 */
export async function callWebhook(
  invocation: Invocation,
  request: AdmissionRequest,
  { form, isMutating, place, parts }: CallOptions,
): Promise<Verdict | undefined> {
  const { webhook, configuration } = invocation.hook;
  const { name, sideEffects, failurePolicy } = webhook;
  const facts = { configuration, webhook: name };
  const startedMs = parts.clock.monotonicMs();
  const tell = (code: number, rejection?: RejectionCause, isFailOpen = false) =>
    parts.figures.ended({
      ...{ name, type: isMutating ? 'admit' : 'validating', operation: request.operation },
      ...{ tookMs: parts.clock.monotonicMs() - startedMs, code, rejection, isFailOpen },
    });
  if (request.dryRun && !withoutSideEffects.includes(sideEffects)) {
    tell(0, 'apiserver_internal_error');
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  }
  const leftMs = timeLeftMs(request, parts.clock);
  let verdict: Verdict;
  try {
    verdict = await ask(invocation, request, { ...parts, form, isMutating, leftMs });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const failure = new Error(`failed calling webhook ${JSON.stringify(name)}: ${why}`, { cause: error });
    const isIgnored = failurePolicy === 'Ignore';
    const code = error instanceof InvalidAnswer ? 503 : 500;
    tell(code, isIgnored ? undefined : 'calling_webhook_error', isIgnored);
    if (!isIgnored) throw internalError(failure);
    parts.logger.warn('a webhook that could not be called is ignored', { ...facts, failure });
    const kind = isMutating ? 'mutation' : 'validating';
    request.annotate(`failed-open.${kind}.webhook.admission.k8s.io/${place}`, name);
    // When the request itself is at its end, nobody is asked in place of that one.
    timeLeftMs(request, parts.clock);
    request.signal?.throwIfAborted();
    return undefined;
  }
  for (const text of verdict.warnings) request.warn(text);
  for (const [key, value] of Object.entries(verdict.auditAnnotations))
    request.annotate(`${name}/${key}`, value);
  if (!verdict.isAllowed) {
    const refusal = denial(name, verdict.status);
    tell(refusal.code, 'no_error');
    throw refusal;
  }
  tell(200);
  return verdict;
}

/** What came from the webhook is no answer. */
class InvalidAnswer extends Error {}

async function ask(
  invocation: Invocation,
  request: AdmissionRequest,
  options: Pick<CallParts, 'client' | 'users'> & { form: Form; isMutating: boolean; leftMs: number },
): Promise<Verdict> {
  const { form, isMutating, client, users, leftMs } = options;
  const { clientConfig, timeoutSeconds } = invocation.hook.webhook;
  const question = await questionFor(invocation, request, form);
  const ownMs = timeoutSeconds === undefined ? leftMs : timeoutSeconds * 1000;
  const answer = await client
    .call({
      ...{ config: clientConfig, body: question.body, signal: request.signal },
      ...{ timeoutMs: Math.min(ownMs, leftMs), users },
    })
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`failed to call webhook: ${why}`, { cause: error });
    });
  try {
    return readVerdict(answer, question, isMutating);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidAnswer(`received invalid webhook response: ${why}`, { cause: error });
  }
}

/** Throws 504 once there is none. */
function timeLeftMs(request: AdmissionRequest, clock: Clock): number {
  const nowMs = clock.monotonicMs();
  const deadlineMs = deadlinesMs.get(request) ?? nowMs + patienceMs(request.timeout);
  deadlinesMs.set(request, deadlineMs);
  if (deadlineMs <= nowMs) throw timedOut('request did not complete within requested timeout');
  return deadlineMs - nowMs;
}

/** What the client asks for, if that is less than usual. */
function patienceMs(timeout = ''): number {
  try {
    const askedMs = timeout === '' ? 0 : parseDurationMs(timeout);
    return askedMs > 0 ? Math.min(askedMs, periods.webhooksMs) : periods.webhooksMs;
  } catch {
    return periods.webhooksMs;
  }
}
