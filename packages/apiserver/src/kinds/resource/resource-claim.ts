import {
  type AllocatedDeviceStatus,
  type DeviceRequestAllocationResult,
  loadPatternEngine,
  type ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { keepAllButStatus } from '../../objects/status-fields.ts';
import type { ServedKind } from '../definition.ts';

/** Claims on devices. */
export const resourceClaim: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  strategy: {
    // Their selectors may have patterns.
    ready: loadPatternEngine,
    returnsDeleted: true,
    prepareStatusUpdate(next, previous) {
      keepAllButStatus(next, previous);
      dropReturnedDevices(next, previous);
    },
  },
};

/** What drivers say of devices goes with the devices (upstream: dropDeallocatedStatusDevices). */
function dropReturnedDevices(next: ApiObject, previous: ApiObject): void {
  const { status } = as<ResourceV1ResourceClaim>(next);
  if (!status?.devices) return;
  const given = new Set(resultsOf(next).map(keyOf));
  const returned = new Set(resultsOf(previous).map(keyOf)).difference(given);
  status.devices = status.devices.filter((device) => !returned.has(keyOf(device)));
  if (status.devices.length === 0) delete status.devices;
}

const resultsOf = (claim: ApiObject): readonly DeviceRequestAllocationResult[] =>
  as<ResourceV1ResourceClaim>(claim).status?.allocation?.devices?.results ?? [];

function keyOf({
  driver,
  pool,
  device,
  shareID = '',
}: DeviceRequestAllocationResult | AllocatedDeviceStatus): string {
  return JSON.stringify([driver, pool, device, shareID]);
}
