import { type DiscoveredResource, kinds } from '@wherry/client';
import { hasReason, type Namespace } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';

const finalizer = 'kubernetes';

const watches = { namespaces: { type: kinds.namespaces } };

/** Empties a namespace that is being deleted, then takes the finalizer `kubernetes` off it. Keys are names. */
export const namespaceController = defineController({
  name: 'namespace-controller',
  watches,
  writes: ['*', 'namespaces/finalize'],
  build,
});

function build({ cluster, informers, queue }: ControllerContext<typeof watches>): Reconciler<typeof watches> {
  const { client, served } = cluster;

  /** What may stand in a namespace now. Throws while the server can't tell: nothing must be left behind. */
  async function deletable(signal: AbortSignal): Promise<DiscoveredResource[]> {
    await served.refresh(signal);
    if (served.failed.length > 0) {
      throw new Error(`the server does not tell what it serves of ${served.failed.join(', ')}`);
    }
    return served.withVerbs('list', 'delete').filter(({ namespaced }) => namespaced);
  }

  /** Deletes what is left of one kind; returns how many objects there were at least. */
  async function empty(type: DiscoveredResource, namespace: string, signal: AbortSignal): Promise<number> {
    const resource = client.metadata(type);
    const options = { propagationPolicy: 'Background', signal } as const;
    try {
      const isCollective = type.verbs.includes('deletecollection');
      const limit = isCollective ? 1 : limits.namespacePageSize;
      const { items } = await resource.list({ namespace, limit, signal });
      if (items.length > 0 && isCollective) {
        await resource.deleteCollection({ namespace, signal }, options);
      } else {
        for (const { metadata } of items)
          await resource.delete({ name: metadata?.name ?? '', namespace }, options);
      }
      return items.length;
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'MethodNotAllowed')) throw error;
      return 0;
    }
  }

  async function finalize(namespace: Namespace, signal: AbortSignal): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== finalizer);
    const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } };
    const name = namespace.metadata?.name ?? '';
    await client.request({
      method: 'PUT',
      path: `/api/v1/namespaces/${name}/finalize`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(finalized),
      signal,
    });
  }

  return {
    keysOf: {
      namespaces: ({ metadata }, change) =>
        metadata?.deletionTimestamp && change !== 'deleted' ? [metadata.name ?? ''] : [],
    },
    async reconcile(name, signal) {
      const namespace = informers.namespaces.objects.get(name);
      if (!namespace?.metadata?.deletionTimestamp || !namespace.spec?.finalizers?.includes(finalizer)) return;
      let left = 0;
      for (const type of await deletable(signal)) left += await empty(type, name, signal);
      if (left > 0) queue.addAfter(name, limits.namespacePollMs);
      else await finalize(await client.resource(kinds.namespaces).get({ name, signal }), signal);
    },
  };
}
