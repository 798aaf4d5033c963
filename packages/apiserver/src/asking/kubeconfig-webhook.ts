import { ClientError, KubeClient, loadClusterAccess } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { formatDurationMs, StatusError } from '@wherry/kubeapi';
import type { Dial } from '../dialing/dial.ts';

/** What a webhook is asked with. */
export interface KubeconfigWebhookOptions {
  /** A kubeconfig: where to, and as whom. */
  file: string;
  clock: Clock;
  /** How it is reached. Default: from here. */
  dial?: Dial | undefined;
  /** The answer is there by then. */
  timeoutMs: number;
  /** Bytes of it. */
  bytesMax: number;
}

/** No answer, or a refusal. What the webhook said is not in the message: it may be what it was sent. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** Whether to ask again may help, as upstream sees it (util/webhook: DefaultShouldRetry). */
  readonly mayPass: boolean;
  /** There was no answer in time. */
  readonly isLate: boolean;

  constructor(message: string, mayPass: boolean, isLate = false) {
    super(message);
    this.mayPass = mayPass;
    this.isLate = isLate;
  }
}

/** Sends texts to one address. */
export interface KubeconfigWebhook {
  /** The text of the answer. Rejects with {@link WebhookError}, or the signal's reason. */
  ask(body: string, signal: AbortSignal): Promise<string>;
  close(): void;
}

/**
 * The address and the credentials of a kubeconfig's current context, as the webhooks of kube-apiserver are configured.
 * Throws `ClientError` `bad-config` when the file says none.
 */
export function openKubeconfigWebhook({
  file,
  clock,
  dial,
  timeoutMs,
  bytesMax,
}: KubeconfigWebhookOptions): KubeconfigWebhook {
  const access = { ...loadClusterAccess({ kubeconfig: file, clock }), dial };
  const client = new KubeClient({
    ...{ access, clock, requestTimeoutMs: timeoutMs, userAgent: 'wherry-apiserver' },
  });
  // A client adds paths to the one of its server.
  const path = `${access.server.pathname === '/' ? '/' : ''}?timeout=${formatDurationMs(timeoutMs)}`;
  return {
    async ask(body, signal) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, */*' };
      try {
        const answer = await client.stream({ method: 'POST', path, headers, body, signal });
        return await readText(answer.body, bytesMax);
      } catch (error) {
        signal.throwIfAborted();
        throw webhookErrorOf(error);
      }
    },
    close: () => client.close(),
  };
}

async function readText(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new WebhookError(`the answer is longer than ${bytesMax} bytes`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const passingReasons: readonly unknown[] = ['InternalError', 'Timeout', 'TooManyRequests', 'ServerTimeout'];

function webhookErrorOf(cause: unknown): WebhookError {
  if (cause instanceof WebhookError) return cause;
  if (cause instanceof StatusError) {
    const { code, status } = cause;
    return new WebhookError(`the webhook answers ${code}`, passingReasons.includes(status.reason));
  }
  const isTorn = cause instanceof ClientError && isReset(cause.cause);
  const isLate = cause instanceof ClientError && cause.code === 'timed-out';
  const message = cause instanceof Error ? cause.message : 'the webhook can not be asked';
  return new WebhookError(message, isTorn, isLate);
}

function isReset(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
}
