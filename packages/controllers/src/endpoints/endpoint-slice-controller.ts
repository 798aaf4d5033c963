import { keyOf, kinds } from '@wherry/client';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { planSlices, sliceManager } from './endpoint-slices.ts';
import { servicesOf } from './service-keys.ts';
import { podsOf, selectsPods } from './service-pods.ts';
import { SliceWriter, serviceKeyOf, slicesFor } from './slice-writer.ts';

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
  build: ({ cluster, informers, queue }: ControllerContext<typeof sliceWatches>) => {
    const { services, pods, nodes, slices } = informers;
    const writes = new OwnWrites(cluster.clock);
    const writer = new SliceWriter({ client: cluster.client, slices, writes });
    const reconciler: Reconciler<typeof sliceWatches> = {
      keysOf: {
        services: (service) => [keyOf(service)],
        pods: (pod, _change, previous) => servicesOf(services.objects, pod, previous),
        slices: (slice) => [serviceKeyOf(slice)],
        nodes: (_node, change) => (change === 'updated' ? [] : services.objects.keys()),
      },
      async reconcile(key, signal) {
        const service = services.objects.get(key);
        if (!service || !selectsPods(service)) return writes.forget(key);
        if (service.metadata.deletionTimestamp) return;
        if (!writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
        const own = slicesFor(slices.objects, key, sliceManager);
        const facts = { pods: podsOf(service, pods.objects.values()), nodes: nodes.objects, slices: own };
        const plan = planSlices(service, facts);
        await writer.apply(key, plan, signal);
      },
    };
    return reconciler;
  },
});
