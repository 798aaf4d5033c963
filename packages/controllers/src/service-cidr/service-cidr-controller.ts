import { isDeepStrictEqual } from 'node:util';
import { kinds } from '@wherry/client';
import { type Condition, type ServiceCIDR, timeFromMs } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import { defineController } from '../machinery/run-controller.ts';
import { isNeeded } from './range-use.ts';

const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const ready = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const inUse = {
  ...{ type: 'Ready', status: 'False', reason: 'Terminating' },
  message:
    'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

const watches = { ranges: { type: kinds.serviceCIDRs }, addresses: { type: kinds.ipAddresses } };

/** A range of service addresses is ready once it is known, and stays as long as an address lies in it alone. */
export const serviceCidrController = defineController<typeof watches>({
  name: 'service-cidr-controller',
  account: 'service-cidrs-controller',
  watches,
  writes: ['servicecidrs'],
  build: ({ cluster: { client, clock }, informers: { ranges, addresses }, queue }) => {
    const resource = client.resource(kinds.serviceCIDRs);
    const leaving = () => [...ranges.objects.values()].filter(isLeaving).map(nameOf);

    async function setReady(range: ServiceCIDR, wanted: typeof ready, signal: AbortSignal): Promise<void> {
      const conditions = range.status?.conditions ?? [];
      const known = conditions.find(({ type }) => type === wanted.type);
      const lastTransitionTime =
        known?.status === wanted.status ? known.lastTransitionTime : timeFromMs(clock.nowMs());
      const next: Condition = { ...wanted, lastTransitionTime };
      // The server says of the default range itself that it is ready, in its own words.
      if (known && (wanted === ready ? known.status === 'True' : isDeepStrictEqual(known, next))) return;
      const others = conditions.filter(({ type }) => type !== wanted.type);
      const status = { ...range.status, conditions: [...others, next] };
      await resource.patch({
        name: nameOf(range),
        type: 'merge',
        subresource: 'status',
        patch: { metadata: { resourceVersion: range.metadata?.resourceVersion }, status },
        signal,
      });
    }

    async function letGo(range: ServiceCIDR, isGraceOver: boolean, signal: AbortSignal): Promise<void> {
      const { finalizers = [] } = range.metadata ?? {};
      if (!finalizers.includes(finalizer)) return;
      if (isNeeded(range, [...ranges.objects.values()], addresses.objects.values()))
        return setReady(range, inUse, signal);
      // Servers that have not heard of it yet may still take an address from it.
      if (!isGraceOver) return queue.addAfter(`${nameOf(range)}/free`, limits.serviceRangeGraceMs);
      const others = finalizers.filter((name) => name !== finalizer);
      await setFinalizers(range, others, signal);
    }

    async function setFinalizers(range: ServiceCIDR, finalizers: string[], signal: AbortSignal) {
      const metadata = { ...range.metadata, finalizers };
      return resource.update({ ...range, metadata }, { signal });
    }

    return {
      keysOf: {
        ranges: (range) => [nameOf(range), ...leaving()],
        addresses: leaving,
      },
      async reconcile(key, signal) {
        // `NAME/free` once the grace of a range is over that nobody needed when it began.
        const [name = '', phase] = key.split('/');
        const range = ranges.objects.get(name);
        if (!range) return;
        if (isLeaving(range)) return letGo(range, phase === 'free', signal);
        const { finalizers = [] } = range.metadata ?? {};
        const kept = finalizers.includes(finalizer)
          ? range
          : await setFinalizers(range, [...finalizers, finalizer], signal);
        await setReady(kept, ready, signal);
      },
    };
  },
});

const nameOf = ({ metadata }: ServiceCIDR) => metadata?.name ?? '';
const isLeaving = ({ metadata }: ServiceCIDR) => metadata?.deletionTimestamp !== undefined;
