import { backoff, type Clock, deadline, sleep } from '@wherry/clock';
import { periods } from '../limits.ts';
import { type KubeconfigWebhook, WebhookError } from './kubeconfig-webhook.ts';

const triesMax = 5;
const growth = 1.5;

/**
 * Asks a webhook, and again where that may help (upstream: DefaultAuthWebhookRetryBackoff); all of it ends in time. Rejects with
 * {@link WebhookError}.
 */
export async function askAgain(webhook: KubeconfigWebhook, body: string, clock: Clock): Promise<string> {
  using patience = deadline({ clock, timeoutMs: periods.accessWebhookMs });
  const { signal } = patience;
  const initialMs = periods.accessWebhookRetryMs;
  const delays = backoff({ initialMs, maxMs: initialMs * growth ** triesMax, factor: growth });
  for (let tries = 1; ; tries += 1) {
    try {
      return await webhook.ask(body, signal);
    } catch (error) {
      if (signal.aborted) throw new WebhookError('the webhook has not answered in time', false);
      if (!(error instanceof WebhookError && error.mayPass) || tries === triesMax) throw error;
    }
    await sleep({ clock, delayMs: delays.nextDelayMs(), signal }).catch(() => {});
  }
}
