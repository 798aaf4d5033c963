import type { Quantity, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { addAmounts } from '../amounts.ts';
import { countOf, objectCountName, type QuotaMeasure } from './measure.ts';

const countName = objectCountName({ group: 'resource.k8s.io', plural: 'resourceclaims' });
const ofClass = '.deviceclass.resource.k8s.io/devices';
/** What a request for all devices may get at most (resource.AllocationResultsMaxSize). */
const devicesMax = 32;

/** Resource claims, and the devices of each class that they may get at most. */
export const deviceClaimMeasure: QuotaMeasure<ResourceV1ResourceClaim> = {
  measures: (name) => name === countName || name.endsWith(ofClass),
  usage({ spec }) {
    const used = new Map([[countName, countOf(1)]]);
    for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
      const most = new Map<string, Quantity>();
      for (const choice of firstAvailable.length > 0 ? firstAvailable : exactly ? [exactly] : []) {
        const name = `${choice.deviceClassName}${ofClass}`;
        const count = devicesOf(choice);
        const known = most.get(name);
        if (!known || count.cmp(known) > 0) most.set(name, count);
      }
      addAmounts(used, most);
    }
    return used;
  },
  mayUseMore: (_next, _previous, subresource) => subresource === '',
};

function devicesOf({ allocationMode, count }: { allocationMode?: string; count?: unknown }): Quantity {
  if (allocationMode === 'All') return countOf(devicesMax);
  return countOf(allocationMode === 'ExactCount' && typeof count === 'number' ? count : 0);
}
