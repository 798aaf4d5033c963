import { keyOf, kinds } from '@wherry/client';
import { bootstrapTokenType, readBootstrapToken } from '@wherry/kubeapi/objects';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

const watches = {
  secrets: { type: kinds.secrets, namespace: 'kube-system', fieldSelector: `type=${bootstrapTokenType}` },
};

/** Deletes bootstrap tokens that are over. */
export const tokenCleaner = defineController({
  name: 'token-cleaner-controller',
  account: 'token-cleaner',
  watches,
  writes: ['secrets'],
  build: ({ cluster, informers, queue }) => ({
    keysOf: { secrets: (secret) => [keyOf(secret)] },
    async reconcile(key, signal) {
      const secret = informers.secrets.objects.get(key);
      const expiresAtMs = secret && readBootstrapToken(secret)?.expiresAtMs;
      if (!secret || expiresAtMs === undefined || expiresAtMs === Number.POSITIVE_INFINITY) return;
      const waitMs = expiresAtMs - cluster.clock.nowMs();
      if (waitMs > 0) return queue.addAfter(key, waitMs);
      const { name = '', namespace, uid = '' } = secret.metadata;
      try {
        await cluster.client
          .resource(kinds.secrets)
          .delete({ name, namespace }, { preconditions: { uid }, signal });
      } catch (error) {
        if (!isLateWrite(error)) throw error;
      }
    },
  }),
});
