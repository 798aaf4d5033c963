import { backoff, sleep } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi/objects';
import { RemoteCommandError } from '@wherry/remotecommand';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { limits } from '../limits.ts';

/** How long a copy is taken up again. */
export interface AttemptOptions {
  /** Default `limits.copyRetriesMax`. */
  retries?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Does a piece of work again, after a growing pause, when its connection was cut. `attempt` counts from 0. Rejects with
 * the last error when the attempts are used up, and at once with any other failure.
 */
export async function withAttempts<T>(
  client: KubeClient,
  { retries = limits.copyRetriesMax, signal }: AttemptOptions,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const delays = backoff(limits.copyRetryMs);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const isWorthIt = isCut(error) || (attempt > 0 && isRefusedForNow(error));
      if (!isWorthIt || attempt >= retries || signal?.aborted) throw error;
      await sleep({ clock: client.clock, delayMs: delays.nextDelayMs(), signal, keepsAlive: true });
    }
  }
}

/** The connection broke, or could not be made. */
function isCut(error: unknown): boolean {
  if (error instanceof ClientError) return error.code === 'unreachable';
  return error instanceof RemoteCommandError && error.code !== 'failure' && error.code !== 'aborted';
}

/** After a cut: what cut the connection may still be under way. */
function isRefusedForNow(error: unknown): boolean {
  return error instanceof StatusError && (error.code ?? 0) >= 500;
}
