import type { KubeObject } from '@wherry/client';
import { keepAlive, sleep, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { Resources } from './resources.ts';

const fieldManager = 'wherry-testing';

/**
 * Applies an object on the server's side and gives it back as stored; fields that others set are taken over. What a pod's
 * namespace needs and is still being made (its default service account) is waited for. Throws `StatusError`.
 */
export async function applyObject(
  resources: Resources,
  object: KubeObject,
  signal?: AbortSignal,
): Promise<KubeObject> {
  using _alive = keepAlive();
  const { resource, name, namespace } = await resources.placeOf(object, signal);
  const deadline = systemClock.monotonicMs() + limits.accountTimeoutMs;
  for (;;) {
    try {
      return await resource.patch({
        ...{ name, namespace, type: 'apply', patch: object, fieldManager, force: true, signal },
      });
    } catch (error) {
      const isEarly = hasReason(error, 'Forbidden') && /looking up service account/.test(String(error));
      if (!isEarly || systemClock.monotonicMs() > deadline) throw error;
      await sleep({ clock: systemClock, delayMs: limits.waitPollMs, signal });
    }
  }
}
