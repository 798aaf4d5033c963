import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { openKubeconfigWebhook } from '../asking/kubeconfig-webhook.ts';
import { limits, periods } from '../limits.ts';
import { TokenWebhook, type TokenWebhookOptions } from './token-webhook.ts';

/** Throws `ClientError` `bad-config` when its kubeconfig says none. */
export function openTokenWebhook(
  options: TokenWebhookOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): TokenWebhook {
  const webhook = openKubeconfigWebhook({
    ...{ file: options.configFile, clock, timeoutMs: periods.tokenWebhookTimeoutMs },
    bytesMax: limits.reviewAnswerBytesMax,
  });
  return new TokenWebhook(options, { webhook, clock, logger });
}
