import type { Clock } from '@wherry/clock';
import { openKubeconfigWebhook } from '../asking/kubeconfig-webhook.ts';
import type { Dial } from '../dialing/dial.ts';
import { limits, periods } from '../limits.ts';

/** Sends texts to one address. */
export interface AuditPost {
  /** Rejects when there is no answer in time, or it is a refusal. */
  send(body: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The address and the credentials of a kubeconfig's current context. Throws `ClientError` `bad-config` when the file says none. */
export function openAuditPost(file: string, clock: Clock, dial?: Dial): AuditPost {
  const webhook = openKubeconfigWebhook({
    ...{ file, clock, dial, timeoutMs: periods.auditWebhookTimeoutMs, bytesMax: limits.reviewAnswerBytesMax },
  });
  return {
    async send(body, signal) {
      await webhook.ask(body, signal);
    },
    close: () => webhook.close(),
  };
}
