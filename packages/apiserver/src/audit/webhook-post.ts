import { KubeClient, loadClusterAccess } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { formatDurationMs } from '@wherry/kubeapi';
import { periods } from '../limits.ts';

/** Sends texts to one address. */
export interface AuditPost {
  /** Rejects when there is no answer in time, or it is a refusal. */
  send(body: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * The address and the credentials of a kubeconfig's current context, as the webhooks of kube-apiserver are configured.
 * Throws `ClientError` `bad-config` when the file says none.
 */
export function openAuditPost(kubeconfig: string, clock: Clock): AuditPost {
  const access = loadClusterAccess({ kubeconfig, clock });
  const requestTimeoutMs = periods.auditWebhookTimeoutMs;
  const client = new KubeClient({ access, clock, requestTimeoutMs, userAgent: 'wherry-apiserver' });
  // A client adds paths to the one of its server.
  const path = `${access.server.pathname === '/' ? '/' : ''}?timeout=${formatDurationMs(requestTimeoutMs)}`;
  return {
    async send(body, signal) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, */*' };
      const answer = await client.stream({ method: 'POST', path, headers, body, signal });
      answer.cancel();
    },
    close: () => client.close(),
  };
}
