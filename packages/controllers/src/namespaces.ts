import { kinds, type ResourceType } from '@wherry/client';
import { hasReason, type Namespace, resources } from '@wherry/kubeapi';
import type { Controller, ControllerContext } from './controller.ts';
import { limits } from './limits.ts';
import { WorkQueue } from './work-queue.ts';

const finalizer = 'kubernetes';

const deletable: ResourceType[] = resources.filter(
  ({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('deletecollection'),
);

/** Empties a namespace that is being deleted, then takes the finalizer `kubernetes` off it. */
export function finalizeNamespaces(context: ControllerContext): Controller {
  const { client, informers, clock, logger } = context;
  const notServed = new Set<ResourceType>();

  /** Deletes what is left of one kind; returns how many objects there were. */
  async function empty(type: ResourceType, namespace: string, signal: AbortSignal): Promise<number> {
    const resource = client.resource(type);
    try {
      const { items } = await resource.list({ namespace, limit: 1, signal });
      if (items.length > 0)
        await resource.deleteCollection({ namespace, signal }, { propagationPolicy: 'Background' });
      return items.length;
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'MethodNotAllowed')) throw error;
      notServed.add(type);
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

  const queue = new WorkQueue({
    name: 'namespace',
    clock,
    logger,
    work: async (name, signal) => {
      const namespace = informers.namespaces.objects.get(name);
      if (!namespace?.metadata?.deletionTimestamp || !namespace.spec?.finalizers?.includes(finalizer)) return;
      let left = 0;
      for (const type of deletable) {
        if (!notServed.has(type)) left += await empty(type, name, signal);
      }
      if (left > 0) queue.addAfter(name, limits.namespacePollMs);
      else await finalize(await client.resource(kinds.namespaces).get({ name, signal }), signal);
    },
  });
  const seen = (namespace: Namespace) => {
    if (namespace.metadata?.deletionTimestamp) queue.add(namespace.metadata.name ?? '');
  };
  informers.namespaces.on({ added: seen, updated: seen });
  return queue;
}
