import { type Clock, deadline, tryAgain } from '@wherry/clock';
import { periods } from '../limits.ts';
import { type KubeconfigWebhook, WebhookError } from './kubeconfig-webhook.ts';

const triesMax = 5;
const factor = 1.5;

/**
 * Asks a webhook, and again, after `initialMs` at first, where that may help (upstream: DefaultAuthWebhookRetryBackoff); all of it ends in time. Rejects with
 * {@link WebhookError}.
 */
export async function askAgain(
  webhook: KubeconfigWebhook,
  body: string,
  clock: Clock,
  initialMs: number = periods.accessWebhookRetryMs,
): Promise<string> {
  using patience = deadline({ clock, timeoutMs: periods.accessWebhookMs });
  const { signal } = patience;
  const delays = { initialMs, maxMs: initialMs * factor ** triesMax, factor };
  const mayPass = (error: unknown) => error instanceof WebhookError && error.mayPass;
  try {
    return await tryAgain(() => webhook.ask(body, signal), { clock, triesMax, delays, mayPass, signal });
  } catch (error) {
    if (signal.aborted) throw new WebhookError('the webhook has not answered in time', false, true);
    throw error;
  }
}
