import { isDeepStrictEqual } from 'node:util';
import { keyOf, kinds } from '@wherry/client';
import { hasReason, matcherFromMap, type Pod, type Service } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { isNamespaceGoing } from '../ownership/pod-writes.ts';
import { planSlices, sliceManager } from './endpoint-slices.ts';
import { endpointsOf } from './endpoint-subsets.ts';
import { podsOf, selectsPods } from './service-pods.ts';

/** The keys of the services that select a pod, by what it is now and what it was. */
function servicesOf(services: ReadonlyMap<string, Service>, pod: Pod, previous?: Pod): string[] {
  const selects = (service: Service, each: Pod) =>
    matcherFromMap(service.spec?.selector ?? {}).matches(each.metadata.labels);
  const isTold = (service: Service) =>
    service.metadata.namespace === pod.metadata.namespace &&
    selectsPods(service) &&
    (selects(service, pod) || (previous !== undefined && selects(service, previous)));
  return [...services.values()].filter(isTold).map(keyOf);
}

/** What of a pod concerns the services that it belongs to. */
function concerns({ metadata, status, spec }: Pod): unknown {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const isGoing = metadata.deletionTimestamp !== undefined;
  return [metadata.labels, status?.phase, status?.podIPs, ready, isGoing, spec?.nodeName];
}

const isNews = (pod: Pod, previous?: Pod) =>
  !previous || !isDeepStrictEqual(concerns(pod), concerns(previous));

const sliceWatches = {
  services: { type: kinds.services },
  pods: { type: kinds.pods },
  nodes: { type: kinds.nodes },
  slices: { type: kinds.endpointSlices },
};

/** Writes the slices of services that have a selector. */
export const endpointSliceController = defineController({
  name: 'endpointslice-controller',
  watches: sliceWatches,
  writes: ['endpointslices'],
  waitsForLists: true,
  build: ({ cluster, informers, queue }: ControllerContext<typeof sliceWatches>) => {
    const { services, pods, nodes, slices } = informers;
    const writes = new OwnWrites(cluster.clock);
    const resource = cluster.client.resource(kinds.endpointSlices);
    const ownerOf = (labels: Record<string, string> = {}) =>
      new Map(Object.entries(labels)).get('kubernetes.io/service-name');
    const reconciler: Reconciler<typeof sliceWatches> = {
      keysOf: {
        services: (service) => [keyOf(service)],
        pods: (pod, _change, previous) =>
          isNews(pod, previous) ? servicesOf(services.objects, pod, previous) : [],
        slices: ({ metadata }) => [`${metadata.namespace}/${ownerOf(metadata.labels)}`],
        nodes: (_node, change) => (change === 'updated' ? [] : services.objects.keys()),
      },
      async reconcile(key, signal) {
        const service = services.objects.get(key);
        if (!service || !selectsPods(service)) return writes.forget(key);
        if (service.metadata.deletionTimestamp) return;
        if (!writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
        const own = slices
          .controlledBy(service.metadata.uid)
          .filter(
            ({ metadata }) => metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === sliceManager,
          );
        const facts = { pods: podsOf(service, pods.objects.values()), nodes: nodes.objects, slices: own };
        const plan = planSlices(service, facts);
        try {
          for (const slice of plan.create)
            writes.wrote(key, slices, await resource.create(slice, { signal }));
          for (const slice of plan.update)
            writes.wrote(key, slices, await resource.update(slice, { signal }));
        } catch (error) {
          if (!isNamespaceGoing(error)) throw error;
        }
        for (const slice of plan.remove) {
          const { name = '', namespace, uid = '' } = slice.metadata;
          try {
            await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
            writes.deleted(key, slices, slice);
          } catch (error) {
            if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
          }
        }
      },
    };
    return reconciler;
  },
});

const endpointWatches = {
  services: { type: kinds.services },
  pods: { type: kinds.pods },
  endpoints: { type: kinds.endpoints },
};

/** Writes the Endpoints of services that have a selector, and deletes those of services that are gone. */
export const endpointsController = defineController({
  name: 'endpoints-controller',
  watches: endpointWatches,
  writes: ['endpoints'],
  waitsForLists: true,
  build: ({ cluster, informers, queue }: ControllerContext<typeof endpointWatches>) => {
    const { services, pods, endpoints } = informers;
    const writes = new OwnWrites(cluster.clock);
    const resource = cluster.client.resource(kinds.endpoints);
    const gone = new Set<string>();
    const forget = async (key: string, signal: AbortSignal) => {
      const [namespace = '', name = ''] = key.split('/');
      writes.forget(key);
      if (!gone.delete(key) || !endpoints.objects.has(key)) return;
      try {
        await resource.delete({ name, namespace }, { signal });
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
      }
    };
    const reconciler: Reconciler<typeof endpointWatches> = {
      keysOf: {
        services: (service, change) => {
          if (change === 'deleted') gone.add(keyOf(service));
          return [keyOf(service)];
        },
        pods: (pod, _change, previous) =>
          isNews(pod, previous) ? servicesOf(services.objects, pod, previous) : [],
        endpoints: (each, change) => (change === 'deleted' ? [keyOf(each)] : []),
      },
      async reconcile(key, signal) {
        const service = services.objects.get(key);
        if (!service) return forget(key, signal);
        gone.delete(key);
        if (!selectsPods(service)) return;
        if (!writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
        const known = endpoints.objects.get(key);
        const wanted = endpointsOf(service, podsOf(service, pods.objects.values()), known);
        const isSame = isDeepStrictEqual(
          [known?.subsets, known?.metadata.labels, known?.metadata.annotations],
          [wanted.subsets, wanted.metadata.labels, wanted.metadata.annotations],
        );
        if (known && isSame) return;
        try {
          const written = known
            ? await resource.update(wanted, { signal })
            : await resource.create(wanted, { signal });
          writes.wrote(key, endpoints, written);
        } catch (error) {
          if (!isNamespaceGoing(error)) throw error;
        }
      },
    };
    return reconciler;
  },
});
