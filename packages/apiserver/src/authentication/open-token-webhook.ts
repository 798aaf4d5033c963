import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { openKubeconfigWebhook } from '../asking/kubeconfig-webhook.ts';
import type { Dial } from '../dialing/dial.ts';
import { limits, periods } from '../limits.ts';
import { TokenWebhook, type TokenWebhookOptions } from './token-webhook.ts';

/** Throws `ClientError` `bad-config` when its kubeconfig says none. */
export function openTokenWebhook(
  options: TokenWebhookOptions,
  { clock, logger, dial }: { clock: Clock; logger: Logger; dial?: Dial | undefined },
): TokenWebhook {
  const webhook = openKubeconfigWebhook({
    ...{ file: options.configFile, clock, dial, timeoutMs: periods.tokenWebhookTimeoutMs },
    bytesMax: limits.reviewAnswerBytesMax,
  });
  return new TokenWebhook(options, { webhook, clock, logger });
}
