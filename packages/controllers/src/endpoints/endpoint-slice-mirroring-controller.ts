import { keyOf, kinds } from '@wherry/client';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import { OwnWrites } from '../ownership/own-writes.ts';
import { isMirrored, mirrorManager, planMirror } from './mirrored-slices.ts';
import { managerOf, SliceWriter, serviceKeyOf, slicesFor } from './slice-writer.ts';

const watches = {
  services: { type: kinds.services },
  endpoints: { type: kinds.endpoints },
  slices: { type: kinds.endpointSlices },
};

/** Copies the Endpoints that somebody writes for a service without a selector into slices. */
export const endpointSliceMirroringController = defineController({
  name: 'endpointslice-mirroring-controller',
  account: 'endpointslicemirroring-controller',
  watches,
  writes: ['endpointslices'],
  build: ({ cluster, informers, queue }: ControllerContext<typeof watches>) => {
    const { services, endpoints, slices } = informers;
    const writes = new OwnWrites(cluster.clock);
    const writer = new SliceWriter({ client: cluster.client, slices, writes });
    const reconciler: Reconciler<typeof watches> = {
      keysOf: {
        services: (service) => [keyOf(service)],
        endpoints: (each) => [keyOf(each)],
        slices: (slice) => (managerOf(slice) === mirrorManager ? [serviceKeyOf(slice)] : []),
      },
      async reconcile(key, signal) {
        const source = endpoints.objects.get(key);
        if (source && !writes.areSeen(key)) return queue.addAfter(key, limits.unseenPollMs);
        const own = slicesFor(slices.objects, key, mirrorManager);
        const isSource = source && isMirrored(source, services.objects.get(key));
        const plan = isSource ? planMirror(source, own) : { create: [], update: [], remove: own };
        await writer.apply(key, plan, signal);
        if (!source) writes.forget(key);
      },
    };
    return reconciler;
  },
});
