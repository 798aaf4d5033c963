import { isDeepStrictEqual } from 'node:util';
import { type DiscoveredResource, kinds } from '@wherry/client';
import { type Backoff, backoff } from '@wherry/clock';
import { hasReason, type Namespace, timeFromMs } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import { type Emptying, namespaceConditions, staleDiscovery } from './namespace-conditions.ts';
import { ContentCount } from './remaining-content.ts';

const finalizer = 'kubernetes';

const watches = { namespaces: { type: kinds.namespaces } };

/** Empties a namespace that is being deleted, then takes the finalizer `kubernetes` off it. Keys are names. */
export const namespaceController = defineController({
  name: 'namespace-controller',
  watches,
  writes: ['*', 'namespaces/status', 'namespaces/finalize'],
  build: namespaceReconciler,
});

interface KindToEmpty {
  type: DiscoveredResource;
  namespace: string;
  /** Where the rest is counted. */
  content: ContentCount;
  signal: AbortSignal;
}

/** What empties namespaces. */
export function namespaceReconciler({
  cluster,
  informers,
  queue,
}: ControllerContext<typeof watches>): Reconciler<typeof watches> {
  const { client, clock, served } = cluster;
  /** Of each namespace that is not yet empty: a finalizer may keep it for days, and each look is at all kinds. */
  const waits = new Map<string, Backoff>();

  /** Why the server does not tell all that may stand in a namespace; undefined when it does. */
  async function discoveryFailure(signal: AbortSignal): Promise<string | undefined> {
    try {
      await served.refresh(signal);
    } catch (error) {
      signal.throwIfAborted();
      return messageOf(error);
    }
    if (served.failed.length === 0) return undefined;
    return staleDiscovery(served.failed);
  }

  /** Deletes what there is of one kind, and counts what is there still. */
  async function empty({ type, namespace, content, signal }: KindToEmpty): Promise<void> {
    const resource = client.metadata(type);
    const kind = `${type.plural}.${type.group}`;
    const options = { propagationPolicy: 'Background', signal } as const;
    const isCollective = type.verbs.includes('deletecollection');
    try {
      const limit = isCollective ? 1 : limits.namespacePageSize;
      const { items } = await resource.list({ namespace, limit, signal });
      if (items.length === 0) return;
      if (isCollective) await resource.deleteCollection({ namespace, signal }, options);
      else
        for (const { metadata } of items)
          await resource.delete({ name: metadata?.name ?? '', namespace }, options);
      let isUnexpected = false;
      let page: string | undefined;
      do {
        const left = await resource.list({
          ...{ namespace, limit: limits.namespacePageSize, signal },
          ...(page && { continue: page }),
        });
        isUnexpected = content.add(kind, left.items, clock.nowMs()) || isUnexpected;
        page = left.metadata?.continue;
      } while (page);
      if (isUnexpected)
        content.failures.push(
          `unexpected items still remain in namespace: ${namespace} for gvr: ${type.group}/${type.version}, Resource=${type.plural}`,
        );
    } catch (error) {
      if (hasReason(error, 'NotFound') || hasReason(error, 'MethodNotAllowed')) return;
      if (signal.aborted) throw error;
      content.failures.push(messageOf(error));
    }
  }

  /** Pods first, so that what they use while they end is there still (KEP-5080); the rest when none is left. */
  async function emptyAll(
    types: readonly DiscoveredResource[],
    namespace: string,
    signal: AbortSignal,
  ): Promise<ContentCount> {
    const content = new ContentCount();
    const isPods = ({ group, plural }: DiscoveredResource) => group === '' && plural === 'pods';
    for (const first of [true, false]) {
      if (content.kinds.size > 0) break;
      for (const type of types.filter((each) => isPods(each) === first))
        await empty({ type, namespace, content, signal });
    }
    return content;
  }

  /** Says in the namespace's status what keeps it; answers whether that is news. */
  async function tell(namespace: Namespace, emptying: Emptying, signal: AbortSignal): Promise<boolean> {
    const { status } = namespace;
    const conditions = namespaceConditions(status?.conditions, emptying, timeFromMs(clock.nowMs()));
    if (isDeepStrictEqual(conditions, status?.conditions)) return false;
    const told = { ...namespace, status: { ...status, conditions } };
    await client.resource(kinds.namespaces).update(told, { subresource: 'status', signal });
    return true;
  }

  async function finalize(namespace: Namespace, signal: AbortSignal): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== finalizer);
    const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } };
    await client.resource(kinds.namespaces).update(finalized, { subresource: 'finalize', signal });
  }

  return {
    keysOf: {
      namespaces: ({ metadata }, change) => {
        const name = metadata?.name ?? '';
        if (change === 'deleted') waits.delete(name);
        return metadata?.deletionTimestamp && change !== 'deleted' ? [name] : [];
      },
    },
    async reconcile(name, signal) {
      const namespace = informers.namespaces.objects.get(name);
      if (!namespace?.metadata?.deletionTimestamp || !namespace.spec?.finalizers?.includes(finalizer)) return;
      const failure = await discoveryFailure(signal);
      const types = served.withVerbs('list', 'delete').filter(({ namespaced }) => namespaced);
      const content = await emptyAll(types, name, signal);
      // What nobody tells of must not be left behind; what is known goes all the same.
      if (content.isEmpty && failure === undefined) {
        await finalize(await client.resource(kinds.namespaces).get({ name, signal }), signal);
        return;
      }
      const wait = waits.get(name) ?? backoff(limits.namespacePollMs);
      waits.set(name, wait);
      if (await tell(namespace, { content, discoveryFailure: failure }, signal)) wait.reset();
      queue.addAfter(name, wait.nextDelayMs());
    },
  };
}
