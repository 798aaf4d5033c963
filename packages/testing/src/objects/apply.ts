import type { KubeClient, KubeObject } from '@wherry/client';
import { keepAlive, sleep, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { limits } from '../limits.ts';

const fieldManager = 'wherry-testing';

/**
 * Applies objects on the server's side, in order, and gives them back as stored; fields that others set are taken over. What
 * a pod's namespace needs and is still being made (its default service account) is waited for, and all are applied again
 * then. Throws as `client.apply` does.
 */
export async function applyObjects(
  client: KubeClient,
  objects: readonly KubeObject[],
  signal?: AbortSignal,
): Promise<KubeObject[]> {
  using _alive = keepAlive();
  const deadline = systemClock.monotonicMs() + limits.accountTimeoutMs;
  for (;;) {
    try {
      return await client.apply(objects, { fieldManager, force: true, signal });
    } catch (error) {
      const isEarly = hasReason(error, 'Forbidden') && /looking up service account/.test(String(error));
      if (!isEarly || systemClock.monotonicMs() > deadline) throw error;
      await sleep({ clock: systemClock, delayMs: limits.accountPollMs, signal });
    }
  }
}
