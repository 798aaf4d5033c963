import { type DiscoveredResource, kinds } from '@wherry/client';
import { hasReason, type Namespace } from '@wherry/kubeapi';
import type { Controller, ControllerContext } from './controller.ts';
import { limits } from './limits.ts';
import { WorkQueue } from './work-queue.ts';

const finalizer = 'kubernetes';

/** Empties a namespace that is being deleted, then takes the finalizer `kubernetes` off it. */
export function finalizeNamespaces(context: ControllerContext): Controller {
  const { client, informers, clock, logger, served } = context;

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

  const queue = new WorkQueue({
    name: 'namespace',
    clock,
    logger,
    work: async (name, signal) => {
      const namespace = informers.namespaces.objects.get(name);
      if (!namespace?.metadata?.deletionTimestamp || !namespace.spec?.finalizers?.includes(finalizer)) return;
      let left = 0;
      for (const type of await deletable(signal)) left += await empty(type, name, signal);
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
