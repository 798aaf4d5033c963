import { isDeepStrictEqual } from 'node:util';
import { keyOf, kinds } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { isNamespaceGoing } from '../ownership/pod-writes.ts';
import { areOurs, endpointsOf } from './endpoint-subsets.ts';
import { servicesOf } from './service-keys.ts';
import { podsOf, selectsPods } from './service-pods.ts';

const endpointWatches = {
  services: { type: kinds.services },
  pods: { type: kinds.pods },
  endpoints: { type: kinds.endpoints },
};

/** Writes the Endpoints of services that have a selector, and deletes those of services that are gone. */
export const endpointsController = defineController({
  name: 'endpoints-controller',
  account: 'endpoint-controller',
  watches: endpointWatches,
  writes: ['endpoints'],
  build: ({ cluster, informers, queue }: ControllerContext<typeof endpointWatches>) => {
    const { services, pods, endpoints } = informers;
    const writes = new OwnWrites(cluster.clock);
    const resource = cluster.client.resource(kinds.endpoints);
    const gone = new Set<string>();
    /** A service that the watch has not shown may be there all the same. */
    const isMissing = async (key: string, signal: AbortSignal) => {
      const [namespace = '', name = ''] = key.split('/');
      try {
        await cluster.client.resource(kinds.services).get({ name, namespace, signal });
        return false;
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
        return true;
      }
    };
    const forget = async (key: string, signal: AbortSignal) => {
      const [namespace = '', name = ''] = key.split('/');
      writes.forget(key);
      const left = endpoints.objects.get(key);
      // A service may have gone while nobody looked.
      const isGone = gone.delete(key) || (left && areOurs(left) && (await isMissing(key, signal)));
      if (!left || !isGone) return;
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
        pods: (pod, _change, previous) => servicesOf(services.objects, pod, previous),
        endpoints: (each, change) =>
          change === 'deleted' || (change === 'added' && areOurs(each)) ? [keyOf(each)] : [],
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
